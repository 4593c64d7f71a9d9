package dev.inboxd.payment.authorization;

import java.util.Locale;

/** The protocols by which a call is paid (payments.md §1). */
public enum PaymentVariant {
    /** The x402 specification, version 2. */
    X402,
    /** The "Payment" authentication scheme (draft-httpauth-payment-00). */
    MPP;

    /** The word in JSON, settings and metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
