package dev.inboxd.base.id;

import java.security.SecureRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * UUID version 7 (RFC 9562 §5.7): a millisecond timestamp comes first, so that new rows go to the end of their index.
 */
public final class Uuid7 {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Uuid7() {}

    /**
     * A new identifier.
     *
     * @param millis its timestamp, milliseconds since 1970
     */
    public static UUID at(long millis) {
        byte[] random = new byte[10];
        RANDOM.nextBytes(random);
        long high = millis << 16 | 0x7000 | (random[0] & 0x0F) << 8 | (random[1] & 0xFF);
        long low = 0;
        for (int i = 2; i < 10; i++) {
            low = low << 8 | (random[i] & 0xFF);
        }
        return new UUID(high, (low & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
    }

    /** A new identifier with the current time. */
    public static UUID next() {
        return at(System.currentTimeMillis());
    }

    /** Parses the canonical form, or returns null; never throws on hostile text. */
    public static @Nullable UUID parse(String text) {
        if (text.length() != 36) {
            return null;
        }
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
