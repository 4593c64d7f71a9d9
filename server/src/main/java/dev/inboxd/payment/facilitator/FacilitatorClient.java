package dev.inboxd.payment.facilitator;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An x402 facilitator, asked over HTTP (x402 v2, POST /verify and /settle). */
final class FacilitatorClient implements PaymentJudge {
    private static final Logger LOG = LoggerFactory.getLogger(FacilitatorClient.class);

    private final ServiceClient service;

    FacilitatorClient(ServiceClient service) {
        this.service = service;
    }

    @Override
    public PaymentVerdict verify(PaymentQuestion question) {
        ServiceAnswer answer = ask(ServiceClient.Call.VERIFY, question);
        if (answer instanceof ServiceAnswer.Answered answered && answered.json() != null) {
            Map<?, ?> json = answered.json();
            if (Boolean.FALSE.equals(json.get("isValid"))) {
                logRefusal(question, "invalidReason", "invalidMessage", json);
                return new PaymentVerdict.Invalid(Reasons.word(json.get("invalidReason")));
            }
            if (Boolean.TRUE.equals(json.get("isValid")) && answered.isSuccessful()) {
                return new PaymentVerdict.Valid(Reasons.name(json.get("payer")));
            }
        }
        return new PaymentVerdict.Unreachable(answer.detail());
    }

    @Override
    public Settlement requestSettlement(PaymentQuestion question, boolean repeat) {
        ServiceAnswer answer = ask(ServiceClient.Call.SETTLEMENT, question);
        return SettlementRules.of(answer, claim(question, answer), repeat);
    }

    /** What the facilitator supports, as it answers; null when it does not. */
    @Nullable
    Map<?, ?> supported() {
        ServiceAnswer answer = service.get(ServiceClient.Call.SUPPORTED, "/supported");
        return answer instanceof ServiceAnswer.Answered answered && answered.isSuccessful() ? answered.json() : null;
    }

    private ServiceAnswer ask(ServiceClient.Call call, PaymentQuestion question) {
        return service.post(call, "/" + call.word(), PaymentQuestion.json(question.body()), List.of());
    }

    private static SettlementRules.Claim claim(PaymentQuestion question, ServiceAnswer answer) {
        Map<?, ?> json =
                answer instanceof ServiceAnswer.Answered(int _, Map<?, ?> object) && object != null ? object : Map.of();
        if (Boolean.TRUE.equals(json.get("success"))) {
            return new SettlementRules.Claim.Done(
                    Reasons.name(json.get("transaction")), Reasons.name(json.get("payer")));
        }
        if (Boolean.FALSE.equals(json.get("success"))) {
            logRefusal(question, "errorReason", "errorMessage", json);
            return new SettlementRules.Claim.Failed(json.get("errorReason"));
        }
        return new SettlementRules.Claim.None();
    }

    /** A free text is for the operator alone. */
    private static void logRefusal(PaymentQuestion question, String reason, String message, Map<?, ?> json) {
        LOG.info(
                "The facilitator refuses a payment payment={} reason={} message=\"{}\"",
                question.paymentId(),
                Reasons.word(json.get(reason)),
                Reasons.text(json.get(message)));
    }
}
