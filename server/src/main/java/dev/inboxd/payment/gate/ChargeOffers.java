package dev.inboxd.payment.gate;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.PaidRequest;
import dev.inboxd.payment.authorization.PaymentAuthorization;
import dev.inboxd.payment.facilitator.PaymentJudge;
import dev.inboxd.payment.facilitator.PaymentJudges;
import dev.inboxd.payment.facilitator.PaymentQuestion;
import dev.inboxd.payment.mpp.AcceptPayment;
import dev.inboxd.payment.mpp.ChallengeSeal;
import dev.inboxd.payment.mpp.ChargeChallenge;
import dev.inboxd.payment.mpp.ChargeCheck;
import dev.inboxd.payment.mpp.ChargeCredential;
import dev.inboxd.payment.mpp.ChargeOffer;
import dev.inboxd.payment.mpp.ContentDigest;
import dev.inboxd.payment.offer.ChargeMethod;
import dev.inboxd.payment.offer.Price;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What MPP offers for each call, and who judges what is paid for it (payments.md §10). */
public final class ChargeOffers {
    private static final Duration VALID = Duration.ofMinutes(5);
    /** Clients connect their sockets again with the proof that they have (payments.md §9). */
    private static final Duration SOCKET = Duration.ofHours(1);

    private final InstantSource clock;
    private final Realm realm;
    private final Supplier<List<ChargeMethod>> methods;
    private final PaymentJudges judges;

    /**
     * Where challenges are made.
     *
     * @param name the host name of the variant, without a port
     * @param seal makes and knows their ids
     */
    public record Realm(String name, ChallengeSeal seal) {}

    /** @param methods those of now */
    public ChargeOffers(InstantSource clock, Realm realm, Supplier<List<ChargeMethod>> methods, PaymentJudges judges) {
        this.clock = clock;
        this.realm = realm;
        this.methods = methods;
        this.judges = judges;
    }

    ChargeCheck check() {
        return new ChargeCheck(realm.seal, realm.name);
    }

    /** A fresh challenge of each method, those first that the client prefers. */
    List<ChargeChallenge> challenges(PaidRequest request, Price price) {
        Instant expires = clock.instant().plus(ExactOffers.isSocket(request.template()) ? SOCKET : VALID);
        String digest = digest(request);
        return AcceptPayment.read(request.fields(AcceptPayment.HEADER)).ordered(offers(price)).stream()
                .map(offer -> realm.seal.challenge(realm.name, offer, expires, digest))
                .toList();
    }

    /** What a call wants now. */
    ChargeCheck.Call call(PaidRequest request, Price price) {
        return new ChargeCheck.Call(offers(price), digest(request));
    }

    private List<ChargeOffer> offers(Price price) {
        return methods.get().stream()
                .map(method -> new ChargeOffer(
                        method.method(), method.amount(price), method.currency(), method.recipient(), method.details()))
                .toList();
    }

    private static @Nullable String digest(PaidRequest request) {
        return ContentDigest.of(request.body());
    }

    /** The credentials in a request: in its header or, for a socket, in its query. */
    List<String> credentials(PaidRequest request) {
        List<String> fields = request.fields(ChargeCredential.HEADER);
        return fields.isEmpty() && ExactOffers.isSocket(request.template())
                ? ExactOffers.inQuery(request.rawQuery(), ChargeCredential.HEADER)
                : fields;
    }

    private ChargeMethod method(ChargeCredential credential) {
        String name = credential.challenge().method();
        return methods.get().stream()
                .filter(method -> method.method().equals(name))
                .findFirst()
                .orElseThrow();
    }

    PaymentJudge judge(ChargeCredential credential, Price price) {
        return judges.of(method(credential), price.isFree())
                .orElseThrow(() -> Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Nobody judges payments of this method"));
    }

    PaymentQuestion question(UUID id, ChargeCredential credential, Price price) {
        ChargeMethod method = method(credential);
        if (method.verifier() instanceof ChargeMethod.Verifier.Facilitator) {
            return PaymentQuestion.exactOfCharge(
                    id.toString(), credential.exactPayload(), method.asExact().accepted(price, Map.of()));
        }
        Map<String, @Nullable Object> sent = new LinkedHashMap<>();
        sent.put("challenge", credential.challenge().members());
        sent.put("payload", credential.payload());
        if (credential.source() != null) {
            sent.put("source", credential.source());
        }
        return PaymentQuestion.charge(id.toString(), credential.challenge().id(), sent, method.amount(price));
    }

    /** When a challenge and what was signed for it have expired; nothing that answers it is executed later. */
    Instant end(ChargeCredential credential, PaymentAuthorization authorization) {
        String text = credential.challenge().expires();
        Instant expires = text == null ? clock.instant().plus(VALID) : Instant.parse(text);
        Instant signed = authorization.end();
        return signed == null || signed.isBefore(expires) ? expires : signed;
    }
}
