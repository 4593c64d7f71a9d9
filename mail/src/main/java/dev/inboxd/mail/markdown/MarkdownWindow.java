package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.measure.MarkdownCut;
import dev.inboxd.mail.markdown.measure.TokenCounter;

/**
 * Keeps one piece of Markdown and counts the rest, so that its memory is bounded by the piece, not by the mail
 * (markdown.md §5). Where a piece ends depends on its offset, its bound and the whole alone.
 */
public final class MarkdownWindow implements MarkdownSink {
    private final long offset;
    private final long most;
    private final TokenCounter counter = new TokenCounter();
    /** The piece, and the one code point behind it that tells whether a character ends there. */
    final StringBuilder buffer = new StringBuilder();

    private long position;
    private char highSurrogate;

    // Places for a cut, in code points from the offset; 0 for none.
    private long blockEnd;
    private long lineEnd;
    private long space;

    // The target that stands across the bound, from the offset; where it begins is -1 while there is none.
    private long targetStart = -1;
    private long targetEnd = -1;
    private boolean inTarget;

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
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (highSurrogate != 0 && Character.isLowSurrogate(c)) {
                char high = highSurrogate;
                highSurrogate = 0;
                next(Character.toCodePoint(high, c));
            } else {
                endCharacter();
                if (Character.isHighSurrogate(c)) {
                    highSurrogate = c;
                } else {
                    next(c);
                }
            }
        }
    }

    /** Half of a pair whose other half does not follow stands for itself. */
    private void endCharacter() {
        if (highSurrogate != 0) {
            char alone = highSurrogate;
            highSurrogate = 0;
            next(alone);
        }
    }

    private void next(int codePoint) {
        counter.add(codePoint);
        long at = position - offset;
        position++;
        if (at < 0 || at > most) {
            return;
        }
        buffer.appendCodePoint(codePoint);
        if (!inTarget && codePoint == '\n') {
            lineEnd = at;
        } else if (!inTarget && codePoint == ' ') {
            space = at;
        }
    }

    @Override
    public void blockEnd() {
        endCharacter();
        long at = position - offset;
        blockEnd = at > 0 && at <= most ? at : blockEnd;
    }

    @Override
    public void targetStart() {
        endCharacter();
        inTarget = true;
        if (position - offset < most) {
            targetStart = position;
            targetEnd = -1;
        }
    }

    @Override
    public void targetEnd() {
        endCharacter();
        inTarget = false;
        if (targetStart >= 0 && targetEnd < 0) {
            targetEnd = position;
        }
    }

    /** The piece, when everything was written. */
    public MarkdownPiece piece() {
        endCharacter();
        long remaining = Math.max(0, position - offset);
        boolean isCut = remaining > most;
        String text = isCut ? buffer.substring(0, cut()) : buffer.toString();
        long length = text.codePointCount(0, text.length());
        long tokens = isCut || offset > 0 ? TokenEstimate.of(text) : counter.tokens();
        return new MarkdownPiece(text, tokens, isCut ? offset + length : -1, position, counter.tokens());
    }

    /** Where the piece ends, as an index of what is kept. */
    private int cut() {
        if (isHalf(blockEnd)) {
            return index(blockEnd);
        }
        if (isHalf(lineEnd)) {
            return index(lineEnd);
        }
        return isHalf(space) ? index(space) : MarkdownCut.before(buffer, index(most), targetIndex());
    }

    private boolean isHalf(long place) {
        return place > 0 && place >= most - place;
    }

    private int index(long place) {
        return buffer.offsetByCodePoints(0, (int) place);
    }

    /** Where the target begins that stands across the bound and is not longer than a piece; -1 for none. */
    private int targetIndex() {
        long start = targetStart - offset;
        long length = targetEnd - targetStart;
        boolean isAcross = targetStart >= 0 && start > 0 && start + length > most && length <= most;
        return isAcross ? index(start) : -1;
    }
}
