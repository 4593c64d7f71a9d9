package dev.inboxd.sending;

import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Base64 as callers write it: both alphabets of RFC 4648, with or without padding, in lines or not. */
final class LenientBase64 {
    private LenientBase64() {}

    /** The bytes, or null when it is no base64. */
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
