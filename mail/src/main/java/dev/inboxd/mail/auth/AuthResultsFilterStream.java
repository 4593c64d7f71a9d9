package dev.inboxd.mail.auth;

import dev.inboxd.mail.io.BulkReadStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Removes the Authentication-Results fields that claim to be of this server (RFC 8601 §5), anywhere in the header of a
 * message, of any length. It processes one field at a time, and never holds a whole long one.
 */
public final class AuthResultsFilterStream extends BulkReadStream {
    /** A longer field is kept as it is: real results take some hundred octets. */
    static final int LONGEST_FIELD = 64 * 1024;

    private static final int PIECE = 8 * 1024;
    private static final byte[] NAME = AuthenticationResults.NAME.getBytes(StandardCharsets.US_ASCII);

    private final InputStream message;
    private final String authservId;
    private final int longest;
    private final byte[] piece = new byte[PIECE];
    private int at;
    private int end;
    private byte[] field = new byte[PIECE]; // one field, or some octets of a long one
    private byte last; // the last octet of the field, which may have been passed on already
    private int fieldPosition;
    private int held;
    private Continuation continuation = Continuation.NOTHING;

    /** What the octets behind those in the buffer belong to. */
    private enum Continuation {
        /** A new field. */
        NOTHING,
        /** A long field that is kept. */
        PASSED,
        /** A long field that is removed. */
        LEFT_OUT,
        /** The body. */
        BODY
    }

    /**
     * Filters a message.
     *
     * @param message from its first field on, lines ended by CR LF; closed with this stream
     * @param authservId this server's name
     */
    public AuthResultsFilterStream(InputStream message, String authservId) {
        this(message, authservId, LONGEST_FIELD);
    }

    /** @param longest octets of a field that are held at once, for tests of longer ones */
    AuthResultsFilterStream(InputStream message, String authservId, int longest) {
        this.message = message;
        this.authservId = authservId;
        this.longest = longest;
    }

    @Override
    public int read(byte[] octets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, octets.length);
        while (fieldPosition == held && continuation != Continuation.BODY && peek() >= 0) {
            readField();
        }
        if (length == 0) {
            return 0;
        }
        if (fieldPosition < held) {
            int count = Math.min(length, held - fieldPosition);
            System.arraycopy(field, fieldPosition, octets, offset, count);
            fieldPosition += count;
            return count;
        }
        if (at < end) {
            int count = Math.min(length, end - at);
            System.arraycopy(piece, at, octets, offset, count);
            at += count;
            return count;
        }
        return message.read(octets, offset, length);
    }

    @Override
    public void close() throws IOException {
        message.close();
    }

    /** Reads the next field, or as much of it as is held at once, and passes it on or drops it. */
    private void readField() throws IOException {
        boolean ended = take();
        boolean left = switch (continuation) {
            case LEFT_OUT -> true;
            case PASSED, BODY -> false;
            case NOTHING -> isResults() && (!ended || AuthResultsParser.claims(value(), authservId));
        };
        boolean empty = continuation == Continuation.NOTHING && held == 2 && field[0] == '\r' && field[1] == '\n';
        continuation = empty
                ? Continuation.BODY
                : ended ? Continuation.NOTHING : left ? Continuation.LEFT_OUT : Continuation.PASSED;
        held = left ? 0 : held;
    }

    /**
     * Reads to the end of the field: a line end that no white space follows, or the end of the stream.
     *
     * @return whether the end of the field was reached
     */
    private boolean take() throws IOException {
        fieldPosition = 0;
        held = 0;
        last = continuation == Continuation.NOTHING ? 0 : last;
        while (held < longest) {
            int octet = peek();
            if (octet < 0) {
                return true;
            }
            at++;
            if (held == field.length) {
                field = Arrays.copyOf(field, 2 * held);
            }
            field[held++] = (byte) octet;
            if (octet == '\n' && last == '\r' && (isEmptyLine() || !isSpace(peek()))) {
                return true;
            }
            last = (byte) octet;
        }
        return false;
    }

    /** Whether the line is empty, which ends the header, whatever the body begins with. */
    private boolean isEmptyLine() {
        return continuation == Continuation.NOTHING && held == 2;
    }

    /**
     * Whether the field is Authentication-Results, its name read as {@code HeaderFields} reads it: with white space
     * around it, in any case.
     */
    private boolean isResults() {
        int from = 0;
        while (from < held && isBlank(field[from])) {
            from++;
        }
        for (int i = 0; i < NAME.length; i++) {
            if (from + i >= held || lower(field[from + i]) != lower(NAME[i])) {
                return false;
            }
        }
        int colon = from + NAME.length;
        while (colon < held && isBlank(field[colon])) {
            colon++;
        }
        return colon == held || field[colon] == ':';
    }

    private String value() {
        String fieldText = new String(field, 0, held, StandardCharsets.ISO_8859_1);
        return fieldText.substring(fieldText.indexOf(':') + 1);
    }

    /** The next octet, which is not consumed; -1 at the end. */
    private int peek() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, message.read(piece, 0, PIECE));
        }
        return at < end ? piece[at] & 0xFF : -1;
    }

    private static boolean isSpace(int octet) {
        return octet == ' ' || octet == '\t';
    }

    private static boolean isBlank(byte octet) {
        return octet >= 0 && octet <= ' ';
    }

    private static int lower(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? octet + 32 : octet;
    }
}
