package dev.inboxd.mail.screen;

import dev.inboxd.mail.text.TextFolding;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A text as it is compared: compatibility forms and look-alikes folded, invisible characters removed, spaced letters
 * joined, small letters without accents. Punctuation and line ends stay. Knows where something was concealed.
 */
final class NormalForm {
    private static final int FEWEST_SPACED = 3;
    private static final char[] PLAIN = new char[0x80];

    static {
        for (char c = 0; c < PLAIN.length; c++) {
            PLAIN[c] = c >= 'A' && c <= 'Z' ? (char) (c + 0x20) : c < ' ' && c != '\n' ? ' ' : c;
        }
    }

    private char[] units;
    private int length;
    private final BitSet concealed = new BitSet();
    private final BitSet joined = new BitSet();
    private boolean hasJoined;
    private final StringBuilder folded = new StringBuilder();

    private NormalForm(int capacity) {
        units = new char[capacity + 16];
    }

    static NormalForm of(String source) {
        String text = TextFolding.composed(source);
        NormalForm form = new NormalForm(text.length());
        form.read(text);
        form.foldWords();
        form.joinSpaced();
        return form;
    }

    int length() {
        return length;
    }

    char at(int i) {
        return units[i];
    }

    /** Whether something was removed or replaced between two places. */
    boolean isConcealed(int start, int end) {
        int first = concealed.nextSetBit(start);
        return first >= 0 && first < end;
    }

    /** Whether a word may begin or end here. */
    boolean isEdge(int i) {
        return i <= 0
                || i >= length
                || !isWord(units[i - 1])
                || !isWord(units[i])
                || isUnspaced(i - 1)
                || isUnspaced(i);
    }

    /** Whether words are not separated by spaces here: by the script, or because spaced letters were joined. */
    boolean isUnspaced(int i) {
        return units[i] >= 0x0E00 ? isUnspacedScript(units[i]) : hasJoined && joined.get(i);
    }

    /** How many such characters count as a word. */
    int unspacedWord(int i) {
        return units[i] < 0x80 ? 5 : 2;
    }

    private static boolean isUnspacedScript(char c) {
        return c < 0x0F00 || (c >= 0x1780 && c < 0x1800) || (c >= 0x3040 && c < 0xD7B0) || (c >= 0xF900 && c < 0xFB00);
    }

    static boolean isWord(char c) {
        return c < 0x80 ? isLatin(c) || (c >= '0' && c <= '9') : Character.isLetterOrDigit(c) || isMark(c);
    }

    private static boolean isMark(char c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }

    private void read(String text) {
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            if (c < 0x80) {
                append(PLAIN[c]);
                i++;
                continue;
            }
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            if (Invisibles.isInvisible(point)) {
                if (Invisibles.conceals(text, i - Character.charCount(point), point)) {
                    concealed.set(length);
                }
            } else {
                fold(point);
            }
        }
    }

    private void fold(int point) {
        if (!Character.isLetterOrDigit(point)
                && point < 0x1F000
                && Character.getType(point) != Character.OTHER_SYMBOL) {
            if (Character.isSpaceChar(point) || Character.isWhitespace(point)) {
                append(' ');
            } else if (isMark((char) point)) {
                appendFolded(point);
            } else {
                append(Punctuation.of((char) point));
            }
            return;
        }
        int start = length;
        appendFolded(point);
        boolean sign = point >= 0x2100 && point < 0x3000 && length > start && isLatin(units[start]);
        if (sign || point >= 0x1D400) {
            for (int i = start; i < length; i++) {
                concealed.set(i, isLatin(units[i]));
            }
        }
    }

    private void appendFolded(int point) {
        folded.setLength(0);
        TextFolding.append(point, folded);
        for (int i = 0; i < folded.length(); i++) {
            append(folded.charAt(i));
        }
    }

    private void append(char c) {
        if (length == units.length) {
            units = Arrays.copyOf(units, length * 2);
        }
        units[length++] = c;
    }

    private static boolean isLatin(char c) {
        return c >= 'a' && c <= 'z';
    }

    /** Folds look-alikes in words that have Latin letters too, and digits that stand for letters. */
    private void foldWords() {
        int i = 0;
        while (i < length) {
            char c = units[i];
            boolean plain = c < 0x80 && (c < '0' || c > '9');
            i = plain || !isWord(c) ? i + 1 : foldWord(i);
        }
    }

    /** Folds the word around a place, and returns the index behind it. */
    private int foldWord(int place) {
        int start = place;
        while (start > 0 && isWord(units[start - 1])) {
            start--;
        }
        int latin = 0;
        int strange = 0;
        int digits = 0;
        int end = start;
        while (end < length && isWord(units[end])) {
            char c = units[end++];
            latin += isLatin(c) ? 1 : 0;
            digits += c >= '0' && c <= '9' ? 1 : 0;
            strange += c >= 0x80 && Lookalikes.of(c) != c ? 1 : 0;
        }
        if (strange > 0 && (latin > 0 || strange == end - start)) {
            replace(start, end, latin > 0);
        } else if (digits > 0 && latin >= digits && end - start >= 4) {
            replaceDigits(start, end);
        }
        return end;
    }

    private void replace(int start, int end, boolean mixed) {
        if (!mixed && units[start] >= 0x0370 && units[start] < 0x0530) {
            return; // a word of Cyrillic or Greek letters alone is a word of its own
        }
        for (int i = start; i < end; i++) {
            char alike = Lookalikes.of(units[i]);
            if (alike != units[i]) {
                units[i] = alike;
                concealed.set(i);
            }
        }
    }

    private void replaceDigits(int start, int end) {
        for (int i = start; i < end; i++) {
            char letter = Lookalikes.letter(units[i]);
            if (letter != units[i]) {
                units[i] = letter;
                concealed.set(i);
            }
        }
    }

    /** Joins letters that stand alone, each behind one space, dot or dash. */
    private void joinSpaced() {
        int first = 0;
        while (first < length && spacedEnd(first) == first) {
            first++;
        }
        int to = first;
        for (int i = first; i < length; ) {
            int end = spacedEnd(i);
            if (end > i) {
                for (int k = i; k < end; k += 2) {
                    joined.set(to);
                    hasJoined = true;
                    concealed.set(to);
                    units[to++] = units[k];
                }
                i = end;
            } else {
                if (to != i) {
                    concealed.set(to, concealed.get(i));
                    joined.set(to, joined.get(i));
                    units[to] = units[i];
                }
                to++;
                i++;
            }
        }
        length = to;
    }

    private int spacedEnd(int start) {
        if (start + 2 >= length
                || !isSpacing(units[start + 1])
                || !isLatin(units[start])
                || (start > 0 && isWord(units[start - 1]))) {
            return start;
        }
        int i = start;
        int letters = 0;
        while (i < length && isLatin(units[i]) && (i + 1 == length || !isWord(units[i + 1]))) {
            letters++;
            if (i + 2 >= length || !isSpacing(units[i + 1]) || !isLatin(units[i + 2])) {
                i++;
                break;
            }
            i += 2;
        }
        return letters >= FEWEST_SPACED ? i - (i > start && isSpacing(units[i - 1]) ? 1 : 0) : start;
    }

    private static boolean isSpacing(char c) {
        return c == ' ' || c == '.' || c == '-' || c == '_' || c == '*';
    }

    String toString(int start, int end) {
        return new String(units, start, end - start);
    }

    @Override
    public String toString() {
        return new String(units, 0, length);
    }
}
