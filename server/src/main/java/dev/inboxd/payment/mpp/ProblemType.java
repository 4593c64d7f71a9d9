package dev.inboxd.payment.mpp;

import dev.inboxd.base.error.Problem;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of the problem details of a refusal (draft-httpauth-payment-00, Error Codes; RFC 9457). */
public enum ProblemType {
    /** Nothing was paid. */
    PAYMENT_REQUIRED(402, "Payment Required"),
    /** It was for another amount. */
    PAYMENT_INSUFFICIENT(402, "Payment Insufficient"),
    /** The challenge is too old. */
    PAYMENT_EXPIRED(402, "Payment Expired"),
    /** What was signed does not fit, or the facilitator or verifier refuses it. */
    VERIFICATION_FAILED(402, "Payment Verification Failed"),
    /** The method is not offered. */
    METHOD_UNSUPPORTED(400, "Payment Method Unsupported"),
    /** The credential cannot be read. */
    MALFORMED_CREDENTIAL(402, "Malformed Credential"),
    /** The challenge is not ours, is for another request, or was used. */
    INVALID_CHALLENGE(402, "Invalid Challenge");

    private static final String BASE = "https://paymentauth.org/problems/";

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The URI. */
    public String uri() {
        return BASE + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Adds to an error what its body says besides: {@code type}, {@code title}, {@code status}, {@code detail} and
     * {@code challengeId}. The body is {@code application/problem+json}.
     *
     * @param challengeId of the first fresh challenge; null where the status is not 402
     */
    public Problem on(Problem problem, @Nullable String challengeId) {
        Problem typed = problem.with("type", uri())
                .with("title", title)
                .with("status", status)
                .with("detail", problem.message());
        return challengeId == null ? typed : typed.with("challengeId", challengeId);
    }
}
