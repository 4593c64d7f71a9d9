package dev.inboxd.mail.smtp;

/**
 * Looks for line ends that are none, in data whose end is known by its length (RFC 3030). Without BINARYMIME it is
 * lines ended by CRLF all the same, and a bare CR or LF would end a line, or the data, for whoever reads the message
 * next. May be fed in pieces of any length.
 */
public final class LineCheck {
    private boolean afterCr;
    private DotReader.State state = DotReader.State.OPEN;

    /** Looks at the octets from {@code from} to before {@code to}. */
    public void scan(byte[] buffer, int from, int to) {
        for (int i = from; i < to && state == DotReader.State.OPEN; i++) {
            byte octet = buffer[i];
            if ((octet == '\n') != afterCr) {
                state = afterCr ? DotReader.State.BARE_CR : DotReader.State.BARE_LF;
            }
            afterCr = octet == '\r';
        }
    }

    /** What was found so far: {@code OPEN} when nothing. */
    public DotReader.State state() {
        return state;
    }

    /** What was found when the data is over: {@code END} when all is well. */
    public DotReader.State end() {
        if (state != DotReader.State.OPEN) {
            return state;
        }
        return afterCr ? DotReader.State.BARE_CR : DotReader.State.END;
    }
}
