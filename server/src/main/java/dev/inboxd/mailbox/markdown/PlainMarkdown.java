package dev.inboxd.mailbox.markdown;

import dev.inboxd.mail.markdown.MarkdownPiece;
import dev.inboxd.mail.markdown.MarkdownSink;
import dev.inboxd.mail.markdown.MarkdownWindow;
import dev.inboxd.mail.markdown.inline.BacktickFence;

/** Plain text in pieces, as it is or between fences (markdown.md §8). */
public final class PlainMarkdown {
    private static final String PARAGRAPH_END = "\n\n";

    private PlainMarkdown() {}

    /** A piece of a text as it is, cut at the end of a paragraph where one is near. */
    public static MarkdownPiece piece(String text, long offset, long most) {
        MarkdownWindow window = new MarkdownWindow(offset, most);
        int start = 0;
        for (int end = text.indexOf(PARAGRAPH_END); end >= 0; end = text.indexOf(PARAGRAPH_END, start + 1)) {
            window.text(text.substring(start, end));
            window.blockEnd();
            start = end;
        }
        window.text(text.substring(start));
        return window.piece();
    }

    /** Writes a text between fences that no line in it can end (CommonMark 0.31 §4.5). */
    static void fenced(String text, MarkdownSink sink) {
        String fence = BacktickFence.of(text);
        sink.text(fence + "\n");
        text.strip().lines().forEach(line -> {
            sink.text(visible(line));
            sink.text("\n");
        });
        sink.text(fence);
        sink.blockEnd();
    }

    /** Without control characters but the tab. */
    static String visible(String line) {
        return line.codePoints().allMatch(PlainMarkdown::isKept)
                ? line
                : line.codePoints()
                        .filter(PlainMarkdown::isKept)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    private static boolean isKept(int c) {
        return c == '\t' || !Character.isISOControl(c);
    }
}
