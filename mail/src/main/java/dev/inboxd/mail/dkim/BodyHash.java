package dev.inboxd.mail.dkim;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Computes the hash of a body in one of its canonical forms (RFC 6376 §3.4.3 and §3.4.4) while the body is read. */
final class BodyHash {
    /** The limit of a signature over the whole body. */
    static final long NO_LIMIT = Long.MAX_VALUE;

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

    /** Requests the hash over this many octets; call it before the first octet. */
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

    /** The end of a run of octets that canonicalization does not change. */
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
            space = false; // white space at the end of a line is dropped
            lineEnds++;
        } else if (octet == '\r') {
            bareCarriageReturn();
            carriageReturn = true;
        } else {
            bareCarriageReturn();
            space = true;
        }
    }

    /** A CR without LF is content. */
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

    /** Emits the pending line ends and the pending space, because content follows them. */
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
     * The hash over this many octets of the canonical form. Empty lines at the end are dropped, and a last line gets
     * its line end. Call it after the end of the body.
     *
     * @return null when the form is shorter
     */
    byte @Nullable [] hash(long limit) {
        end();
        return limit == NO_LIMIT ? cloned() : hashes.get(limit);
    }

    /** The hash over the whole canonical form. */
    byte[] fullHash() {
        end();
        return cloned();
    }

    /** Length of the canonical form in octets. */
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
        // The canonical form of an empty body is one line end when simple, and empty when relaxed.
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

    /** Digests octets, and stores the hash at each limit they reach. */
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
