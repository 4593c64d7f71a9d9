package dev.inboxd.mail.markdown.measure;

import java.lang.Character.UnicodeScript;

/**
 * Counts the estimated tokens of a text as it is written (markdown.md §6). Its memory is a few numbers, however long
 * the text or a run in it. Used by one thread.
 */
public final class TokenCounter {
    /** The figures of the table are twentieths of a token. */
    private static final int UNIT = 20;

    private static final int MIXED = 18;
    private static final int LONG = 6;
    private static final int LETTER = 6;
    private static final int DIGIT = 13;
    private static final int BAR = 20;
    private static final int SIGN = 10;
    private static final int LINE_FEED = 14;
    private static final int LATIN = 24;
    private static final int CYRILLIC = 8;
    private static final int SEMITIC = 14;
    private static final int EAST_ASIAN = 19;
    private static final int OTHER_LETTER = 16;
    private static final int ANYTHING = 20;

    private static final int LEAST_MIXED = 16;
    private static final int LEAST_LONG = 24;

    private long units;

    // The run of ASCII letters and digits at the end.
    private long letters;
    private long digits;

    // The run of visible ASCII characters at the end: of those that are in no run of letters and digits above.
    private long visible;
    private long plain;
    private long plainUnits;
    private boolean hasDigitOrSlash;

    /** Takes the next character. */
    public void add(int codePoint) {
        if (codePoint > ' ' && codePoint < 0x7F) {
            visible(codePoint);
            return;
        }
        units += runs();
        letters = 0;
        digits = 0;
        visible = 0;
        plain = 0;
        plainUnits = 0;
        hasDigitOrSlash = false;
        units += codePoint == '\n' ? LINE_FEED : codePoint < 0x7F ? 0 : beyondAscii(codePoint);
    }

    /** The estimate for all that was added, rounded up. */
    public long tokens() {
        return (units + runs() + UNIT - 1) / UNIT;
    }

    private void visible(int c) {
        visible++;
        boolean isDigit = c >= '0' && c <= '9';
        hasDigitOrSlash |= isDigit || c == '/';
        if (isDigit) {
            digits++;
        } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            letters++;
        } else {
            endWord();
            plain++;
            plainUnits += c == '|' ? BAR : SIGN;
        }
    }

    private boolean isMixed() {
        return letters > 0 && digits > 0 && letters + digits >= LEAST_MIXED;
    }

    private void endWord() {
        if (isMixed()) {
            units += MIXED * (letters + digits);
        } else {
            plain += letters + digits;
            plainUnits += LETTER * letters + DIGIT * digits;
        }
        letters = 0;
        digits = 0;
    }

    /** What the runs at the end count for when they end here. */
    private long runs() {
        long word = letters + digits;
        boolean isLong = visible >= LEAST_LONG && hasDigitOrSlash;
        long before = isLong ? LONG * plain : plainUnits;
        if (isMixed()) {
            return before + MIXED * word;
        }
        return before + (isLong ? LONG * word : LETTER * letters + DIGIT * digits);
    }

    private static int beyondAscii(int c) {
        if (Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85) {
            return 0;
        }
        if (c == 0x30FC) {
            return EAST_ASIAN; // the mark of a long vowel, which kana share
        }
        if (!isLetterOrMark(c)) {
            return ANYTHING;
        }
        return switch (UnicodeScript.of(c)) {
            case LATIN -> LATIN;
            case CYRILLIC -> CYRILLIC;
            case HEBREW, ARABIC -> SEMITIC;
            case HAN, HIRAGANA, KATAKANA, HANGUL -> EAST_ASIAN;
            default -> OTHER_LETTER;
        };
    }

    private static boolean isLetterOrMark(int c) {
        return switch (Character.getType(c)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }
}
