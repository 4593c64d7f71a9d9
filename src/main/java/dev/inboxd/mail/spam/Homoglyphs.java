package dev.inboxd.mail.spam;

import org.jspecify.annotations.Nullable;

/**
 * Words that are written so that people read one thing and programs another: letters of a look-alike script among Latin
 * ones, or signs of no width between letters.
 */
final class Homoglyphs {
    private static final int LONGEST_TEXT = 16 * 1024;
    /** One may be an accident, or a name. */
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

    /** ZERO WIDTH SPACE, WORD JOINER, ZERO WIDTH NO-BREAK SPACE; joiners and soft hyphens have their places in words. */
    private static boolean isHidden(char c) {
        return c == 0x200B || c == 0x2060 || c == 0xFEFF;
    }

    /** Greek or Cyrillic between two Latin letters; as the end of a word, after a foreign name, it is usual. */
    private static boolean isAlike(char c) {
        return c >= 0x0370 && c <= 0x052F;
    }
}
