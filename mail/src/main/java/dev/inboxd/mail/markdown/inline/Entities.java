package dev.inboxd.mail.markdown.inline;

/** Finds what a reader would take for an entity (CommonMark 0.31 §2.5). */
final class Entities {
    private static final int LONGEST_NAME = 32;
    private static final int MOST_DIGITS = 7;
    private static final int MOST_HEX = 6;

    private Entities() {}

    /** Whether one begins at an ampersand. */
    static boolean isAt(CharSequence text, int ampersand) {
        int at = ampersand + 1;
        boolean number = at < text.length() && text.charAt(at) == '#';
        if (number) {
            boolean hex = at + 1 < text.length() && (text.charAt(at + 1) | 0x20) == 'x';
            int start = hex ? at + 2 : at + 1;
            int end = start;
            while (end < text.length() && end - start <= MOST_DIGITS && isDigit(text.charAt(end), hex ? 16 : 10)) {
                end++;
            }
            return isEnd(text, end) && end > start && end - start <= (hex ? MOST_HEX : MOST_DIGITS);
        }
        int end = at;
        while (end < text.length() && end - at <= LONGEST_NAME && isNamed(text.charAt(end))) {
            end++;
        }
        return isEnd(text, end)
                && end > at
                && org.jsoup.nodes.Entities.isNamedEntity(
                        text.subSequence(at, end).toString());
    }

    private static boolean isEnd(CharSequence text, int at) {
        return at < text.length() && text.charAt(at) == ';';
    }

    private static boolean isDigit(char c, int radix) {
        return c < 0x80 && Character.digit(c, radix) >= 0;
    }

    private static boolean isNamed(char c) {
        return c < 0x80 && Character.isLetterOrDigit(c);
    }
}
