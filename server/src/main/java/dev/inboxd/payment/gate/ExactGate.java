package dev.inboxd.payment.gate;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.PaidRequest;
import dev.inboxd.base.http.PaymentGate;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.payment.authorization.PaymentVariant;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.offer.Price;
import dev.inboxd.payment.purchase.Refusals;
import dev.inboxd.payment.purchase.Sale;
import dev.inboxd.payment.x402.ExactChallenge;
import dev.inboxd.payment.x402.ExactPayment;
import dev.inboxd.payment.x402.PaymentResponse;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Answers the requests of the host where calls are paid by x402 (payments.md §6). */
public final class ExactGate implements PaymentGate {
    private final GateParts parts;
    private final PaidCalls calls;
    private final ExactOffers offers;

    public ExactGate(GateParts parts, ExactOffers offers) {
        this.parts = parts;
        this.calls = new PaidCalls(parts);
        this.offers = offers;
    }

    @Override
    public Response answer(PaidRequest request) {
        OtherCredentials.refuse(request);
        Price price = parts.prices().of(request);
        ExactChallenge challenge = offers.challenge(request, price);
        try {
            return sold(sale(request, price, challenge));
        } catch (Problem refusal) {
            throw refusal.code() == ErrorCode.PAYMENT_REQUIRED ? challenged(refusal, challenge, price) : refusal;
        }
    }

    private static Problem challenged(Problem refusal, ExactChallenge challenge, Price price) {
        String reason = refusal.details().get(Refusals.REASON) instanceof String word ? word : null;
        return challenge
                .on(refusal, price.text(), reason)
                .withHeader(
                        ExactChallenge.HEADER,
                        challenge.header(Objects.requireNonNullElse(reason, ExactChallenge.PAYMENT_REQUIRED)))
                .withHeader("Cache-Control", "no-store");
    }

    private Sale sale(PaidRequest request, Price price, ExactChallenge challenge) {
        List<String> fields = offers.payments(request);
        if (fields.isEmpty()) {
            parts.limits().challenged(request.remoteAddress());
            parts.meters().challenged(PaymentVariant.X402.wireName());
            throw PaidCalls.paymentRequired(price);
        }
        ExactPayment payment = ExactPayment.read(fields);
        // A payment that was taken is known again after it has expired.
        Sale earlier = calls.earlier(request, payment.authorization());
        if (earlier != null) {
            return earlier;
        }
        String reason = payment.refusal(challenge, parts.clock().instant());
        if (reason != null) {
            calls.rejected(PaymentVariant.X402, price);
            throw PaidCalls.refused(reason);
        }
        UUID id = Uuid7.next();
        return calls.answer(new PaidCalls.SignedCall(
                request,
                price,
                payment.authorization(),
                id,
                offers.question(id, payment, challenge),
                offers.judge(price),
                offers.end(payment.authorization(), challenge)));
    }

    private static Response sold(Sale sale) {
        Payment payment = sale.payment();
        if (payment == null) {
            return sale.answer();
        }
        Payment.Terms terms = payment.terms();
        String transaction = Objects.requireNonNullElse(payment.progress().transaction(), "");
        String payer = payment.payer().substring(terms.network().length() + 1);
        return PaidCalls.marked(
                sale.answer(),
                PaymentResponse.HEADER,
                PaymentResponse.settled(transaction, terms.network(), payer, terms.amount()));
    }
}
