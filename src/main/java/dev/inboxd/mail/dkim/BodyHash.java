package dev.inboxd.mail.dkim;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Hashes a body in one of its signed forms (RFC 6376 §3.4.3 and §3.4.4) as it comes along. */
final class BodyHash {
    /** The limit of who signs the whole body. */
    static final long WHOLE = Long.MAX_VALUE;

    private final boolean relaxed;
    private final MessageDigest sha256;
    private final TreeSet<Long> limits = new TreeSet<>();
    private final Map<Long, byte[]> hashes = new HashMap<>();
    private final byte[] buffer = new byte[8_192];
    private int buffered;
    private long length;
    private int lineEnds;
    private boolean space;
    private boolean carriageReturn;
    private boolean ended;

    BodyHash(Canonicalization form) {
        relaxed = form == Canonicalization.RELAXED;
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }

    /** Notes that the hash over so many octets will be asked for; before any octet comes. */
    void limit(long octets) {
        limits.add(octets);
    }

    void update(byte[] octets, int offset, int count) {
        int at = offset;
        int end = offset + count;
        while (at < end) {
            int plain = plainEnd(octets, at, end);
            if (plain > at) {
                beforeContent();
                emit(octets, at, plain);
                at = plain;
            } else {
                special(octets[at++]);
            }
        }
    }

    /** Where a run of octets ends that mean nothing but themselves. */
    private int plainEnd(byte[] octets, int from, int to) {
        if (carriageReturn && octets[from] == '\n') {
            return from;
        }
        int i = from;
        while (i < to && octets[i] != '\r' && !(relaxed && (octets[i] == ' ' || octets[i] == '\t'))) {
            i++;
        }
        return i;
    }

    private void special(byte octet) {
        if (octet == '\n') {
            carriageReturn = false;
            space = false; // white space at the end of a line does not count
            lineEnds++;
        } else if (octet == '\r') {
            bareCarriageReturn();
            carriageReturn = true;
        } else {
            bareCarriageReturn();
            space = true;
        }
    }

    /** A CR that no LF followed is content. */
    private void bareCarriageReturn() {
        if (carriageReturn) {
            carriageReturn = false;
            flushPending();
            emit('\r');
        }
    }

    private void beforeContent() {
        bareCarriageReturn();
        flushPending();
    }

    /** What counts brings along the line ends and the space before it. */
    private void flushPending() {
        for (; lineEnds > 0; lineEnds--) {
            emit('\r');
            emit('\n');
        }
        if (space) {
            emit(' ');
            space = false;
        }
    }

    /**
     * The hash over so many octets of the form; empty lines at the end do not count, and a last line gets its end. To be
     * asked when the body is through.
     *
     * @return null when the form has fewer
     */
    byte @Nullable [] hash(long limit) {
        end();
        return limit == WHOLE ? cloned() : hashes.get(limit);
    }

    /** The hash over the whole form. */
    byte[] whole() {
        end();
        return cloned();
    }

    /** How many octets the form has. */
    long length() {
        end();
        return length;
    }

    private void end() {
        if (ended) {
            return;
        }
        ended = true;
        space = space && carriageReturn;
        bareCarriageReturn();
        // An empty body is a line end in its simple form, and nothing in its relaxed one.
        if (length > 0 || buffered > 0 || !relaxed) {
            emit('\r');
            emit('\n');
        }
        flush();
    }

    private void emit(int octet) {
        if (buffered == buffer.length) {
            flush();
        }
        buffer[buffered++] = (byte) octet;
    }

    private void emit(byte[] octets, int from, int to) {
        if (to - from > buffer.length - buffered) {
            flush();
        }
        if (to - from > buffer.length) {
            digest(octets, from, to);
            return;
        }
        System.arraycopy(octets, from, buffer, buffered, to - from);
        buffered += to - from;
    }

    private void flush() {
        digest(buffer, 0, buffered);
        buffered = 0;
    }

    /** Digests octets, and keeps the hash at each limit they reach. */
    private void digest(byte[] octets, int from, int to) {
        int at = from;
        for (Long next = limits.ceiling(length); next != null && next - length <= to - at; next = limits.higher(next)) {
            int part = (int) (next - length);
            sha256.update(octets, at, part);
            length += part;
            at += part;
            hashes.put(next, cloned());
        }
        sha256.update(octets, at, to - at);
        length += to - at;
    }

    private byte[] cloned() {
        try {
            return ((MessageDigest) sha256.clone()).digest();
        } catch (CloneNotSupportedException everyJavaCanCloneIt) {
            throw new AssertionError(everyJavaCanCloneIt);
        }
    }
}
