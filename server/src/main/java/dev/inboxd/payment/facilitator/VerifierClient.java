package dev.inboxd.payment.facilitator;

import dev.inboxd.net.RequestHeader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A verifier of an MPP method, asked over HTTP in the words of docs/operating/payments.md, "A verifier". */
final class VerifierClient implements PaymentJudge {
    private final ServiceClient service;

    VerifierClient(ServiceClient service) {
        this.service = service;
    }

    @Override
    public PaymentVerdict verify(PaymentQuestion question) {
        ServiceAnswer answer = ask(ServiceClient.Call.VERIFY, question);
        if (answer instanceof ServiceAnswer.Answered answered && answered.json() != null) {
            Map<?, ?> json = answered.json();
            if (Boolean.FALSE.equals(json.get("valid"))) {
                return new PaymentVerdict.Invalid(Reasons.word(json.get("reason")));
            }
            if (Boolean.TRUE.equals(json.get("valid")) && answered.isSuccessful()) {
                return new PaymentVerdict.Valid(Reasons.name(json.get("payer")));
            }
        }
        return new PaymentVerdict.Unreachable(answer.detail());
    }

    @Override
    public Settlement requestSettlement(PaymentQuestion question, boolean repeat) {
        ServiceAnswer answer = ask(ServiceClient.Call.SETTLEMENT, question);
        return SettlementRules.of(answer, claim(answer), repeat);
    }

    private ServiceAnswer ask(ServiceClient.Call call, PaymentQuestion question) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("action", call.word());
        body.putAll(question.body());
        // The base's own path is the whole URL.
        return service.post(
                call, "", PaymentQuestion.json(body), List.of(new RequestHeader("Idempotency-Key", question.key())));
    }

    private static SettlementRules.Claim claim(ServiceAnswer answer) {
        if (!(answer instanceof ServiceAnswer.Answered(int _, Map<?, ?> json))
                || json == null
                || !json.containsKey("settled")) {
            return new SettlementRules.Claim.None();
        }
        return switch (json.get("settled")) {
            case null -> new SettlementRules.Claim.Open();
            case Boolean settled
            when settled ->
                new SettlementRules.Claim.Done(Reasons.name(json.get("reference")), Reasons.name(json.get("payer")));
            case Boolean _ -> new SettlementRules.Claim.Failed(json.get("reason"));
            default -> new SettlementRules.Claim.None();
        };
    }
}
