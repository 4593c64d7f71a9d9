package dev.inboxd.base.id;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tokens for URLs that say something and cannot be forged: base64url (RFC 4648 §5) of some octets and of the first 16
 * of an HMAC-SHA-256 over them. What they say is signed, and not secret.
 */
public final class SignedTokens {
    private static final int TAG = 16;

    private final List<Hmac> keys;

    /** @param keys secrets of at least 32 octets, the same on all nodes: the first signs, each of them verifies */
    public SignedTokens(List<byte[]> keys) {
        this.keys = Hmac.of(keys);
    }

    /** The token that says this. */
    public String token(byte[] content) {
        byte[] token = Arrays.copyOf(content, content.length + TAG);
        System.arraycopy(keys.getFirst().tag(content, TAG), 0, token, content.length, TAG);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** What a token says, of any length; null when none of the keys signed it. */
    public byte @Nullable [] open(String token) {
        byte[] octets;
        try {
            octets = Base64.getUrlDecoder().decode(token.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException malformed) {
            return null;
        }
        if (octets.length < TAG) {
            return null;
        }
        byte[] content = Arrays.copyOf(octets, octets.length - TAG);
        byte[] tag = Arrays.copyOfRange(octets, content.length, octets.length);
        return keys.stream().anyMatch(key -> key.verifies(content, tag)) ? content : null;
    }
}
