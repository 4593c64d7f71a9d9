package dev.inboxd.mail.challenge;

import dev.inboxd.mail.challenge.CodeToken.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what looks like a code in a line. */
final class CodeTokens {
    private static final int LEAST = 4;
    private static final int MOST_DIGITS = 8;
    private static final int MOST_MIXED = 14;
    private static final int MOST_WORD = 12;
    private static final int LONGEST_PHRASE = 60;
    private static final int LONGEST_SPACED = 80;
    private static final String CELL_ENDS = " \t|";
    private static final int DIGIT = 1;
    private static final int CAPITAL = 2;
    private static final int SMALL = 4;
    private static final int UNCLASSIFIED = 8;
    /** From here on: Chinese, Japanese, Korean. */
    private static final char WITHOUT_SPACES = '\u2E80';

    private final String line;
    private final List<CodeToken> codeTokens = new ArrayList<>();

    private CodeTokens(String line) {
        this.line = line;
    }

    /** All of a line, as {@link CodeText#plain} gives it, but for what may be any word ({@link #word}). */
    static List<CodeToken> in(String line) {
        CodeTokens tokens = new CodeTokens(line);
        CodeToken spaced = line.length() <= LONGEST_SPACED ? tokens.spaced() : null;
        if (spaced != null) {
            return List.of(spaced);
        }
        tokens.read();
        return tokens.codeTokens;
    }

    /** The word with which a line begins, if it may be a code where it stands alone; null when it may not. */
    static @Nullable CodeToken word(String line, int from) {
        CodeTokens tokens = new CodeTokens(line);
        int start = from;
        while (start < line.length() && tokens.endOfWord(start) == start) {
            start++;
        }
        int end = tokens.endOfHyphens(tokens.endOfWord(start));
        boolean fits = end - start >= LEAST && end - start <= LONGEST_PHRASE && tokens.isBound(start, end);
        return fits ? tokens.wordOf(start, end) : null;
    }

    private @Nullable CodeToken wordOf(int start, int end) {
        int kinds = kinds(start, end);
        if ((kinds & (DIGIT | UNCLASSIFIED)) != 0 || (kinds & SMALL) == 0) {
            return null;
        }
        String written = line.substring(start, end);
        long hyphens = written.chars().filter(c -> c == '-').count();
        boolean brief = written.length() - hyphens >= LEAST && written.length() - hyphens <= MOST_WORD;
        return hyphens >= 2
                ? new CodeToken(start, end, written, Shape.PHRASE)
                : brief ? new CodeToken(start, end, written, Shape.WORD) : null;
    }

    private void read() {
        int at = 0;
        while (at < line.length()) {
            int end = endOfWord(at);
            if (end == at) {
                at++;
            } else {
                int tokenEnd = isDigits(at, end) ? endOfGroups(at, end) : endOfHyphens(end);
                CodeToken token = of(at, tokenEnd);
                if (token != null && isBound(at, tokenEnd)) {
                    codeTokens.add(token);
                }
                at = tokenEnd;
            }
        }
    }

    private @Nullable CodeToken of(int start, int end) {
        int kinds = end - start < LEAST || end - start > LONGEST_PHRASE ? UNCLASSIFIED : kinds(start, end);
        boolean small = (kinds & SMALL) != 0;
        if ((kinds & DIGIT) == 0 && (small || (kinds & UNCLASSIFIED) != 0)) {
            return null;
        }
        String written = line.substring(start, end);
        if (CodeText.isDigit(line.charAt(start)) && isDigits(start, endOfWord(start))) {
            return ofGroups(start, end, written);
        }
        int letters = written.replace("-", "").length();
        if ((kinds & UNCLASSIFIED) != 0 || letters < LEAST) {
            return null;
        }
        if ((kinds & DIGIT) != 0) {
            Shape shape = isPrefixed(written) ? Shape.PREFIXED : small ? Shape.LOOSE : Shape.MIXED;
            boolean lettered = (kinds & (CAPITAL | SMALL)) != 0;
            return letters <= MOST_MIXED && lettered ? new CodeToken(start, end, written, shape) : null;
        }
        return letters <= MOST_WORD ? new CodeToken(start, end, written, Shape.CAPITALS) : null;
    }

    /** Of what it consists; a hyphen is of no kind. */
    private int kinds(int start, int end) {
        int kinds = 0;
        for (int i = start; i < end; i++) {
            char c = line.charAt(i);
            kinds |= CodeText.isDigit(c)
                    ? DIGIT
                    : CodeText.isCapital(c) ? CAPITAL : CodeText.isSmall(c) ? SMALL : c == '-' ? 0 : UNCLASSIFIED;
        }
        return kinds;
    }

