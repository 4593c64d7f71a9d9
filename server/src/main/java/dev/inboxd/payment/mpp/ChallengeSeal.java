package dev.inboxd.payment.mpp;

import dev.inboxd.base.id.Hmac;
import dev.inboxd.base.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes challenges and knows them again without keeping any: the id of a challenge is the HMAC-SHA-256 of its
 * parameters (draft-httpauth-payment-00, Challenge Binding). Safe for use by several threads.
 */
public final class ChallengeSeal {
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE = 16;

    private final List<Hmac> keys;

    /** @param keys secrets of 32 bytes, the same on all nodes: the first makes ids, each of them knows its own */
    public ChallengeSeal(List<byte[]> keys) {
        this.keys = Hmac.of(keys);
    }

    /**
     * A new challenge, which differs from every other.
     *
     * @param realm the host name of the variant, without a port
     * @param expires cut to whole seconds
     * @param digest {@link ContentDigest} of the body; null without a body
     */
    public ChargeChallenge challenge(String realm, ChargeOffer offer, Instant expires, @Nullable String digest) {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        byte[] opaque =
                CanonicalJson.text(Map.of("n", BASE64URL.encodeToString(nonce))).getBytes(StandardCharsets.UTF_8);
        return seal(new ChargeChallenge(
                "",
                realm,
                offer.method(),
                ChargeChallenge.CHARGE,
                offer.request(),
                expires.truncatedTo(ChronoUnit.SECONDS).toString(),
                digest,
                BASE64URL.encodeToString(opaque)));
    }

    ChargeChallenge seal(ChargeChallenge challenge) {
        return challenge.under(id(keys.getFirst(), challenge));
    }

    /** Whether one of the keys made the id for just these parameters; compared in constant time. */
    boolean knows(ChargeChallenge challenge) {
        byte[] id = challenge.id().getBytes(StandardCharsets.UTF_8);
        boolean matches = false;
        for (Hmac key : keys) {
            matches |= MessageDigest.isEqual(id(key, challenge).getBytes(StandardCharsets.UTF_8), id);
        }
        return matches;
    }

    private static String id(Hmac key, ChargeChallenge challenge) {
        return BASE64URL.encodeToString(key.mac(challenge.binding().getBytes(StandardCharsets.UTF_8)));
    }
}
