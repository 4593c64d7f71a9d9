package dev.inboxd.payment.metric;

import java.util.Locale;

/** What became of a request with a payment; the label of a meter. */
public enum PaymentOutcome {
    /** It was paid, and its request was carried out. */
    SETTLED,
    /** The settlement was refused. */
    REFUSED,
    /** Nobody knows yet whether it was paid. */
    UNKNOWN,
    /** It was paid, and its request could not be carried out. */
    OWED,
    /** It was answered before, and got the same answer again. */
    REPLAYED,
    /** It was no payment for this request, and nothing was settled. */
    REJECTED;

    /** The word in the label. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
