package dev.inboxd.mailbox.content;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.inboxd.base.id.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of base64 in a raw message (RFC 2045 §6.8): lines of one length with CRLF between them, the last perhaps
 * shorter, that give the same octets after decoding and encoding.
 *
 * @param position offset of its first octet
 * @param length its octets, without the line end after it
 * @param line characters of a line
 * @param size octets after decoding
 * @param sha256 digest of the decoded octets
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Base64Stretch(long position, long length, int line, long size, byte[] sha256) {
    /** Shorter stretches stay in the message. */
    static final long LEAST = 64 * 1024;

    private static final int MOST = 100;
    private static final int SHORTEST_LINE = 40;
    private static final int LONGEST_LINE = 998;

    /** The stretches of a message, in their order. The stream is read to its end and not closed. */
    static List<Base64Stretch> of(InputStream message) throws IOException {
        Search search = new Search();
        byte[] line = new byte[LONGEST_LINE + 2];
        byte[] chunk = new byte[16 * 1024];
        long start = 0;
        long position = 0;
        int size = 0;
        for (int count = message.read(chunk); count >= 0; count = message.read(chunk)) {
            for (int i = 0; i < count; i++, position++) {
                if (size < line.length) {
                    line[size++] = chunk[i];
                }
                if (chunk[i] == '\n') {
                    boolean isFullLine = position + 1 - start == size && size >= 2 && line[size - 2] == '\r';
                    search.line(start, line, isFullLine ? size - 2 : -1);
                    start = position + 1;
                    size = 0;
                }
            }
        }
        search.end();
        return search.stretches;
    }

    /** One pass over the lines. */
    private static final class Search {
        private static final boolean[] DIGITS = new boolean[256];

        static {
            for (byte digit : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".getBytes(US_ASCII)) {
                DIGITS[digit] = true;
            }
        }

        private final List<Base64Stretch> stretches = new ArrayList<>();
        /** Lines of the stretch that are still to be decoded: decoding many at once is faster. */
        private final byte[] pending = new byte[16 * 1024];

        private int waiting;
        private @Nullable MessageDigest digest;
        private long position;
        private long end;
        private int length;
        private long decoded;

        /** Takes a line; a negative size marks a line that cannot belong to a stretch. */
        void line(long start, byte[] line, int size) {
            MessageDigest running = digest;
            if (running != null && size == length && isFull(line, size)) {
                add(running, start, line, size);
                return;
            }
            if (running != null && size > 0 && size <= length && isLast(line, size)) {
                add(running, start, line, size);
                end();
                return;
            }
            end();
            if (size >= SHORTEST_LINE && size % 4 == 0 && stretches.size() < MOST && isFull(line, size)) {
                MessageDigest begun = Digests.sha256();
                digest = begun;
                position = start;
                length = size;
                decoded = 0;
                add(begun, start, line, size);
            }
        }

        /** Ends the stretch, which is dropped when it is too short. */
        void end() {
            MessageDigest finished = digest;
            if (finished != null) {
                decode(finished);
                if (decoded >= LEAST) {
                    stretches.add(new Base64Stretch(position, end - position, length, decoded, finished.digest()));
                }
                digest = null;
            }
        }

        private void add(MessageDigest into, long start, byte[] line, int size) {
            if (waiting + size > pending.length) {
                decode(into);
            }
            System.arraycopy(line, 0, pending, waiting, size);
            waiting += size;
            end = start + size;
        }

        private void decode(MessageDigest into) {
            byte[] octets = Base64.getDecoder().decode(Arrays.copyOf(pending, waiting));
            into.update(octets);
            decoded += octets.length;
            waiting = 0;
        }

        private static boolean isFull(byte[] line, int size) {
            for (int i = 0; i < size; i++) {
                if (!DIGITS[line[i] & 0xFF]) {
                    return false;
                }
            }
            return true;
        }

        /**
         * The last line. Padding bits that are not zero, or misplaced padding, would not be encoded to the same octets.
         */
        private static boolean isLast(byte[] line, int size) {
            byte[] last = Arrays.copyOf(line, size);
            try {
                return size % 4 == 0
                        && Arrays.equals(
                                Base64.getEncoder().encode(Base64.getDecoder().decode(last)), last);
            } catch (IllegalArgumentException malformed) {
                return false;
            }
        }
    }
}
