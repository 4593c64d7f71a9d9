package dev.inboxd.payment.gate;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.DeferredResponse;
import dev.inboxd.base.http.PaidRequest;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.id.Digests;
import dev.inboxd.payment.authorization.PaymentAuthorization;
import dev.inboxd.payment.authorization.PaymentVariant;
import dev.inboxd.payment.facilitator.PaymentJudge;
import dev.inboxd.payment.facilitator.PaymentQuestion;
import dev.inboxd.payment.facilitator.PaymentVerdict;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.metric.PaymentOutcome;
import dev.inboxd.payment.metric.PaymentTimes;
import dev.inboxd.payment.offer.Price;
import dev.inboxd.payment.offer.PriceList;
import dev.inboxd.payment.purchase.Order;
import dev.inboxd.payment.purchase.PaymentProofs;
import dev.inboxd.payment.purchase.Purchases;
import dev.inboxd.payment.purchase.Refusals;
import dev.inboxd.payment.purchase.Sale;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers calls with a payment, whichever variant brought it (payments.md §6.2, checks 5 to 12). */
final class PaidCalls {
    private static final List<String> FORWARDED =
            List.of("idempotency-key", "if-match", "if-none-match", "content-type");

    /** An authorization is valid for an hour at most; clocks differ. Its keys are kept until it has expired. */
    private static final Duration LONGEST = Duration.ofHours(2);

    private final GateParts parts;

    PaidCalls(GateParts parts) {
        this.parts = parts;
    }

    /**
     * A call with what its payer signed.
     *
     * @param paymentId of the payment that comes of it
     * @param question what the judge is asked
     * @param end when the authorization can no longer be executed
     */
    record SignedCall(
            PaidRequest request,
            Price price,
            PaymentAuthorization authorization,
            UUID paymentId,
            PaymentQuestion question,
            PaymentJudge judge,
            Instant end) {
        String address() {
            return request.remoteAddress();
        }

        String route() {
            return request.method() + " " + request.template();
        }
    }

    /**
     * The answer to an authorization that was used before; null when it was not. What was spent is good for nothing
     * else, so this comes before its judge is asked.
     *
     * @throws Problem as {@link Purchases#uses}
     */
    @Nullable
    Sale earlier(PaidRequest request, PaymentAuthorization authorization) {
        if (ExactOffers.isSocket(request.template())) {
            return null; // clients connect again with the proof that they have; it is looked at when they do
        }
        Sale before = user(authorization)
                .map(organization -> parts.purchases()
                        .uses()
                        .earlier(organization, keys(authorization), hash(request, authorization)))
                .orElse(null);
        if (before != null) {
            parts.meters()
                    .paid(
                            authorization.variant().wireName(),
                            before.payment() == null
                                    ? "other"
                                    : before.payment().terms().network(),
                            PaymentOutcome.REPLAYED);
        }
        return before;
    }

    /** Whose authorization it is: it names its payer, or is known by itself once it was used. */
    private Optional<UUID> user(PaymentAuthorization authorization) {
        return authorization.from() == null
                ? parts.purchases().uses().user(keys(authorization))
                : parts.payers()
                        .find(authorization.account(authorization.from()))
                        .map(Payers.Payer::organization);
    }

    /**
     * Answers a call whose authorization was not used before, as far as is known.
     *
     * @throws Problem as the route, and {@code payment_required} with the detail {@link Refusals#REASON}
     */
    Sale answer(SignedCall call) {
        PaymentAuthorization authorization = call.authorization;
        parts.limits().claimed(call.address());
        if (call.end.isAfter(parts.clock().instant().plus(LONGEST))) {
            throw refused("authorization_valid_too_long");
        }
        long began = System.nanoTime();
        PaymentVerdict verdict = call.judge.verify(call.question);
        long verifyMillis = PaymentTimes.millisSince(began);
        if (verdict instanceof PaymentVerdict.Invalid) { // so is one that was settled a moment ago
            Sale before = earlier(call.request, authorization);
            if (before != null) {
                return before;
            }
        }
        String account = authorization.account(payer(call, verdict));
        parts.limits().paid(account);
        Payers.Payer payer = parts.payers().find(account).orElse(null);
        boolean isFree = call.price.isFree();
        Supplier<Sale> work = isFree
                ? () -> new Sale(proved(call, proof(call, account), payer), null)
                : () -> parts.purchases().buy(order(call, account, verifyMillis), payer);
        boolean begins =
                payer == null && (!isFree || PriceList.isSoldAsShipped(call.request.method(), call.request.template()));
        return begins ? begun(call.address(), account, work) : work.get();
    }

