package dev.inboxd.mail.dkim;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes a body in its relaxed form (RFC 6376 §3.4.4) as it comes along. */
final class RelaxedBody {
    private final MessageDigest sha256;
    private final byte[] buffer = new byte[8_192];
    private int buffered;
    private int lineEnds;
    private boolean space;
    private boolean carriageReturn;
    private boolean empty = true;

    RelaxedBody() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }

    void update(byte[] octets, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            update(octets[i]);
        }
    }

    private void update(byte octet) {
        if (carriageReturn) {
            carriageReturn = false;
            if (octet == '\n') {
                lineEnds++;
                space = false; // white space at the end of a line does not count
                return;
            }
            content((byte) '\r');
        }
        switch (octet) {
            case '\r' -> carriageReturn = true;
            case ' ', '\t' -> space = true;
            default -> content(octet);
        }
    }

    /** An octet that counts brings along the line ends and the space before it. */
    private void content(byte octet) {
        for (; lineEnds > 0; lineEnds--) {
            emitLineEnd();
        }
        if (space) {
            emit((byte) ' ');
            space = false;
        }
        emit(octet);
        empty = false;
    }

    /** The hash of the whole; empty lines at the end do not count, and a last line gets its end. */
    byte[] hash() {
        if (carriageReturn) {
            content((byte) '\r');
        }
        if (!empty) {
            emitLineEnd();
        }
        flush();
        return sha256.digest();
    }

    private void emitLineEnd() {
        emit((byte) '\r');
        emit((byte) '\n');
    }

    private void emit(byte octet) {
        if (buffered == buffer.length) {
            flush();
        }
        buffer[buffered++] = octet;
    }

    private void flush() {
        sha256.update(buffer, 0, buffered);
        buffered = 0;
    }
}
