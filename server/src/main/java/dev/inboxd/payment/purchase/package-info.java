/** Calls that are sold: tried, reserved, settled and carried out (payments.md §8). */
@NullMarked
package dev.inboxd.payment.purchase;

import org.jspecify.annotations.NullMarked;
