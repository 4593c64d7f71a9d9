package dev.inboxd.mailbox.document;

import java.io.Writer;

/** Takes text up to the limit (mail.md §9.4) and then stops its writer by an exception. */
final class LimitedText extends Writer {
    /** The largest number of characters stored of a document. */
    static final int MOST = 250_000;

    private final StringBuilder text = new StringBuilder();

    /** The limit was reached; not a failure. */
    static final class LimitReached extends RuntimeException {
        private static final long serialVersionUID = 1;

        private LimitReached() {
            super(null, null, false, false);
        }
    }

    @Override
    public void write(char[] buffer, int offset, int length) {
        int room = MOST - text.length();
        text.append(buffer, offset, Math.min(length, room));
        if (length > room) {
            throw new LimitReached();
        }
    }

    @Override
    public void flush() {
        // The text is in memory already.
    }

    @Override
    public void close() {
        // There is nothing to release.
    }

    /** The text so far, without half a character at its end. */
    @Override
    public String toString() {
        int end = text.length();
        boolean half = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
        return text.substring(0, half ? end - 1 : end);
    }
}
