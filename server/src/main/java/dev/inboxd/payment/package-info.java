/** Calls that are paid for instead of made with a key (payments.md): reserve, settle, carry out. */
@NullMarked
package dev.inboxd.payment;

import org.jspecify.annotations.NullMarked;
