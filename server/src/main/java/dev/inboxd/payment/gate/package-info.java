/** What stands before the calls of a host where they are paid for (payments.md §6). */
@NullMarked
package dev.inboxd.payment.gate;

import org.jspecify.annotations.NullMarked;
