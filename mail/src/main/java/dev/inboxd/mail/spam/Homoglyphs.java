package dev.inboxd.mail.spam;

import org.jspecify.annotations.Nullable;

/**
 * Finds words that people and programs read differently: look-alike letters of another script among Latin ones, or
 * invisible characters between letters.
 */
final class Homoglyphs {
    private static final int LONGEST_TEXT = 16 * 1024;
    /** Minimum number of such words; a single one may be an accident, or a name. */
    private static final int ENOUGH = 3;

    private Homoglyphs() {}

    static boolean isIn(@Nullable String text) {
        int words = 0;
        if (text == null) {
            return false;
        }
        int end = Math.min(text.length(), LONGEST_TEXT);
        for (int i = 1; i + 1 < end; i++) {
            char c = text.charAt(i);
            if (c >= 0x80
                    && isLatin(text.charAt(i - 1))
                    && isLatin(text.charAt(i + 1))
                    && (isHidden(c) || isAlike(c))) {
                words++;
            }
        }
        return words >= ENOUGH;
    }

    private static boolean isLatin(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /** ZERO WIDTH SPACE, WORD JOINER, ZERO WIDTH NO-BREAK SPACE. Joiners and soft hyphens are legitimate in words. */
    private static boolean isHidden(char c) {
        return c == 0x200B || c == 0x2060 || c == 0xFEFF;
    }

    /**
     * Whether a Greek or Cyrillic letter is between two Latin ones. As the end of a word, after a foreign name, it is
     * usual.
     */
    private static boolean isAlike(char c) {
        return c >= 0x0370 && c <= 0x052F;
    }
}
