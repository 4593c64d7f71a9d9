package dev.inboxd.mail.smtp;

/**
 * Finds the end of mail data and removes dot-stuffing, RFC 5321 §4.1.1.4 and §4.5.2.
 *
 * <p>Only {@code CRLF . CRLF} ends the data. A CR without LF or an LF without CR, which other servers may read as the
 * end of a line and so as the end of the data, stops the reader for good: RFC 5321 §2.3.8 allows neither. Every other
 * octet is data, NUL included. One reader serves one message and accepts blocks of any length.
 */
public final class DotReader {
    /** State of the reader. */
    public enum State {
        /** More data is needed. */
        OPEN,
        /** The end of data has been read. */
        END,
        /** A CR was not followed by LF. */
        BARE_CR,
        /** An LF did not follow a CR. */
        BARE_LF
    }

    /** Receives the data. */
    @FunctionalInterface
    public interface Content {
        /** Receives the octets from {@code from} to before {@code to}; the buffer is reused afterwards. */
        void take(byte[] buffer, int from, int to);
    }

    private enum At {
        LINE_START,
        TEXT,
        CR,
        DOT,
        DOT_CR,
        END,
        BARE_CR,
        BARE_LF
    }

    private static final byte CR = '\r';
    private static final byte LF = '\n';

    private At at = At.LINE_START;

    /** The state of the reader. */
    public State state() {
        return switch (at) {
            case LINE_START, TEXT, CR, DOT, DOT_CR -> State.OPEN;
            case END -> State.END;
            case BARE_CR -> State.BARE_CR;
            case BARE_LF -> State.BARE_LF;
        };
    }

    /**
     * Reads a block.
     *
     * @param buffer octets of the client
     * @param from the first octet to read
     * @param to the index after the last one
     * @param content receives the data without stuffed dots, the CRLF of each line included
     * @return the index of the first octet that was not read: {@code to} while {@link State#OPEN}, after the end of
     *     data that of the next command
     */
    public int read(byte[] buffer, int from, int to, Content content) {
        int next = from;
        int pending = from; // data from here to next is not passed on yet
        while (next < to) {
            byte octet = buffer[next];
            switch (at) {
                case TEXT -> {
                    next = lineEnd(buffer, next, to);
                    if (next < to) {
                        at = buffer[next++] == CR ? At.CR : At.BARE_LF;
                    }
                }
                case CR -> {
                    at = octet == LF ? At.LINE_START : At.BARE_CR;
                    next++;
                }
                case LINE_START -> {
                    at = octet == '.' ? At.DOT : At.TEXT;
                    if (at == At.DOT) {
                        hand(buffer, pending, next, content);
                        pending = ++next;
                    }
                }
                case DOT -> {
                    at = octet == CR ? At.DOT_CR : At.TEXT;
                    if (at == At.DOT_CR) {
                        pending = ++next;
                    }
                }
                case DOT_CR -> {
                    at = octet == LF ? At.END : At.BARE_CR;
                    return next + 1;
                }
                case END, BARE_CR, BARE_LF -> {
                    return next;
                }
            }
        }
        hand(buffer, pending, next, content);
        return next;
    }

    private static int lineEnd(byte[] buffer, int from, int to) {
        int i = from;
        while (i < to && buffer[i] != CR && buffer[i] != LF) {
            i++;
        }
        return i;
    }

    private static void hand(byte[] buffer, int from, int to, Content content) {
        if (from < to) {
            content.take(buffer, from, to);
        }
    }
}
