package dev.inboxd.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs deliveries with a webhook's secret: HMAC-SHA-256, Standard Webhooks 1.0.0 (contract: events.md §3). */
final class Signature {
    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    Signature(String secret) {
        key = new SecretKeySpec(Base64.getDecoder().decode(secret.substring(PREFIX.length())), ALGORITHM);
    }

    /** A new secret in its text form. */
    static String newSecret() {
        byte[] bytes = new byte[KEY_BYTES];
        RANDOM.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * The value of the signature header.
     *
     * @param id of the delivery, constant over retries
     * @param second of this attempt, since 1970
     * @param content the exact bytes that are posted
     */
    String of(String id, long second, byte[] content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update((id + "." + second + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(content));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
