package dev.inboxd.mail.reply.line;

import dev.inboxd.mail.reply.phrase.PhraseTree;
import dev.inboxd.mail.reply.phrase.Phrases;

/** Text of one or more joined lines that may be an attribution. */
final class AttributionLine {
    /** The colon, and the signs of other scripts that stand for it. */
    private static final String COLONS = ":：﹕︓∶՝։፡፦៖᠄";

    private static final String START = "-*_> \u200E\u200F\u202A\u202B\u2067";
    private static final String END = "-–—*_ \u200E\u200F\u202C\u2069" + COLONS;

    private static final int MAX_DATE_WORDS = 8;

    private final String window;
    private final String words;
    private final boolean ended;

    /** What stands below an attribution. */
    enum Below {
        TEXT,
        /** A blockquote of HTML, which may be the author's own. */
        BLOCKQUOTE,
        QUOTE
    }

    AttributionLine(String window) {
        this.window = window;
        int start = 0;
        while (start < window.length() && START.indexOf(window.charAt(start)) >= 0) {
            start++;
        }
        int end = window.length();
        boolean colon = false;
        while (end > start && END.indexOf(window.charAt(end - 1)) >= 0) {
            end--;
            colon |= isColon(window.charAt(end));
        }
        words = window.substring(start, end);
        ended = colon || window.endsWith("--");
    }

    /** The words without decoration and without the colon. */
    String words() {
        return words;
    }

    static boolean isColon(char c) {
        return COLONS.indexOf(c) >= 0;
    }

    /** Whether a line that ends so may end an attribution. */
    static boolean isEnd(char c) {
        return isColon(c) || c == '>' || c == '-' || c == '–' || c == '—';
    }

    boolean isAttribution(Below below) {
        boolean beforeQuote = below == Below.QUOTE;
        boolean address = words.indexOf('@') >= 0;
        boolean date = hasDate();
        if (below != Below.TEXT && (isBuiltLikeOne(address, date) || isKnownForm(address))) {
            return true;
        }
        if (!ended) {
            // Gmail's form for languages that it has no words for.
            return startsWithIsoDate(words) && (words.contains(" gmt") || (words.endsWith(">") && address));
        }
        if (Phrases.WROTE.longest(words, words.length()) != null) {
            return address || date || beforeQuote;
        }
        if (Phrases.SAID.longest(words, words.length()) != null) {
            return beforeQuote ? address || hasOpening() : address && date;
        }
        if (Phrases.WROTE_ON.isWithin(words) && date) {
            return true;
        }
        boolean verb = Phrases.WROTE_WITHIN.isWithin(words);
        boolean named = endsWithAddress() && (verb || hasOpening());
        return date && (address ? named || (verb && beforeQuote) : verb && beforeQuote && hasOpening());
    }

    /** A date, an address and a colon above a quote are an attribution in every language, whatever its words. */
    private boolean isBuiltLikeOne(boolean address, boolean date) {
        if (!address || !date) {
            return false;
        }
        boolean colon = ended && !window.endsWith("--");
        boolean dated = hasYear() && hasTime(words);
        return colon ? hasAddressInBrackets() || dated : hasYear() && hasAddressInBrackets();
    }

    /** Forms of programs that need no address, or no date, above a quote. */
    private boolean isKnownForm(boolean address) {
        if (!ended) {
            return false;
        }
        if (address && Phrases.QUOTING.longest(words, 0) != null) {
            return true;
        }
        boolean listed = window.startsWith("* ") && words.endsWith("]") && words.indexOf('[') > 0;
        return listed ? hasYear() && hasTime(words) : endsWithDate();
    }

    /** Whether nothing but a date stands behind the verb: "Bob wrote on 27.11.2026 10:00". */
    private boolean endsWithDate() {
        if (!hasYear()) {
            return false;
        }
        for (int at = 0; at >= 0 && at < words.length(); at = words.indexOf(' ', at + 1)) {
            int start = at == 0 ? 0 : at + 1;
            PhraseTree.Match verb = Phrases.WRITTEN.longest(words, start);
            if (verb != null) {
                String tail = words.substring(verb.edge());
                boolean brief = tail.chars().filter(c -> c == ' ').count() <= MAX_DATE_WORDS;
                return brief && hasYear(tail) && (start == 0 || hasTime(tail));
            }
        }
        return false;
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

    private boolean hasAddressInBrackets() {
        for (int at = words.indexOf('@'); at >= 0; at = words.indexOf('@', at + 1)) {
            int start = at;
            while (start > 0 && "<([ ".indexOf(words.charAt(start - 1)) < 0) {
                start--;
            }
            if (start > 0 && words.charAt(start - 1) != ' ') {
                return true;
            }
        }
        return false;
    }

    boolean hasDate() {
        return hasDate(words);
    }

    boolean hasYear() {
        return hasYear(words);
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

    /** Whether a text contains a year, a time of day, or a number before a unit of East Asian dates. */
    static boolean hasDate(String words) {
        return hasYear(words) || hasTime(words, false);
    }

    /** Whether a text contains a number that may be a year, or one before a unit of East Asian dates. */
    static boolean hasYear(String words) {
        for (int i = 0; i < words.length(); ) {
            int end = endOfNumber(words, i);
            if (end == i) {
                i++;
                continue;
            }
            boolean unit = end < words.length() && "年月日년월일".indexOf(words.charAt(end)) >= 0;
            if (unit || (end - i == 4 && isYear(words, i))) {
                return true;
            }
            i = end;
        }
        return false;
    }

    private static boolean isYear(String words, int start) {
        int value = 0;
        for (int i = start; i < start + 4; i++) {
            value = value * 10 + Character.digit(words.charAt(i), 10);
        }
        return value > 1300 && value < 2700;
    }

    /** Whether a text contains a time of day. */
    private static boolean hasTime(String words) {
        return hasTime(words, true);
    }

    /** @param strict whether numbers between full stops, of which a date may be made, are none */
    private static boolean hasTime(String words, boolean strict) {
        for (int i = 0; i < words.length(); ) {
            int end = endOfNumber(words, i);
            if (end == i) {
                i++;
                continue;
            }
            boolean sign = end + 2 < words.length() && ":.h時点시时點".indexOf(words.charAt(end)) >= 0;
            boolean ofDate = strict && (isStop(words, i - 1) || (isStop(words, end) && isStop(words, end + 3)));
            if (sign && !ofDate && end - i <= 2 && isDigits(words, end + 1, end + 3)) {
                return true;
            }
            i = end;
        }
        return false;
    }

    private static boolean isStop(String words, int at) {
        return at >= 0 && at < words.length() && words.charAt(at) == '.';
    }

    private static int endOfNumber(String words, int start) {
        int end = start;
        while (end < words.length() && Character.isDigit(words.charAt(end))) {
            end++;
        }
        return end;
    }
}
