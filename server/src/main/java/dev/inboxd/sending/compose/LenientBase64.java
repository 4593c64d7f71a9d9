package dev.inboxd.sending.compose;

import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Decodes base64 as clients write it: both alphabets of RFC 4648, with or without padding, with or without line breaks.
 */
final class LenientBase64 {
    private LenientBase64() {}

    /** The decoded bytes, or null when the text is not base64. */
    static byte @Nullable [] decode(String text) {
        byte[] clean = new byte[text.length()];
        int size = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return null;
            }
            if (c != '\r' && c != '\n') {
                clean[size++] = (byte) (c == '-' ? '+' : c == '_' ? '/' : c);
            }
        }
        while (size > 0 && clean[size - 1] == '=') {
            size--;
        }
        try {
            return Base64.getDecoder().decode(size == clean.length ? clean : Arrays.copyOf(clean, size));
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
