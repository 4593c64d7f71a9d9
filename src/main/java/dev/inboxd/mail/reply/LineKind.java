package dev.inboxd.mail.reply;

/** What a line is. */
enum LineKind {
    EMPTY,
    /** Written by someone, as far as one can see by the sender. */
    TEXT,
    /** Quoted: begins with {@code >} (RFC 3676 §4.5), or stands in what a program quotes. */
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
    /** Signs that are no words, such as a line of dashes. */
    RULE;

    /** Whether what follows was written by someone else. */
    boolean isSplitter() {
        return switch (this) {
            case ATTRIBUTION, HEADER, ORIGINAL, FORWARD -> true;
            case EMPTY, TEXT, QUOTE, SIGNATURE, RULE -> false;
        };
    }
}
