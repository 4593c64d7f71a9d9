package dev.inboxd.payment.facilitator;

import org.jspecify.annotations.Nullable;

/** What settling a payment comes to. */
public sealed interface Settlement {
    /**
     * The money has moved.
     *
     * @param transaction as it was named; empty when it is not known
     * @param payer as it was named; null when nobody was
     */
    record Settled(String transaction, @Nullable String payer) implements Settlement {}

    /**
     * The money has not moved and will not.
     *
     * @param reason a word that may be told the caller ({@link Reasons})
     */
    record Refused(String reason) implements Settlement {}

    /**
     * Nobody knows. It is to be asked again, and never told as if it were known (docs/operating/payments.md, "What an
     * answer means").
     *
     * @param detail for the log, without anything of the payment
     */
    record Unknown(String detail) implements Settlement {}

    /**
     * Nobody was asked: the authorization is unused.
     *
     * @param detail for the log, without anything of the payment
     */
    record NotSent(String detail) implements Settlement {}
}
