package dev.inboxd.payment.gate;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.PaidRequest;
import dev.inboxd.payment.authorization.PaymentAuthorization;
import dev.inboxd.payment.facilitator.PaymentJudge;
import dev.inboxd.payment.facilitator.PaymentJudges;
import dev.inboxd.payment.facilitator.PaymentQuestion;
import dev.inboxd.payment.offer.ExactOffer;
import dev.inboxd.payment.offer.Price;
import dev.inboxd.payment.x402.ExactChallenge;
import dev.inboxd.payment.x402.ExactPayment;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What x402 offers for each call, and who judges what is paid for it (payments.md §2, §6). */
public final class ExactOffers {
    /** Clients connect their sockets again with the proof that they have (payments.md §9). */
    private static final int SOCKET_SECONDS = 3_600;

    private final InstantSource clock;
    private final Host host;
    private final Supplier<List<ExactOffer>> offers;
    private final PaymentJudges judges;

    /**
     * Offers at a host.
     *
     * @param offers those of now
     */
    public ExactOffers(InstantSource clock, Host host, Supplier<List<ExactOffer>> offers, PaymentJudges judges) {
        this.clock = clock;
        this.host = host;
        this.offers = offers;
        this.judges = judges;
    }

    /**
     * A host where calls are paid for.
     *
     * @param base its base address
     * @param words what each route does, by {@code POST /v0/inboxes}
     */
    public record Host(String base, Map<String, String> words) {}

    /** What a call wants now. */
    ExactChallenge challenge(PaidRequest request, Price price) {
        boolean isSocket = isSocket(request.template());
        List<Map<String, Object>> accepts = new ArrayList<>();
        for (ExactOffer offer : offers.get()) {
            Map<String, Object> extras = judges.supported().extra(offer.network());
            if (!offer.lacks(extras)) {
                accepts.add(offer.accepted(price, extras, isSocket ? SOCKET_SECONDS : offer.maxTimeoutSeconds()));
            }
        }
        String route = request.method() + " " + request.template();
        return new ExactChallenge(host.base + request.path(), host.words.getOrDefault(route, route), accepts);
    }

    /** The payments in a request: in its header or, for a socket, in its query, which browsers can set. */
    List<String> payments(PaidRequest request) {
        List<String> fields = request.fields(ExactPayment.HEADER);
        return fields.isEmpty() && isSocket(request.template())
                ? inQuery(request.rawQuery(), ExactPayment.HEADER)
                : fields;
    }

    /** The values of a parameter of a query, whatever the case of its name; a plus sign is one of base64. */
    static List<String> inQuery(@Nullable String query, String name) {
        List<String> values = new ArrayList<>();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).equalsIgnoreCase(name)) {
                values.add(decoded(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    /** What is not percent-encoded as it should be stays, and is refused for its form. */
    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return value;
        }
    }

    /** Whether a route opens sockets. */
    public static boolean isSocket(String template) {
        return template.equals("/v0");
    }

    PaymentQuestion question(UUID id, ExactPayment payment, ExactChallenge challenge) {
        return PaymentQuestion.exact(
                id.toString(), payment.paymentPayload(), Objects.requireNonNull(payment.offer(challenge.accepts())));
    }

    PaymentJudge judge(Price price) {
        return judges.facilitator(price.isFree())
                .orElseThrow(() -> Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "There is no facilitator"));
    }

    /** When an authorization can no longer be executed: what it says itself, else the time of the offer. */
    Instant end(PaymentAuthorization authorization, ExactChallenge challenge) {
        int longest = challenge.accepts().stream()
                .map(offer -> offer.get("maxTimeoutSeconds"))
                .filter(Number.class::isInstance)
                .mapToInt(seconds -> ((Number) seconds).intValue())
                .max()
                .orElse(SOCKET_SECONDS);
        return Objects.requireNonNullElseGet(
                authorization.end(), () -> clock.instant().plusSeconds(longest));
    }
}
