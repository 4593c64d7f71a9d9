package dev.inboxd.mail.markdown;

/** Keeps one piece of Markdown and counts the rest, so that its memory is bounded by the piece (markdown.md §5). */
public final class MarkdownWindow implements MarkdownSink {
    private final StringBuilder all = new StringBuilder();
    private final long offset;
    private final long most;

    /**
     * A piece.
     *
     * @param offset where it begins, in code points
     * @param most its most code points; {@link Long#MAX_VALUE} for all that follows
     */
    public MarkdownWindow(long offset, long most) {
        this.offset = offset;
        this.most = most;
    }

    @Override
    public void text(CharSequence text) {
        all.append(text);
    }

    /** The piece, when everything was written. */
    public MarkdownPiece piece() {
        int total = all.codePointCount(0, all.length());
        int from = (int) Math.min(offset, total);
        int to = (int) Math.min(total, most > total ? total : from + most);
        String text = all.substring(all.offsetByCodePoints(0, from), all.offsetByCodePoints(0, to));
        return new MarkdownPiece(text, TokenEstimate.of(text), to < total ? to : -1, total, TokenEstimate.of(all));
    }
}
