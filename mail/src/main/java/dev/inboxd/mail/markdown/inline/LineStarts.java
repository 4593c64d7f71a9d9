package dev.inboxd.mail.markdown.inline;

import dev.inboxd.mail.text.BlankText;
import java.util.BitSet;

/** Finds what would open a block at the beginning of a line (CommonMark 0.31 §4 and §5, GFM §4.10). */
final class LineStarts {
    private static final int LONGEST_NUMBER = 9;
    private static final int LEAST = 3;
    /** What the line in place of a quotation begins with, which no text of a mail may imitate. */
    private static final String QUOTED = "[quoted: ";

    private final Characters text;
    private final BitSet marks;

    LineStarts(Characters text, BitSet marks) {
        this.text = text;
        this.marks = marks;
    }

    /** Sets what is to be escaped. */
    void find(BitSet escaped) {
        for (int start = 0; start < text.length(); ) {
            int end = start;
            while (end < text.length() && text.at(end) != '\n') {
                end++;
            }
            if (!marks.get(start) && !text.isWhole(start)) {
                line(start, end, start == 0, escaped);
            }
            quoted(start, end, escaped);
            start = end + 1;
        }
    }

    private void line(int start, int end, boolean first, BitSet escaped) {
        char c = text.at(start);
        int run = runOf(c, start, end);
        boolean spaced = run == end || text.at(run) == ' ';
        boolean rule = isRule(c, start, end);
        boolean only = run == end;
        switch (c) {
            case '>' -> escaped.set(start);
            case '#' -> escaped.set(start, run - start <= 6 && spaced);
            case '=' -> escaped.set(start, !first && only);
            case '-', '+', '*' -> {
                boolean bullet = run == start + 1 && spaced && (first || !only);
                boolean underline = c == '-' && !first && only;
                escaped.set(start, bullet || underline || (c != '+' && rule) || (!first && isTableRule(start, end)));
            }
            case '_' -> escaped.set(start, rule);
            case '`', '~' -> {
                if (run - start >= LEAST && (c == '~' || indexOf('`', run, end) < 0)) {
                    escaped.set(start, run);
                }
            }
            case '|', ':' -> {
                if (!first && isTableRule(start, end)) {
                    escaped.set(indexOf('-', start, end));
                }
            }
            default -> number(start, end, first, escaped);
        }
    }

    private int runOf(char c, int start, int end) {
        int run = start;
        while (run < end && text.at(run) == c) {
            run++;
        }
        return run;
    }

    private boolean isRule(char c, int start, int end) {
        int signs = 0;
        for (int i = start; i < end; i++) {
            if (text.at(i) != c && text.at(i) != ' ') {
                return false;
            }
            signs += text.at(i) == c ? 1 : 0;
        }
        return signs >= LEAST;
    }

    /** GFM §4.10: the line below the first row of a table. */
    private boolean isTableRule(int start, int end) {
        boolean dash = false;
        for (int i = start; i < end; i++) {
            if ("|-: ".indexOf(text.at(i)) < 0) {
                return false;
            }
            dash |= text.at(i) == '-';
        }
        return dash;
    }

    private int indexOf(char c, int start, int end) {
        for (int i = start; i < end; i++) {
            if (text.at(i) == c) {
                return i;
            }
        }
        return -1;
    }

    /** Whatever stands before it that nobody sees, and also where it is the words of a picture. */
    private void quoted(int start, int end, BitSet escaped) {
        int first = start;
        while (first < end && BlankText.isUnseen(Character.codePointAt(text.chars(), first, end))) {
            first += Character.charCount(Character.codePointAt(text.chars(), first, end));
        }
        boolean is = end - first >= QUOTED.length() && new String(text.chars(), first, QUOTED.length()).equals(QUOTED);
        if (is && !text.is(first, Characters.CODE) && text.link(first) == 0) {
            escaped.set(first);
        }
    }

    /** CommonMark 0.31 §5.2: in a paragraph only an item with the number 1 begins a list, and only with words. */
    private void number(int start, int end, boolean first, BitSet escaped) {
        int stop = start;
        while (stop < end && stop - start <= LONGEST_NUMBER && text.at(stop) >= '0' && text.at(stop) <= '9') {
            stop++;
        }
        boolean ended = stop > start
                && stop - start <= LONGEST_NUMBER
                && stop < end
                && (text.at(stop) == '.' || text.at(stop) == ')')
                && (stop + 1 == end || text.at(stop + 1) == ' ');
        boolean startsAtOne = text.at(Math.min(stop, end) - (stop > start ? 1 : 0)) == '1' && isZeros(start, stop - 1);
        if (ended && (first || (startsAtOne && stop + 1 < end))) {
            escaped.set(stop);
        }
    }

    private boolean isZeros(int start, int end) {
        for (int i = start; i < end; i++) {
            if (text.at(i) != '0') {
                return false;
            }
        }
        return true;
    }
}
