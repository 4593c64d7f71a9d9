package dev.inboxd.payment.facilitator;

/** Who verifies and settles payments. Both calls block for seconds, so no transaction is open meanwhile. */
public interface PaymentJudge {
    /** Asks whether a payment is good. */
    PaymentVerdict verify(PaymentQuestion question);

    /**
     * Has a payment settled.
     *
     * @param repeat whether an earlier attempt may have reached the judge: then less can be told from an answer
     */
    Settlement requestSettlement(PaymentQuestion question, boolean repeat);

    /** Whether it moves no money. */
    default boolean isTest() {
        return false;
    }
}
