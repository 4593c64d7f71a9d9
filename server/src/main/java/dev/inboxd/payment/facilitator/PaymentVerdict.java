package dev.inboxd.payment.facilitator;

import org.jspecify.annotations.Nullable;

/** What verifying a payment comes to. Nothing has moved by then. */
public sealed interface PaymentVerdict {
    /**
     * The payment is good.
     *
     * @param payer who pays, as it was told; null when nobody was named
     */
    record Valid(@Nullable String payer) implements PaymentVerdict {}

    /**
     * The payment is not good.
     *
     * @param reason a word that may be told the caller ({@link Reasons})
     */
    record Invalid(String reason) implements PaymentVerdict {}

    /**
     * There is no verdict: nobody could be asked, or gave none.
     *
     * @param detail for the log, without anything of the payment
     */
    record Unreachable(String detail) implements PaymentVerdict {}
}
