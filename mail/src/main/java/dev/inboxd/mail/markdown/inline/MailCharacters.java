package dev.inboxd.mail.markdown.inline;

/** Which characters of a mail stand in its Markdown: those that a person sees or reads by (markdown.md §2). */
public final class MailCharacters {
    private static final int REPLACEMENT = 0xFFFD;

    /** The character before, as far as variation selectors and joiners look at it; 0 for none. */
    private int before;

    /** A text begins, or a space stands here. */
    public void begin() {
        before = 0;
    }

    /**
     * What stands for a character.
     *
     * @return itself; a space for every white space; -1 when it is left out
     */
    public int normalize(CharSequence text, int at) {
        int c = Character.codePointAt(text, at);
        if (c > ' ' && c < 0x7F) {
            before = c;
            return c;
        }
        if (isSpace(c)) {
            before = 0;
            return ' ';
        }
        if (isLeftOut(c)) {
            return -1;
        }
        boolean joiner = c == 0x200C || c == 0x200D;
        if (joiner && !joins(text, at + 1)) {
            return -1;
        }
        if (isSelector(c)) {
            boolean varies = before != 0 && !isSelector(before) && !isJoiner(before);
            before = c;
            return varies ? c : -1;
        }
        before = c;
        return c >= 0xD800 && c <= 0xDFFF ? REPLACEMENT : c;
    }

    /** Text as it is, with its spaces, tabs and lines. */
    public static String preformatted(CharSequence text) {
        MailCharacters characters = new MailCharacters();
        StringBuilder preformatted = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int c = Character.codePointAt(text, i);
            if (c == '\n' || c == '\t') {
                preformatted.append((char) c);
                characters.begin();
            } else {
                int normalized = c == '\r' ? -1 : characters.normalize(text, i);
                if (normalized >= 0) {
                    preformatted.appendCodePoint(normalized);
                }
            }
            i += Character.charCount(c);
        }
        return preformatted.toString();
    }

    private static boolean isSpace(int c) {
        return c == '\t' || c == '\n' || c == '\f' || c == '\r' || Character.isSpaceChar(c);
    }

    /** Whether a character is never part of the Markdown. */
    static boolean isLeftOut(int c) {
        return c < ' '
                || (c >= 0x7F && c <= 0x9F)
                || c == 0xAD
                || c == 0x34F
                || c == 0x200B
                || c == 0x2060
                || c == 0xFEFF
                || (c >= 0xE0000 && c <= 0xE007F);
    }

    private static boolean isSelector(int c) {
        return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF) || (c >= 0x180B && c <= 0x180D);
    }

    private static boolean isJoiner(int c) {
        return c == 0x200C || c == 0x200D;
    }

    /** Whether a joiner stands between letters that it shapes, or within an emoji. */
    private boolean joins(CharSequence text, int next) {
        if (before == 0 || next >= text.length() || isJoiner(before)) {
            return false;
        }
        int after = Character.codePointAt(text, next);
        boolean emoji = isPicture(after) && (isPicture(before) || isSelector(before) || before >= 0x1F000);
        return emoji || (isShaped(before) && isShaped(after));
    }

    private static boolean isPicture(int c) {
        return c >= 0x2190 && (Character.getType(c) == Character.OTHER_SYMBOL || Character.isEmoji(c));
    }

    /** Whether it is of a script that uses joiners: not of those whose letters stand alone. */
    private static boolean isShaped(int c) {
        if (!Character.isLetter(c) && !isMark(c)) {
            return false;
        }
        return switch (Character.UnicodeScript.of(c)) {
            case LATIN, GREEK, CYRILLIC, HAN, HIRAGANA, KATAKANA, HANGUL, HEBREW, ARMENIAN, GEORGIAN, COMMON -> false;
            default -> true;
        };
    }

    private static boolean isMark(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }
}
