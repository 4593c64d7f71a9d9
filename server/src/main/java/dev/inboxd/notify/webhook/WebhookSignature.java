package dev.inboxd.notify.webhook;

import dev.inboxd.base.id.Hmac;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** Signs deliveries with a webhook's secrets: HMAC-SHA-256, Standard Webhooks 1.0.0 (events.md §3). */
public final class WebhookSignature {
    private static final String PREFIX = "whsec_";
    private static final int KEY_BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<Hmac> keys;

    /** Signs with each of these secrets, the newest first. */
    public WebhookSignature(List<String> secrets) {
        keys = secrets.stream()
                .map(secret -> new Hmac(Base64.getDecoder().decode(secret.substring(PREFIX.length()))))
                .toList();
    }

    /**
     * Signs with one secret.
     *
     * @throws RuntimeException when the text is no secret
     */
    public WebhookSignature(String secret) {
        this(List.of(secret));
    }

    /** A new secret in its text form. */
    public static String newSecret() {
        byte[] bytes = new byte[KEY_BYTES];
        RANDOM.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * The value of the signature header: one signature for each secret, of which a receiver needs one.
     *
     * @param id the id of the delivery, the same for every attempt
     * @param second the time of this attempt in seconds since 1970
     * @param content the exact bytes that are posted
     */
    public String of(String id, long second, byte[] content) {
        return keys.stream()
                .map(key -> signed(key, id + "." + second + ".", content))
                .collect(Collectors.joining(" "));
    }

    private static String signed(Hmac key, String before, byte[] content) {
        return "v1," + Base64.getEncoder().encodeToString(key.mac(before.getBytes(StandardCharsets.UTF_8), content));
    }
}
