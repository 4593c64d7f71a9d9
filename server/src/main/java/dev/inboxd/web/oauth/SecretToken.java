package dev.inboxd.web.oauth;

import dev.inboxd.base.id.Digests;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Random texts that prove something to those who hold them: links, codes, cookies. Only their digests are stored. */
public final class SecretToken {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;
    /** The largest number of characters of a token that is looked up. */
    public static final int LONGEST = 128;

    private SecretToken() {}

    /** 256 bits in base64url: 43 characters. */
    public static String next() {
        return next(BYTES);
    }

    /** As many random bytes in base64url. */
    public static String next(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** The digest of a token as it is stored. */
    public static byte[] digest(String token) {
        return Digests.sha256(token);
    }

    /** Whether this is the token of a digest; compares in constant time. */
    public static boolean matches(byte @Nullable [] digest, @Nullable String token) {
        return digest != null
                && token != null
                && token.length() <= LONGEST
                && MessageDigest.isEqual(digest, digest(token));
    }
}
