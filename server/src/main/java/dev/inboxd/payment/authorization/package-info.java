/**
 * What a payer signed, whichever wire brought it: the transfer, the account, the times, and the keys by which it counts
 * once (payments.md §6.2, §7). Nothing here checks a signature.
 */
@NullMarked
package dev.inboxd.payment.authorization;

import org.jspecify.annotations.NullMarked;
