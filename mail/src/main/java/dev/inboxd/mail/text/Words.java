package dev.inboxd.mail.text;

import java.util.Arrays;
import java.util.Objects;

/**
 * The words of a text in any language, for search: runs of letters and digits, split where a script without spaces
 * (Chinese, Japanese, Thai, also Korean, whose particles are attached to words) meets one with spaces. Reads the text
 * once from front to back. Not thread-safe.
 */
public final class Words {
    /** Longest word; of a longer one only the beginning is compared. */
    public static final int LONGEST = 64;

    /** Folded forms of the ASCII characters of words; zero for the others. */
    private static final char[] PLAIN = plain();

    private final String text;
    private final Letters folded = new Letters();
    private int start;
    private int end;
    private boolean unspaced;

    /** @param text in NFC ({@link TextFolding#composed}) */
    public Words(String text) {
        this.text = text;
    }

    /** The folded words of a text, each with a space before and behind it; a single space when there is none. */
    public static String line(String text) {
        Words words = new Words(TextFolding.composed(text));
        StringBuilder line = new StringBuilder(text.length() + 2).append(' ');
        while (words.next()) {
            line.append(words.folded).append(' ');
        }
        return line.toString();
    }

    /** Moves to the next word; false behind the last. */
    public boolean next() {
        do {
            start = end;
            while (start < text.length() && !isPart(text.codePointAt(start))) {
                start += Character.charCount(text.codePointAt(start));
            }
            folded.length = 0;
            end = start;
            if (start >= text.length()) {
                return false;
            }
            unspaced = isUnspaced(text.codePointAt(start));
            read();
        } while (folded.isEmpty()); // the word consisted of marks alone
        return true;
    }

    private void read() {
        while (end < text.length()) {
            if (!unspaced && text.charAt(end) < 0x80) {
                if (!readPlain()) {
                    return;
                }
                continue;
            }
            int c = text.codePointAt(end);
            if (!isPart(c) || (!isMark(c) && isUnspaced(c) != unspaced)) {
                return;
            }
            if (unspaced || folded.length() < LONGEST) {
                folded.append(c);
            }
            end += Character.charCount(c);
        }
    }

    /** Reads on while the text is ASCII, as most mail is; false when the word ends there. */
    private boolean readPlain() {
        while (end < text.length()) {
            char c = text.charAt(end);
            if (c >= 0x80) {
                return true;
            }
            char letter = PLAIN[c];
            if (letter == 0) {
                return false;
            }
            if (folded.length < LONGEST) {
                folded.units[folded.length++] = letter;
            }
            end++;
        }
        return false;
    }

    private static char[] plain() {
        char[] plain = new char[0x80];
        for (char c = 0; c < plain.length; c++) {
            plain[c] = Character.isLetterOrDigit(c) ? Character.toLowerCase(c) : 0;
        }
        return plain;
    }

    /** Start of the word in the text. */
    public int start() {
        return start;
    }

    /** End of the word in the text. */
    public int end() {
        return end;
    }

    /** The folded word; changes with {@link #next}. A run of a script without spaces is not cut. */
    public CharSequence folded() {
        return folded;
    }

    /** Whether it is a run of a script without spaces, in which search finds words as parts of the run. */
    public boolean unspaced() {
        return unspaced;
    }

    /** Whether a code point belongs to words. */
    static boolean isPart(int c) {
        if (c < 0x80) {
            return PLAIN[c] != 0;
        }
        return Character.isLetterOrDigit(c) || isMark(c) || isPictograph(c);
    }

    private static boolean isMark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || c == 0x00AD
                || c == 0x200C
                || c == 0x200D;
    }

    private static boolean isPictograph(int c) {
        return c >= 0x2190 && Character.getType(c) == Character.OTHER_SYMBOL;
    }

    private static boolean isUnspaced(int c) {
        if (c < 0x0E00) {
            return false;
        }
        return isPictograph(c)
                || (c >= 0x3000 && c <= 0x30FF)
                || switch (Character.UnicodeScript.of(c)) {
                    case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, YI, THAI, LAO, KHMER, MYANMAR, TIBETAN -> true;
                    default -> false;
                };
    }

    /**
     * The letters of the current word. A StringBuilder would check its capacity at each letter, which takes longer
     * than reading the letter.
     */
    private static final class Letters implements CharSequence {
        private final StringBuilder foldedPoint = new StringBuilder();
        private char[] units = new char[2 * LONGEST];
        private int length;

        void append(int codePoint) {
            foldedPoint.setLength(0);
            TextFolding.append(codePoint, foldedPoint);
            if (length + foldedPoint.length() > units.length - LONGEST) { // leaves room for plain letters
                units = Arrays.copyOf(units, 2 * (length + foldedPoint.length()));
            }
            foldedPoint.getChars(0, foldedPoint.length(), units, length);
            length += foldedPoint.length();
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public char charAt(int index) {
            return units[Objects.checkIndex(index, length)];
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            Objects.checkFromToIndex(start, end, length);
            return new String(units, start, end - start);
        }

        @Override
        public String toString() {
            return new String(units, 0, length);
        }
    }
}
