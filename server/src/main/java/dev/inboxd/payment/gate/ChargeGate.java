package dev.inboxd.payment.gate;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.PaidRequest;
import dev.inboxd.base.http.PaymentGate;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.payment.authorization.PaymentAuthorization;
import dev.inboxd.payment.authorization.PaymentVariant;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.mpp.ChargeChallenge;
import dev.inboxd.payment.mpp.ChargeCredential;
import dev.inboxd.payment.mpp.ChargeException;
import dev.inboxd.payment.mpp.PaymentReceipt;
import dev.inboxd.payment.mpp.ProblemType;
import dev.inboxd.payment.offer.Price;
import dev.inboxd.payment.purchase.Refusals;
import dev.inboxd.payment.purchase.Sale;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Answers the requests of the host where calls are paid by the Payment scheme (payments.md §10). */
public final class ChargeGate implements PaymentGate {
    private static final String MEDIA_TYPE = "application/problem+json";

    private final GateParts parts;
    private final PaidCalls calls;
    private final ChargeOffers offers;

    public ChargeGate(GateParts parts, ChargeOffers offers) {
        this.parts = parts;
        this.calls = new PaidCalls(parts);
        this.offers = offers;
    }

    @Override
    public Response answer(PaidRequest request) {
        OtherCredentials.refuse(request);
        Price price = parts.prices().of(request);
        try {
            return answer(request, price);
        } catch (ChargeException refused) {
            calls.rejected(PaymentVariant.MPP, price);
            throw refusal(refused.type(), request, price, refused.message());
        } catch (Problem refusal) {
            if (refusal.code() != ErrorCode.PAYMENT_REQUIRED) {
                throw refusal;
            }
            ProblemType type = refusal.details().get(Refusals.REASON) instanceof String reason
                    ? reason.equals(Refusals.USED) ? ProblemType.INVALID_CHALLENGE : ProblemType.VERIFICATION_FAILED
                    : ProblemType.PAYMENT_REQUIRED;
            throw refusal(type, request, price, refusal.message());
        }
    }

    /** A refusal has a fresh challenge where it is 402, and none where it is not. */
    private Problem refusal(ProblemType type, PaidRequest request, Price price, String message) {
        if (type.status() != 402) {
            return type.on(Problem.of(ErrorCode.VALIDATION_ERROR, message), null)
                    .withMediaType(MEDIA_TYPE);
        }
        List<ChargeChallenge> challenges = offers.challenges(request, price);
        Problem problem = type.on(
                        Problem.of(ErrorCode.PAYMENT_REQUIRED, message).with("price", price.text()),
                        challenges.isEmpty() ? "" : challenges.getFirst().id())
                .withMediaType(MEDIA_TYPE)
                .withHeader("Cache-Control", "no-store");
        for (ChargeChallenge challenge : challenges) {
            problem = problem.withHeader("WWW-Authenticate", challenge.field());
        }
        return problem;
    }

    private Response answer(PaidRequest request, Price price) throws ChargeException {
        List<String> fields = offers.credentials(request);
        if (fields.isEmpty()) {
            parts.limits().challenged(request.remoteAddress());
            parts.meters().challenged(PaymentVariant.MPP.wireName());
            throw PaidCalls.paymentRequired(price);
        }
        ChargeCredential credential = ChargeCredential.read(fields);
        PaymentAuthorization authorization = offers.check().authentic(credential);
        Sale earlier = calls.earlier(request, authorization);
        if (earlier != null) {
            return sold(earlier, credential);
        }
        offers.check()
                .current(
                        credential,
                        authorization,
                        offers.call(request, price),
                        parts.clock().instant());
        UUID id = Uuid7.next();
        return sold(
                calls.answer(new PaidCalls.SignedCall(
                        request,
                        price,
                        authorization,
                        id,
                        offers.question(id, credential, price),
                        offers.judge(credential, price),
                        offers.end(credential, authorization))),
                credential);
    }

    private Response sold(Sale sale, ChargeCredential credential) {
        if (sale.answer().status() >= 300) {
            return sale.answer();
        }
        Payment payment = sale.payment();
        String transaction = payment == null ? null : payment.progress().transaction();
        return PaidCalls.marked(
                sale.answer(),
                PaymentReceipt.HEADER,
                PaymentReceipt.header(
                        credential.challenge().method(),
                        payment == null || payment.progress().settledAt() == null
                                ? parts.clock().instant()
                                : payment.progress().settledAt(),
                        transaction == null || transaction.isEmpty()
                                ? credential.challenge().id()
                                : Objects.requireNonNull(transaction)));
    }
}
