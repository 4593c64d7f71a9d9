package dev.inboxd.payment.purchase;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.x402.PaymentResponse;
import java.time.Duration;
import java.util.UUID;

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

    /** What the call would make is being paid for by another payment of the account. */
    static Problem equal(UUID payment) {
        return Problem.of(ErrorCode.PAYMENT_PENDING, "An equal request of this account is being paid for at the moment")
                .with("payment_id", payment)
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

    /** It was paid, and carried out; what was answered is not there any more. */
    static Problem unkept(Payment payment) {
        return Problem.of(
                        ErrorCode.CONFLICT,
                        "The call was paid for and carried out, and its answer was too large to be kept",
                        "Read what it made. Do not pay again.")
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
