package dev.inboxd.mail.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What looks like a one-time code: four to eight digits, perhaps in two groups or behind one letter and a hyphen, or
 * five to twelve capitals and digits with one of each at least.
 *
 * @param start of it in its line
 * @param end behind it
 * @param code without what separates groups of digits
 */
record CodeToken(int start, int end, String code) {
    private static final int LEAST_DIGITS = 4;
    private static final int MOST_DIGITS = 8;
    private static final int LEAST_MIXED = 5;
    private static final int MOST_MIXED = 12;
    /** From here on: Chinese, Japanese, Korean. */
    private static final char WITHOUT_SPACES = '\u2E80';

    /** All of a line. */
    static List<CodeToken> in(String line) {
        List<CodeToken> found = new ArrayList<>();
        int at = 0;
        while (at < line.length()) {
            int end = endOfWord(line, at);
            if (end == at) {
                at++;
                continue;
            }
            int whole = endOfGroups(line, at, end);
            @Nullable CodeToken token = isBound(line, at, whole) ? of(line, at, whole) : null;
            if (token != null) {
                found.add(token);
            }
            at = whole;
        }
        return found;
    }

    boolean isDigits() {
        return code.chars().allMatch(CodeToken::isDigit);
    }

    private static @Nullable CodeToken of(String line, int start, int end) {
        String written = line.substring(start, end);
        String digits = written.length() > 2 && isCapital(written.charAt(0)) && written.charAt(1) == '-'
                ? written.substring(2)
                : written;
        List<String> groups = List.of(digits.replace(' ', '-').split("-", -1));
        String joined = String.join("", groups);
        if (joined.chars().allMatch(CodeToken::isDigit)) {
            boolean fits = joined.length() >= LEAST_DIGITS && joined.length() <= MOST_DIGITS && groups.size() <= 2;
            boolean even = groups.size() == 1
                    || groups.getFirst().length() == groups.getLast().length();
            return fits && even ? new CodeToken(start, end, joined) : null;
        }
        boolean mixed = written.indexOf(' ') < 0
                && written.length() >= LEAST_MIXED
                && written.length() <= MOST_MIXED
                && written.chars().allMatch(c -> isDigit(c) || isCapital(c) || c == '-')
                && written.chars().anyMatch(CodeToken::isDigit)
                && written.chars().anyMatch(CodeToken::isCapital);
        return mixed ? new CodeToken(start, end, written) : null;
    }

    /** The end of a run of letters and digits. Scripts that have no spaces between words end one. */
    private static int endOfWord(String line, int start) {
        int end = start;
        while (end < line.length()
                && line.charAt(end) < WITHOUT_SPACES
                && Character.isLetterOrDigit(line.charAt(end))) {
            end++;
        }
        return end;
    }

    /** The end of all groups that hang together: by hyphens, and digits with digits by one space. */
    private static int endOfGroups(String line, int start, int first) {
        int end = first;
        while (end + 1 < line.length()) {
            boolean hyphen = line.charAt(end) == '-';
            boolean space = line.charAt(end) == ' '
                    && isDigits(line, start, end)
                    && isDigits(line, end + 1, endOfWord(line, end + 1));
            int next = endOfWord(line, end + 1);
            if (!(hyphen || space) || next == end + 1) {
                return end;
            }
            end = next;
        }
        return end;
    }

    private static boolean isDigits(String line, int start, int end) {
        boolean any = false;
        for (int i = start; i < end; i++) {
            any |= isDigit(line.charAt(i));
            if (!isDigit(line.charAt(i)) && line.charAt(i) != ' ' && line.charAt(i) != '-') {
                return false;
            }
        }
        return any;
    }

    /** Whether it is no part of an amount, a time, an address, a path or a number of another sort. */
    private static boolean isBound(String line, int start, int end) {
        char before = start == 0 ? ' ' : line.charAt(start - 1);
        char after = end == line.length() ? ' ' : line.charAt(end);
        char behind = end + 1 < line.length() ? line.charAt(end + 1) : ' ';
        boolean goesOn = ".,:/@_=&'".indexOf(after) >= 0 && Character.isLetterOrDigit(behind);
        boolean begun = "#/@_=&?+$€£¥%.-".indexOf(before) >= 0
                || ((before == ':' || before == ',') && start > 1 && isDigit(line.charAt(start - 2)));
        return !goesOn && !begun && "%€$£¥°".indexOf(after) < 0;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isCapital(int c) {
        return c >= 'A' && c <= 'Z';
    }
}