    /** Capitals and digits of which the line consists, each in its cell; null when it has anything else. */
    private @Nullable CodeToken spaced() {
        StringBuilder code = new StringBuilder();
        int start = -1;
        int before = -1;
        boolean digits = false;
        boolean capitals = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean digit = CodeText.isDigit(c);
            if (digit || CodeText.isCapital(c)) {
                if (before == i - 1 && start >= 0) {
                    return null;
                }
                start = start < 0 ? i : start;
                before = i;
                digits |= digit;
                capitals |= !digit;
                code.append(c);
            } else if (CELL_ENDS.indexOf(c) < 0) {
                return null;
            }
        }
        return capitals && code.length() >= LEAST && code.length() <= MOST_WORD
                ? new CodeToken(start, before + 1, code.toString(), digits ? Shape.MIXED : Shape.CAPITALS)
                : null;
    }

    private static boolean isPrefixed(String written) {
        int hyphen = written.indexOf('-');
        return hyphen >= 1
                && hyphen <= 3
                && written.substring(0, hyphen).chars().allMatch(CodeText::isCapital)
                && written.length() - hyphen - 1 >= LEAST
                && written.length() - hyphen - 1 <= MOST_DIGITS
                && written.substring(hyphen + 1).chars().allMatch(CodeText::isDigit);
    }

    private static @Nullable CodeToken ofGroups(int start, int end, String written) {
        StringBuilder digits = new StringBuilder();
        List<Integer> lengths = new ArrayList<>();
        int length = 0;
        for (int i = 0; i <= written.length(); i++) {
            boolean digit = i < written.length() && CodeText.isDigit(written.charAt(i));
            if (digit) {
                digits.append(written.charAt(i));
                length++;
            } else if (length > 0) {
                lengths.add(length);
                length = 0;
            }
            if (i < written.length() && Character.isLetter(written.charAt(i))) {
                return mixed(start, end, written);
            }
        }
        boolean even = lengths.stream().distinct().count() == 1;
        int most = lengths.size() == 3 && lengths.getFirst() == 3 ? MOST_DIGITS + 1 : MOST_DIGITS;
        if (digits.length() < LEAST || digits.length() > most || !even) {
            return null;
        }
        boolean dotted = written.indexOf('.') >= 0;
        boolean date = NumericDates.isDate(digits, lengths.size(), dotted || written.indexOf('-') >= 0);
        if (dotted && (date || (lengths.size() < 3 && lengths.getFirst() < 3))) {
            return null; // a price, a time
        }
        boolean dated = dotted || date || (lengths.size() == 1 && NumericDates.isYear(digits));
        return new CodeToken(start, end, digits.toString(), dated ? Shape.DATED : Shape.DIGITS);
    }

    /** Letters behind the first group, as in 12AB-34CD. */
    private static @Nullable CodeToken mixed(int start, int end, String written) {
        int letters = written.replace("-", "").length();
        boolean plain = written.chars()
                .allMatch(c -> c == '-' || CodeText.isDigit(c) || CodeText.isCapital(c) || CodeText.isSmall(c));
        boolean small = written.chars().anyMatch(CodeText::isSmall);
        return plain && letters >= LEAST && letters <= MOST_MIXED
                ? new CodeToken(start, end, written, small ? Shape.LOOSE : Shape.MIXED)
                : null;
    }

    /** The end of a run of letters and digits. Scripts that have no spaces between words end one. */
    private int endOfWord(int start) {
        int end = start;
        while (end < line.length()
                && line.charAt(end) < WITHOUT_SPACES
                && Character.isLetterOrDigit(line.charAt(end))) {
            end++;
        }
        return end;
    }

    private int endOfHyphens(int first) {
        int end = first;
        while (end + 1 < line.length() && line.charAt(end) == '-' && endOfWord(end + 1) > end + 1) {
            end = endOfWord(end + 1);
        }
        return end;
    }

    /** The end of digits that hang together: by hyphens, by a space, by dots in the middle, or each in its cell. */
    private int endOfGroups(int start, int first) {
        int end = first;
        boolean single = first - start == 1;
        while (end + 1 < line.length()) {
            int next = !single && line.startsWith(" - ", end) ? end + 3 : end;
            while (next < line.length() && isSeparator(line.charAt(next), single, next - end)) {
                next++;
            }
            int behind = endOfWord(next);
            boolean hyphen = next == end + 1 && line.charAt(end) == '-';
            if (next == end || behind == next || !(isDigits(next, behind) || hyphen)) {
                return end;
            }
            end = behind;
        }
        return end;
    }

    private static boolean isSeparator(char c, boolean single, int before) {
        return (before == 0 && (c == '-' || c == ' ' || c == '·' || c == '•' || (c == '.' && !single)))
                || (single && before < 5 && (c == ' ' || c == '\t' || c == '-' || c == '|'));
    }

    private boolean isDigits(int start, int end) {
        for (int i = start; i < end; i++) {
            if (!CodeText.isDigit(line.charAt(i))) {
                return false;
            }
        }
        return end > start;
    }

    /** Whether it is no part of an amount, a time, an address, a path or a number of another sort. */
    private boolean isBound(int start, int end) {
        char before = start == 0 ? ' ' : line.charAt(start - 1);
        char after = end == line.length() ? ' ' : line.charAt(end);
        char behind = end + 1 < line.length() ? line.charAt(end + 1) : ' ';
        boolean goesOn = ".,:/@_=&".indexOf(after) >= 0 && Character.isLetterOrDigit(behind) && behind < WITHOUT_SPACES;
        boolean begun = "#/@_=&?+$€£¥￥₩₽₺₹₪%.-\u2032".indexOf(before) >= 0
                || ((before == ':' || before == ',') && start > 1 && CodeText.isDigit(line.charAt(start - 2)));
        boolean signed = start > 1 && before == ' ' && "$€£¥￥₩₽₺₹₪+#№".indexOf(line.charAt(start - 2)) >= 0;
        boolean counted = "%€$£¥°₩₽₺₹₪".indexOf(after) >= 0 || (after == ' ' && "%€$£¥°₩₽₺₹₪".indexOf(behind) >= 0);
        return !goesOn && !begun && !signed && !counted && before != '№';
    }
}
