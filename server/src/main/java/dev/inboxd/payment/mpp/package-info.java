/**
 * The "Payment" authentication scheme (draft-httpauth-payment-00) with the intent {@code charge} (payments.md §10): the
 * challenge, the credential that answers it, the receipt. They are read and written here; nothing is asked, kept or
 * settled.
 */
@NullMarked
package dev.inboxd.payment.mpp;

import org.jspecify.annotations.NullMarked;
