package dev.inboxd.mail.text;

/**
 * The words of a text in any language, as a search sees them: runs of letters and digits, split where a script that
 * writes without spaces (Chinese, Japanese, Thai, also Korean, whose particles stick to words) meets one that writes
 * with them. Reads front to back, once; not for several threads.
 */
public final class Words {
    /** A longer word is compared by its beginning. */
    public static final int LONGEST = 64;

    private final String text;
    private final StringBuilder folded = new StringBuilder();
    private int start;
    private int end;
    private boolean unspaced;

    /** The words of a text in NFC ({@link Folding#composed}). */
    public Words(String text) {
        this.text = text;
    }

    /** The folded words of a text, each with a space before and behind it; a single space when there is none. */
    public static String line(String text) {
        Words words = new Words(Folding.composed(text));
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
            folded.setLength(0);
            end = start;
            if (start >= text.length()) {
                return false;
            }
            unspaced = isUnspaced(text.codePointAt(start));
            read();
        } while (folded.isEmpty()); // nothing but marks
        return true;
    }

    private void read() {
        while (end < text.length()) {
            char unit = text.charAt(end);
            if (unit < 0x80 && !unspaced) { // most of most mail
                if (!isPart(unit)) {
                    return;
                }
                if (folded.length() < LONGEST) {
                    Folding.append(unit, folded);
                }
                end++;
                continue;
            }
            int c = text.codePointAt(end);
            if (!isPart(c) || (!isMark(c) && isUnspaced(c) != unspaced)) {
                return;
            }
            if (unspaced || folded.length() < LONGEST) {
                Folding.append(c, folded);
            }
            end += Character.charCount(c);
        }
    }

    /** Where the word begins in the text. */
    public int start() {
        return start;
    }

    /** Where the text goes on behind the word. */
    public int end() {
        return end;
    }

    /** The folded word; changes with {@link #next}. A run of an unspaced script is as long as it is. */
    public CharSequence folded() {
        return folded;
    }

    /** Whether it is a run of a script without spaces, in which words are found as parts of it. */
    public boolean unspaced() {
        return unspaced;
    }

    /** Whether a code point belongs to words. */
    static boolean isPart(int c) {
        if (c < 0x80) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
        }
        return Character.isLetterOrDigit(c) || isMark(c) || isPictograph(c);
    }

    private static boolean isMark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK || c == 0x00AD
                || c == 0x200C || c == 0x200D;
    }

    private static boolean isPictograph(int c) {
        return c >= 0x2190 && Character.getType(c) == Character.OTHER_SYMBOL;
    }

    private static boolean isUnspaced(int c) {
        if (c < 0x0E00) {
            return false;
        }
        return isPictograph(c) || (c >= 0x3000 && c <= 0x30FF) || switch (Character.UnicodeScript.of(c)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, YI, THAI, LAO, KHMER, MYANMAR, TIBETAN -> true;
            default -> false;
        };
    }
}
