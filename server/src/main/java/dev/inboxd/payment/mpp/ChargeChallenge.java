package dev.inboxd.payment.mpp;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One challenge: the parameters of {@code WWW-Authenticate: Payment} (payments.md §10), each as it is on the wire.
 *
 * @param id binds the others; see {@link ChallengeSeal}
 * @param realm the host name of the variant, without a port
 * @param method the payment method
 * @param intent what the payment is for; ours are {@value #CHARGE}
 * @param request {@link ChargeOffer#request()}
 * @param expires a time of RFC 3339
 * @param digest {@link ContentDigest} of the body that is paid for; null without a body
 * @param opaque what makes two challenges of one second differ
 */
public record ChargeChallenge(
        String id,
        String realm,
        String method,
        String intent,
        String request,
        @Nullable String expires,
        @Nullable String digest,
        @Nullable String opaque) {
    /** The intent of a single payment (draft-payment-intent-charge-00). */
    public static final String CHARGE = "charge";

    /** The authentication scheme. */
    public static final String SCHEME = "Payment";

    /** The value of one field {@code WWW-Authenticate}. Nothing in ours needs to be escaped. */
    public String field() {
        StringBuilder field = new StringBuilder(SCHEME).append(' ');
        members()
                .forEach((name, value) -> field.append(field.length() > SCHEME.length() + 1 ? ", " : "")
                        .append(name)
                        .append("=\"")
                        .append(value)
                        .append('"'));
        return field.toString();
    }

    /** The parameters that it has, in the order of the wire; as a verifier is asked with them. */
    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", id);
        members.put("realm", realm);
        members.put("method", method);
        members.put("intent", intent);
        members.put("request", request);
        if (expires != null) {
            members.put("expires", expires);
        }
        if (digest != null) {
            members.put("digest", digest);
        }
        if (opaque != null) {
            members.put("opaque", opaque);
        }
        return members;
    }

    /** What the id is the HMAC of: seven slots, of which none of ours has the mark between them. */
    String binding() {
        return String.join("|", realm, method, intent, request, orEmpty(expires), orEmpty(digest), orEmpty(opaque));
    }

    /** The same parameters under an id. */
    ChargeChallenge under(String name) {
        return new ChargeChallenge(name, realm, method, intent, request, expires, digest, opaque);
    }

    /** When it expires; only of one whose id is ours. */
    Instant end() {
        return Instant.parse(orEmpty(expires));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
