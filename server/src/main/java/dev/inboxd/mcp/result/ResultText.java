package dev.inboxd.mcp.result;

import dev.inboxd.mail.markdown.MarkdownWindow;

/** Where a text is cut: at the end of a block, else of a line, else at a space, else between two characters. */
final class ResultText {
    private static final String BLOCK_END = "\n\n";
    /** A longer target is looked at no further (markdown.md §3), with what stands around it. */
    private static final int LONGEST_TARGET = 33_000;

    private ResultText() {}

    /** The characters of this text that at most so many code points take. */
    static int end(String text, int codePoints) {
        return text.length() <= codePoints
                ? text.length()
                : text.codePointCount(0, text.length()) <= codePoints
                        ? text.length()
                        : text.offsetByCodePoints(0, codePoints);
    }

    /** The part of a text from one code point on, with at most so many. */
    static String window(String text, int offset, int codePoints) {
        int start = end(text, offset);
        return text.substring(start, start + end(text.substring(start), codePoints));
    }

    /** The part of a Markdown text with at most so many code points that is read best by itself (markdown.md §5). */
    static String piece(String text, int codePoints) {
        int end = end(text, codePoints);
        if (end == text.length()) {
            return text;
        }
        MarkdownWindow window = new MarkdownWindow(0, codePoints);
        int place = 0;
        while (place < text.length() && place <= end) {
            int start = startOfTarget(text, place, end);
            blocks(text.substring(place, start), window);
            int close = Math.min(endOfTarget(text, start), start + LONGEST_TARGET);
            if (close > start) {
                window.targetStart();
                window.text(text.substring(start, close));
                window.targetEnd();
            }
            place = close;
        }
        window.text(text.substring(place, Math.min(text.length(), place + 2))); // there is more
        return window.piece().text();
    }

    private static void blocks(String text, MarkdownWindow window) {
        int start = 0;
        for (int end = text.indexOf(BLOCK_END); end >= 0; end = text.indexOf(BLOCK_END, start + 1)) {
            window.text(text.substring(start, end));
            window.blockEnd();
            start = end;
        }
        window.text(text.substring(start));
    }

    /** Where the target of a link begins that begins before an end; else the place behind that end, or of the text. */
    private static int startOfTarget(String text, int from, int end) {
        for (int i = from; i <= end && i < text.length(); i++) {
            boolean isLink = text.startsWith("](", i);
            if (isLink || text.startsWith("<http", i) || text.startsWith("<mailto:", i)) {
                return i;
            }
        }
        return Math.min(text.length(), Math.max(from, end + 1));
    }

    /** Where a target ends that begins here; here where there is none. */
    private static int endOfTarget(String text, int start) {
        char last = text.startsWith("](", start) ? ')' : text.startsWith("<", start) ? '>' : 0;
        for (int i = start; last != 0 && i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == last) {
                return i + 1;
            }
            if (Character.isWhitespace(c)) {
                return i;
            }
        }
        return last == 0 ? start : text.length();
    }

    /** At most so many code points, with three dots where something is left out. */
    static String shortened(String text, int codePoints) {
        int end = end(text, codePoints);
        return end == text.length() ? text : text.substring(0, end) + "...";
    }
}