    /** Counts a new organization, before anything is settled; one that does not come of it is not counted. */
    private Sale begun(String address, String account, Supplier<Sale> work) {
        parts.limits().began(address);
        try {
            return work.get();
        } finally {
            if (!mayHaveBegun(account)) {
                parts.limits().notBegun(address);
            }
        }
    }

    private boolean mayHaveBegun(String account) {
        try {
            return parts.payers().find(account).isPresent();
        } catch (RuntimeException away) { // what the caller is told is what became of his call
            return true;
        }
    }

    private static PaymentProofs.Proof proof(SignedCall call, String account) {
        boolean isKept = !call.request.template().equals("/v0");
        return new PaymentProofs.Proof(account, keys(call.authorization), call.end, isKept);
    }

    private Response proved(SignedCall call, PaymentProofs.Proof proof, Payers.@Nullable Payer payer) {
        boolean isTaken = true;
        try {
            return parts.proofs().answer(call.request, proof, payer);
        } catch (Problem refusal) {
            isTaken = refusal.code() != ErrorCode.PAYMENT_REQUIRED;
            throw refusal;
        } finally {
            parts.meters().proved(call.authorization.variant().wireName(), isTaken);
        }
    }

    private Order order(SignedCall call, String account, long verifyMillis) {
        PaymentAuthorization authorization = call.authorization;
        Payment.Terms terms = new Payment.Terms(
                authorization.variant().wireName(),
                authorization.method(),
                authorization.transfer().network(),
                authorization.transfer().asset(),
                authorization.transfer().amount(),
                call.price,
                call.judge.isTest());
        return new Order(
                call.paymentId,
                account,
                terms,
                keys(authorization),
                call.end,
                call.question,
                call.request.call(FORWARDED),
                call.route(),
                hash(call.request, authorization),
                List.of(),
                call.request.id(),
                verifyMillis);
    }

    private String payer(SignedCall call, PaymentVerdict verdict) {
        return switch (verdict) {
            case PaymentVerdict.Invalid(String reason) -> throw rejected(call, reason);
            case PaymentVerdict.Unreachable _ -> throw Refusals.away();
            case PaymentVerdict.Valid(String judged) -> {
                String payer = call.authorization.payer(judged);
                if (payer == null) {
                    throw rejected(call, "invalid_payload");
                }
                yield payer;
            }
        };
    }

    private Problem rejected(SignedCall call, String reason) {
        PaymentAuthorization authorization = call.authorization;
        rejected(authorization.variant(), authorization.transfer().network(), call.price);
        return refused(reason);
    }

    /** Counts a payment that does not do, and was not verified: its network may be any text, and is no label. */
    void rejected(PaymentVariant variant, Price price) {
        rejected(variant, "other", price);
    }

    private void rejected(PaymentVariant variant, String network, Price price) {
        if (price.isFree()) {
            parts.meters().proved(variant.wireName(), false);
        } else {
            parts.meters().paid(variant.wireName(), network, PaymentOutcome.REJECTED);
        }
    }

    /** A payment that does not do. */
    static Problem refused(String reason) {
        return Problem.of(ErrorCode.PAYMENT_REQUIRED, "The payment does not do: " + reason)
                .with(Refusals.REASON, reason);
    }

    /** A call without a payment. */
    static Problem paymentRequired(Price price) {
        return Problem.of(
                ErrorCode.PAYMENT_REQUIRED,
                price.isFree()
                        ? "This call costs nothing; it wants a proof of who asks."
                        : "This call costs " + price.text() + " USD.");
    }

    private static List<byte[]> keys(PaymentAuthorization authorization) {
        return authorization.keys().stream().map(Digests::sha256).toList();
    }

    /** The request and the signed payload: a repeat has both, byte for byte. */
    private static byte[] hash(PaidRequest request, PaymentAuthorization authorization) {
        MessageDigest digest = Digests.sha256();
        String line = request.method() + "\n" + request.path() + "\n" + request.rawQuery() + "\n";
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        digest.update(authorization.payloadDigest());
        return digest.digest(request.body());
    }

    /** The answer with a header field of its payment; one that is not there yet will have it. */
    static Response marked(Response answer, String name, String value) {
        return answer.body() instanceof Response.Body.Deferred(DeferredResponse waiting)
                ? new Response(
                        answer.status(),
                        new Response.Body.Deferred(new MarkedResponse(waiting, name, value)),
                        answer.headers())
                : answer.header(name, value).header("Cache-Control", "no-store, private");
    }
}
