package dev.inboxd.mcp.result;

/** Where a text is cut: at the end of a block, else of a line, else at a space, else between two characters. */
final class ResultText {
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
        int block = behind(text.lastIndexOf("\n\n", end - 2), 2);
        int line = behind(text.lastIndexOf('\n', end - 1), 1);
        int space = behind(text.lastIndexOf(' ', end - 1), 1);
        int best = 2 * block >= end ? block : 2 * line >= end ? line : space > 0 ? space : end;
        int target = text.lastIndexOf("](", best - 1);
        return text.substring(0, target > 0 && isTarget(text, target + 2, best) ? target : best);
    }

    /** Whether the target of a link goes on at a place. */
    private static boolean isTarget(String text, int start, int place) {
        for (int i = start; i < place; i++) {
            if (text.charAt(i) == ')' || Character.isWhitespace(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int behind(int at, int length) {
        return at < 0 ? 0 : at + length;
    }

    /** At most so many code points, with three dots where something is left out. */
    static String shortened(String text, int codePoints) {
        int end = end(text, codePoints);
        return end == text.length() ? text : text.substring(0, end) + "...";
    }
}
