package dev.inboxd.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The bytes of a message, split at the delimiter lines of the open multiparts (RFC 2046 §5.1.1). As a stream it gives
 * the rest of the current entity and then ends; {@link #nextEntity} continues behind the delimiter.
 *
 * <p>One buffer and one pass, whatever the nesting: a line is compared with all open delimiters at once, by hash. The
 * buffer is always filled as far as the source goes, so the result never depends on how the bytes arrive.
 */
final class MimeInput extends InputStream {
    private static final int BUFFER = 8 * 1024;
    private static final int NONE = -1;
    /** A secret of the process, so that nobody can write boundaries that collide in {@link #hash}. */
    private static final int FACTOR = new SecureRandom().nextInt() | 1;

    private static final int MARK_BITS = 10;

    private final InputStream source;
    private final List<Delimiter> delimiters = new ArrayList<>(4);
    /** Bits of the open delimiters' hashes: most other lines need no comparison with the delimiters themselves. */
    private final BitSet marks = new BitSet(1 << MARK_BITS);

    private byte[] buffer = new byte[BUFFER];
    /**
     * Next byte to return. Bytes up to {@link #safe} are certainly content; bytes up to {@link #scan} have been
     * scanned.
     */
    private int pos;

    private int safe;
    private int scan;
    private int limit;
    /** Octets of the message in front of the buffer. */
    private long before;

    private boolean atLineStart = true;
    private boolean exhausted;
    private boolean ended;
    private int hit = NONE;
    private boolean closing;
    private boolean unclosed;
    private int longest;
    private boolean filled;
    private boolean carriageReturnsOnly;

    MimeInput(InputStream source) {
        this.source = source;
    }

    /** Number of open multiparts. */
    int depth() {
        return delimiters.size();
    }

    /** Octets of the message in front of the next byte to return. */
    long offset() {
        return before + pos;
    }

    /** Whether a multipart ended without its closing delimiter. */
    boolean foundUnclosed() {
        return unclosed;
    }

    /** Whether the message is of an old system, whose lines end with a bare CR; known after the first read. */
    boolean endsLinesWithCr() {
        return carriageReturnsOnly;
    }

    boolean hasOpen(String boundary) {
        var octets = boundary.getBytes(StandardCharsets.ISO_8859_1);
        return delimiters.stream().anyMatch(delimiter -> Arrays.equals(delimiter.boundary, octets));
    }

    /** Opens a multipart: from here on, lines with this boundary (one octet per character) end an entity. */
    void open(String boundary) {
        Delimiter delimiter = new Delimiter(boundary.getBytes(StandardCharsets.ISO_8859_1));
        delimiters.add(delimiter);
        marks.set(bit(delimiter.hash));
        longest = Math.max(longest, boundary.length());
        begin();
    }

    /** Whether a delimiter of the innermost open multipart ended the current entity. */
    boolean endedByInnermost() {
        return ended && hit == delimiters.size() - 1;
    }

    /** Undoes the last {@link #open}, when its delimiter proved absent. */
    void forget() {
        close(delimiters.size() - 1);
    }

    private void close(int from) {
        delimiters.subList(from, delimiters.size()).clear();
        marks.clear();
        delimiters.forEach(delimiter -> marks.set(bit(delimiter.hash)));
    }

    /**
     * Skips the rest of this entity and goes to the next body part; multiparts that end on the way are closed.
     *
     * @return false at the end of the message
     */
    boolean nextEntity() throws IOException {
        while (!delimiters.isEmpty()) {
            while (more()) {
                pos = safe;
            }
            unclosed |= hit < delimiters.size() - 1;
            if (hit == NONE) {
                return false;
            }
            boolean closed = closing;
            close(closed ? hit : hit + 1);
            skipLine();
            begin();
            if (!closed) {
                return true;
            }
        }
        return false;
    }

    private void begin() {
        safe = pos;
        scan = pos;
        atLineStart = true;
        ended = false;
        hit = NONE;
    }

    /** Bytes of the current entity that {@link #at} can read without consuming them. */
    int window() {
        return safe - pos;
    }

    byte at(int offset) {
        return buffer[pos + offset];
    }

    byte[] copy(int length) {
        return Arrays.copyOfRange(buffer, pos, pos + length);
    }

    void consume(int length) {
        pos += length;
    }

    /** Index of the next line feed in the window from this offset, or -1. */
    int lineFeed(int offset) {
        int index = indexOfLineFeed(pos + offset, safe);
        return index < 0 ? index : index - pos;
    }

    /** Extends the window by at least one byte; false at the end of the entity. */
    boolean widen() throws IOException {
        int before = window();
        while (!ended && window() == before) {
            advance();
        }
        return window() > before;
    }

    @Override
    public int read() throws IOException {
        return more() ? buffer[pos++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (!more()) {
            return -1;
        }
        int count = Math.min(length, safe - pos);
        System.arraycopy(buffer, pos, target, offset, count);
        pos += count;
        return count;
    }

    @Override
    public int available() {
        return safe - pos;
    }

    private boolean more() throws IOException {
        return pos < safe || widen();
    }

    /** Scans lines until the buffer ends, a delimiter line is at {@link #scan}, or the source ends. */
    private void advance() throws IOException {
        if (scan == limit || (atLineStart && limit - scan < longest + 6)) {
            fill();
        }
        if (delimiters.isEmpty()) {
            scan = limit;
            safe = limit;
            ended = exhausted && scan == limit;
            return;
        }
        while (scan < limit) {
            if (atLineStart) {
                if (!exhausted && limit - scan < longest + 6) {
                    return;
                }
                if (isDelimiter()) {
                    ended = true;
                    return;
                }
            }
            scanLine();
        }
        if (exhausted) {
            safe = limit;
            ended = true;
        }
    }

    // RFC 2046 §5.1.1: the line break before a delimiter belongs to the delimiter, so it is held back until the next
    // line is known.
    private void scanLine() {
        int lineFeed = indexOfLineFeed(scan, limit);
        atLineStart = lineFeed >= 0;
        scan = atLineStart ? lineFeed + 1 : limit;
        int end = atLineStart ? lineFeed : limit;
        safe = Math.max(safe, end > pos && buffer[end - 1] == '\r' ? end - 1 : end);
    }

    private boolean isDelimiter() {
        if (limit - scan < 3 || buffer[scan] != '-' || buffer[scan + 1] != '-') {
            return false;
        }
        int end = scan + 2;
        int max = Math.min(limit, scan + longest + 6);
        while (end < max && buffer[end] != '\n') {
            end++;
        }
        if (end == max && end < limit && !isSpace(buffer[end])) {
            return false;
        }
        while (end > scan + 2 && isSpace(buffer[end - 1])) {
            end--;
        }
        boolean dashes = end - scan >= 4 && buffer[end - 1] == '-' && buffer[end - 2] == '-';
        hit = find(scan + 2, end);
        closing = false;
        if (hit == NONE && dashes) {
            hit = find(scan + 2, end - 2);
            closing = hit != NONE;
        }
        return hit != NONE;
    }

    private int find(int from, int to) {
        int hash = hash(buffer, from, to);
        for (int i = marks.get(bit(hash)) ? delimiters.size() - 1 : NONE; i >= 0; i--) {
            var delimiter = delimiters.get(i);
            if (delimiter.hash == hash
                    && Arrays.equals(delimiter.boundary, 0, delimiter.boundary.length, buffer, from, to)) {
                return i;
            }
        }
        return NONE;
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = FACTOR * (hash + bytes[i]);
        }
        return hash;
    }

    private static int bit(int hash) {
        return hash >>> (Integer.SIZE - MARK_BITS); // the upper bits of a product are the well-mixed ones
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    private void skipLine() throws IOException {
        pos = scan;
        while (true) {
            int lineFeed = indexOfLineFeed(pos, limit);
            if (lineFeed >= 0) {
                pos = lineFeed + 1;
                return;
            }
            pos = limit;
            scan = limit;
            safe = limit;
            fill();
            if (pos == limit) {
                return;
            }
        }
    }

    private int indexOfLineFeed(int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void fill() throws IOException {
        if (exhausted) {
            return;
        }
        if (pos > 0) {
            System.arraycopy(buffer, pos, buffer, 0, limit - pos);
            before += pos;
            limit -= pos;
            scan -= pos;
            safe -= pos;
            pos = 0;
        } else if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * limit);
        }
        int from = limit;
        limit += source.readNBytes(buffer, limit, buffer.length - limit);
        exhausted = limit < buffer.length;
        convertLineEnds(from);
    }

    /** Converts bare CR line ends of old systems; the first line decides for the whole message. */
    private void convertLineEnds(int from) {
        if (!filled) {
            filled = true;
            int first = 0;
            while (first < limit && buffer[first] != '\n' && buffer[first] != '\r') {
                first++;
            }
            carriageReturnsOnly = first + 1 < limit && buffer[first] == '\r' && buffer[first + 1] != '\n';
        }
        for (int i = from; carriageReturnsOnly && i < limit; i++) {
            if (buffer[i] == '\r') {
                buffer[i] = '\n';
            }
        }
    }

    private static final class Delimiter {
        private final byte[] boundary;
        private final int hash;

        Delimiter(byte[] boundary) {
            this.boundary = boundary;
            hash = MimeInput.hash(boundary, 0, boundary.length);
        }
    }
}
