package dev.inboxd.base.http;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** Ids of requests: {@code req_} and a ULID, 48 bits of time and 80 random bits in Crockford's base 32. */
final class RequestId {
    private static final byte[] ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".getBytes(StandardCharsets.US_ASCII);

    private RequestId() {}

    /** A new id. It guards nothing, so the random bits need not be secret. */
    static String next(long millis) {
        byte[] text = new byte[30];
        text[0] = 'r';
        text[1] = 'e';
        text[2] = 'q';
        text[3] = '_';
        ThreadLocalRandom random = ThreadLocalRandom.current();
        spell(text, 4, 10, millis);
        spell(text, 14, 8, random.nextLong());
        spell(text, 22, 8, random.nextLong());
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static void spell(byte[] text, int from, int count, long number) {
        long remainder = number;
        for (int i = from + count - 1; i >= from; i--) {
            text[i] = ALPHABET[(int) (remainder & 31)];
            remainder >>>= 5;
        }
    }
}
