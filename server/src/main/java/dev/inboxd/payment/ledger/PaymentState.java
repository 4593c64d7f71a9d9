package dev.inboxd.payment.ledger;

import java.util.Locale;

/** How far a payment is (payments.md §8). */
public enum PaymentState {
    /** Its request is checked, and what it takes is kept for it; nothing was asked for. */
    RESERVED,
    /** The settlement may have been asked for. */
    SETTLING,
    /** It is paid, and its request was carried out. */
    SETTLED,
    /** It was not paid, and nothing came of its request. */
    REFUSED,
    /** It is paid, and its request could not be carried out. */
    OWED;

    /** The word in the row. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static PaymentState of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Whether it has no end yet. */
    public boolean isOpen() {
        return this == RESERVED || this == SETTLING;
    }

    /** The word in answers: what is not over is pending. */
    public String wireName() {
        return isOpen() ? "pending" : word();
    }
}
