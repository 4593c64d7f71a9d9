package dev.inboxd.mail.smtp;

/**
 * Finds bare CR and LF in data whose end is known by its length (RFC 3030). Without BINARYMIME such data consists of
 * lines ended by CRLF all the same, and a bare CR or LF could end a line, or the data, for the next reader of the
 * message. Accepts blocks of any length.
 */
public final class LineCheck {
    private boolean afterCr;
    private DotReader.State state = DotReader.State.OPEN;

    /** Checks the octets from {@code from} to before {@code to}. */
    public void scan(byte[] buffer, int from, int to) {
        for (int i = from; i < to && state == DotReader.State.OPEN; i++) {
            byte octet = buffer[i];
            if ((octet == '\n') != afterCr) {
                state = afterCr ? DotReader.State.BARE_CR : DotReader.State.BARE_LF;
            }
            afterCr = octet == '\r';
        }
    }

    /** The result so far: {@code OPEN} when there is no fault. */
    public DotReader.State state() {
        return state;
    }

    /** The result at the end of the data: {@code END} when there is no fault. */
    public DotReader.State end() {
        if (state != DotReader.State.OPEN) {
            return state;
        }
        return afterCr ? DotReader.State.BARE_CR : DotReader.State.END;
    }
}
