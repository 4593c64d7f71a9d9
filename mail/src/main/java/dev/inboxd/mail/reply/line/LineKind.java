package dev.inboxd.mail.reply.line;

/** Kind of a line. */
public enum LineKind {
    EMPTY,
    /** Written text, as far as can be told, of the sender. */
    TEXT,
    /** Quoted: begins with {@code >} (RFC 3676 §4.5), or is inside the markup of a quote. */
    QUOTE,
    /** "On Monday, Ann wrote:", or a line of it. */
    ATTRIBUTION,
    /** A line of the block of header fields above a quoted message. */
    HEADER,
    /** "-----Original Message-----". */
    ORIGINAL,
    /** "Begin forwarded message:". */
    FORWARD,
    /** "--", alone (RFC 3676 §4.3). */
    SIGNATURE,
    /** Punctuation without words, such as a line of dashes. */
    RULE;

    /** Whether the text below such a line was written by somebody else. */
    public boolean isSplitter() {
        return switch (this) {
            case ATTRIBUTION, HEADER, ORIGINAL, FORWARD -> true;
            case EMPTY, TEXT, QUOTE, SIGNATURE, RULE -> false;
        };
    }

    /** Behind the quoted and the empty lines from a line on. */
    public static int endOfQuote(LineKind[] marks, int from) {
        int i = from;
        while (i < marks.length && (marks[i] == QUOTE || marks[i] == EMPTY)) {
            i++;
        }
        return i;
    }
}
