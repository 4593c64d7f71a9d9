package dev.inboxd.payment.purchase;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.x402.PaymentResponse;
import java.time.Duration;

/** What callers are told whose payment came to no good end (payments.md §8). */
public final class Refusals {
    /** The detail with the facilitator's word. */
    public static final String REASON = "reason";

    /** The reason of a payment that was used for something else. */
    public static final String USED = "payment_already_used";

    private static final Duration SOON = Duration.ofSeconds(5);

    private Refusals() {}

    /** The settlement was refused. */
    static Problem refused(Payment payment, String reason) {
        Payment.Terms terms = payment.terms();
        String payer = payment.payer().substring(terms.network().length() + 1);
        return Problem.of(
                        ErrorCode.PAYMENT_REQUIRED,
                        "The payment was refused: " + reason,
                        "Nothing was done and nothing is owed. Sign a new payment, and repeat the call.")
                .with(REASON, reason)
                .withHeader(PaymentResponse.HEADER, PaymentResponse.refused(reason, terms.network(), payer));
    }

    /** Nobody knows yet whether it was paid. */
    static Problem pending(Payment payment) {
        return Problem.of(ErrorCode.PAYMENT_PENDING, "It is not known yet whether the payment was made")
                .with("payment_id", payment.id())
                .retryAfter(SOON);
    }

    /** The same payment is being settled for another connection. */
    static Problem pending() {
        return Problem.of(ErrorCode.PAYMENT_PENDING, "This payment is being settled at the moment")
                .retryAfter(SOON);
    }

    /** It was paid, and what it was paid for could not be done. */
    static Problem owed(Payment payment) {
        return Problem.of(
                        ErrorCode.CONFLICT,
                        "The call was paid for and could not be carried out",
                        "Ask the server's operator to pay back the payment " + payment.id() + ".")
                .with("payment_id", payment.id());
    }

    /** The authorization was used for something else. */
    static Problem used() {
        return Problem.of(
                        ErrorCode.PAYMENT_REQUIRED,
                        "This payment was used before",
                        "A payment counts for one request. Sign a new one, and repeat the call.")
                .with(REASON, USED);
    }

    /** Nobody can settle now; nothing was done. */
    public static Problem away() {
        return Problem.of(
                        ErrorCode.SERVICE_UNAVAILABLE,
                        "Payments cannot be settled at the moment",
                        "Nothing was done and nothing was paid. Repeat the call with the same payment a little later.")
                .retryAfter(SOON);
    }
}
