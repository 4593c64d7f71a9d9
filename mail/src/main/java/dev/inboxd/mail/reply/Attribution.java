package dev.inboxd.mail.reply;

import java.util.List;

/** Finds attribution lines, which mail programs write above a quote: "On Mon, 5 May 2025 at 10:00, Ann wrote:". */
final class Attribution {
    private static final int MAX_LINES = 6;
    private static final int MAX_LENGTH = 500;

    private final List<TextLine> lines;
    private final LineKind[] marks;

    Attribution(List<TextLine> lines, LineKind[] marks) {
        this.lines = lines;
        this.marks = marks;
    }

    /**
     * Finds the attribution that ends with a line.
     *
     * @return the index of its first line, or -1 when there is none
     */
    int startOf(int last) {
        String words = lines.get(last).words();
        if (!mayEnd(words)) {
            return -1;
        }
        boolean beforeQuote = isBeforeQuote(last);
        int best = -1;
        StringBuilder window = new StringBuilder();
        int emptyLines = 0;
        for (int first = last; first >= 0 && first > last - MAX_LINES; first--) {
            TextLine line = lines.get(first);
            if (line.isEmpty() && ++emptyLines == 1 && window.indexOf("<") == 0) {
                continue; // some programs write the address in its own paragraph
            }
            if (line.isEmpty()
                    || window.length() + line.words().length() > MAX_LENGTH
                    || (first < last && (line.isQuoted() || marks[first].isSplitter()))) {
                break;
            }
            window.insert(0, first < last ? line.words() + " " : line.words());
            Candidate candidate = new Candidate(window.toString());
            if (!candidate.isBalanced() || !candidate.isAttribution(beforeQuote)) {
                continue;
            }
            boolean isVerbOnly = Phrases.WROTE.isWhole(candidate.words);
            if (candidate.hasOpening() || (best < 0 && candidate.hasDate() && emptyLines == 0)) {
                return first;
            }
            best = best < 0 && !isVerbOnly ? first : best;
        }
        return best;
    }

    /** A cheap test, so that most lines are not examined further. */
    private static boolean mayEnd(String words) {
        if (words.isEmpty() || words.length() > MAX_LENGTH) {
            return false;
        }
        char end = words.charAt(words.length() - 1);
        return end == ':' || end == '：' || end == '>' || words.endsWith("--") || Candidate.startsWithIsoDate(words);
    }

    private boolean isBeforeQuote(int last) {
        for (int i = last + 1; i < lines.size() && i <= last + 3; i++) {
            if (!lines.get(i).isEmpty()) {
                return lines.get(i).isQuoted() || marks[i] == LineKind.QUOTE;
            }
        }
        return false;
    }

    /** Folded text that may be an attribution. */
    private static final class Candidate {
        private final String words;
        private final boolean ended;

        Candidate(String window) {
            int start = 0;
            while (start < window.length()
                    && "-*_> \u200E\u200F\u202A\u202B\u2067".indexOf(window.charAt(start)) >= 0) {
                start++;
            }
            int end = window.length();
            boolean colon = false;
            while (end > start && "-*_:： \u200E\u200F\u202C\u2069".indexOf(window.charAt(end - 1)) >= 0) {
                end--;
                colon |= window.charAt(end) == ':' || window.charAt(end) == '：';
            }
            words = window.substring(start, end);
            ended = colon || window.endsWith("--");
        }

        boolean isAttribution(boolean beforeQuote) {
            boolean address = words.indexOf('@') >= 0;
            boolean date = hasDate();
            if (!ended) {
                // Gmail's form for languages that it has no words for.
                return startsWithIsoDate(words) && (words.contains(" gmt") || (words.endsWith(">") && address));
            }
            if (Phrases.WROTE.longest(words, words.length()) != null) {
                return address || date || beforeQuote;
            }
            if (Phrases.SAID.longest(words, words.length()) != null) {
                return beforeQuote ? address || date : address && date;
            }
            if (Phrases.WROTE_ON.isWithin(words) && date) {
                return true;
            }
            boolean verb = Phrases.WROTE_WITHIN.isWithin(words);
            boolean named = endsWithAddress() && (verb || hasOpening());
            return date && (address ? named || (verb && beforeQuote) : verb && beforeQuote && hasOpening());
        }

        boolean isBalanced() {
            int open = 0;
            int quotes = 0;
            for (int i = 0; i < words.length(); i++) {
                char c = words.charAt(i);
                open += c == '<' ? 1 : c == '>' ? -1 : 0;
                quotes += c == '"' ? 1 : 0;
                if (open < 0) {
                    return false;
                }
            }
            return open == 0 && quotes % 2 == 0;
        }

        /** Whether it begins like attributions with a date. */
        boolean hasOpening() {
            boolean opening =
                    Phrases.ON.longest(words, 0) != null || (!words.isEmpty() && Character.isDigit(words.charAt(0)));
            return opening && hasDate();
        }

        /** Whether the address is in brackets: "On Monday at 10:00, forward this to bob@example.org:" is a request. */
        private boolean endsWithAddress() {
            return words.endsWith(">") || words.endsWith(")");
        }

        boolean hasDate() {
            return Attribution.hasDate(words);
        }

        /** Whether it begins like 2025-05-05 or 2025/5/5. */
        static boolean startsWithIsoDate(String words) {
            return words.length() > 9
                    && isDigits(words, 0, 4)
                    && (words.charAt(4) == '-' || words.charAt(4) == '/')
                    && Character.isDigit(words.charAt(5))
                    && words.charAt(words.charAt(6) == words.charAt(4) ? 6 : 7) == words.charAt(4);
        }

        private static boolean isDigits(String words, int start, int end) {
            for (int i = start; i < end; i++) {
                if (!Character.isDigit(words.charAt(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Whether a text contains a year, a time of day, or a number before a unit of East Asian dates. */
    static boolean hasDate(String words) {
        int digits = 0;
        int value = 0;
        for (int i = 0; i <= words.length(); i++) {
            char c = i < words.length() ? words.charAt(i) : ' ';
            if (Character.isDigit(c)) {
                value = digits++ < 4 ? value * 10 + Character.digit(c, 10) : value;
                continue;
            }
            boolean year = digits == 4 && value > 1300 && value < 2700;
            boolean time = (c == ':' || c == '.' || c == 'h')
                    && (digits == 1 || digits == 2)
                    && i + 2 < words.length()
                    && Character.isDigit(words.charAt(i + 1))
                    && Character.isDigit(words.charAt(i + 2));
            if (year || time || (digits > 0 && "年月日년월일".indexOf(c) >= 0)) {
                return true;
            }
            digits = 0;
            value = 0;
        }
        return false;
    }
}
