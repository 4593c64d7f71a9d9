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
    /** From here on: Chinese, Japanese, Korean. */
    private static final char WITHOUT_SPACES = '\u2E80';

    private final String line;
    private final List<CodeToken> found = new ArrayList<>();

    private CodeTokens(String line) {
        this.line = line;
    }

    /** All of a line, as {@link CodeText#plain} gives it. */
    static List<CodeToken> in(String line) {
        CodeTokens tokens = new CodeTokens(line);
        tokens.read();
        return tokens.found;
    }

    private void read() {
        int at = 0;
        while (at < line.length()) {
            int end = endOfWord(at);
            if (end == at) {
                at++;
            } else {
                int whole = isDigits(at, end) ? endOfGroups(at, end) : endOfHyphens(end);
                CodeToken token = isBound(at, whole) ? of(at, whole) : null;
                if (token != null) {
                    found.add(token);
                }
                at = whole;
            }
        }
    }

    private @Nullable CodeToken of(int start, int end) {
        String written = line.substring(start, end);
        if (isDigits(start, Math.min(end, endOfWord(start)))) {
            return ofGroups(start, end, written);
        }
        boolean digit = written.chars().anyMatch(CodeText::isDigit);
        boolean capital = written.chars().anyMatch(CodeText::isCapital);
        boolean small = written.chars().anyMatch(CodeText::isSmall);
        if (written.chars()
                .anyMatch(c -> c != '-' && !CodeText.isDigit(c) && !CodeText.isCapital(c) && !CodeText.isSmall(c))) {
            return null;
        }
        int letters = written.replace("-", "").length();
        if (digit) {
            boolean fits = letters >= LEAST && letters <= MOST_MIXED;
            Shape shape = isPrefixed(written) ? Shape.PREFIXED : small ? Shape.LOOSE : Shape.MIXED;
            return fits && (capital || small) ? new CodeToken(start, end, written, shape) : null;
        }
        boolean hyphen = written.indexOf('-') >= 0;
        if (!small && letters >= LEAST && letters <= MOST_WORD) {
            return new CodeToken(start, end, written, Shape.CAPITALS);
        }
        if (hyphen && written.split("-", -1).length >= 3 && written.length() <= LONGEST_PHRASE) {
            return new CodeToken(start, end, written, Shape.PHRASE);
        }
        return letters >= LEAST && letters <= MOST_WORD ? new CodeToken(start, end, written, Shape.WORD) : null;
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
        boolean fits = digits.length() >= LEAST && digits.length() <= most && even;
        if (!fits) {
            return null;
        }
        boolean dated = isYear(digits, lengths.size()) || isDate(digits, lengths, written.indexOf('-') >= 0);
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

    private static boolean isYear(CharSequence digits, int groups) {
        return digits.length() == 4 && groups == 1 && isYear(Integer.parseInt(digits.toString()));
    }

    private static boolean isYear(int year) {
        return year >= 1900 && year <= 2099;
    }

    private static boolean isDate(CharSequence digits, List<Integer> lengths, boolean hyphens) {
        if (digits.length() == 8 && lengths.size() == 1) {
            return isYear(number(digits, 0, 4)) && isMonthAndDay(number(digits, 4, 6), number(digits, 6, 8));
        }
        if (digits.length() == 6 && lengths.size() == 3 && hyphens) {
            int first = number(digits, 0, 2);
            int second = number(digits, 2, 4);
            int third = number(digits, 4, 6);
            return isMonthAndDay(second, first) || isMonthAndDay(second, third) || isMonthAndDay(first, second);
        }
        return false;
    }

    private static boolean isMonthAndDay(int month, int day) {
        return month >= 1 && month <= 12 && day >= 1 && day <= 31;
    }

    private static int number(CharSequence digits, int start, int end) {
        return Integer.parseInt(digits, start, end, 10);
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
        return (before == 0 && (c == '-' || c == ' ' || c == '·' || c == '•'))
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
