package dev.inboxd.mail.markdown;

/**
 * A piece of the Markdown of a mail (markdown.md §5).
 *
 * @param text at most as many code points as were asked for
 * @param tokens the estimate for that text
 * @param nextOffset where the next piece begins, in code points; -1 when nothing follows
 * @param totalChars code points of the whole
 * @param totalTokens the estimate for the whole
 */
public record MarkdownPiece(String text, long tokens, long nextOffset, long totalChars, long totalTokens) {
    /** Whether something follows. */
    public boolean isTruncated() {
        return nextOffset >= 0;
    }
}
