package dev.inboxd.mail.markdown;

/** Takes Markdown as it is written, from its beginning to its end. Used by one thread. */
public interface MarkdownSink {
    /** The next characters; line feeds between blocks are among them. */
    void text(CharSequence text);

    /** A block ends here: a cut is best made here. The line feeds behind it are still to come. */
    default void blockEnd() {}

    /** A link's target begins, before its {@code ](} or {@code <}: a cut within it would break it. */
    default void targetStart() {}

    /** A link's target ends, behind its {@code )} or {@code >}. */
    default void targetEnd() {}
}
