package dev.inboxd.payment.facilitator;

/**
 * Says yes to every payment that the server itself found in order. It checks no signature and no balance, and moves
 * nothing, so anybody may claim any account; production refuses it.
 */
final class DevelopmentFacilitator implements PaymentJudge {
    /** How the names of its transactions begin. */
    static final String PREFIX = "development:";

    @Override
    public boolean isTest() {
        return true;
    }

    @Override
    public PaymentVerdict verify(PaymentQuestion question) {
        return new PaymentVerdict.Valid(question.from());
    }

    @Override
    public Settlement requestSettlement(PaymentQuestion question, boolean repeat) {
        return new Settlement.Settled(PREFIX + question.paymentId(), question.from());
    }
}
