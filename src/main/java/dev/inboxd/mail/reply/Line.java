package dev.inboxd.mail.reply;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of a message.
 *
 * @param text as written, without its end
 * @param words the same folded, without the spaces around it
 */
record Line(String text, String words) {
    /** What comes after so many lines is not looked at, and belongs to what it follows. */
    private static final int MAX_LINES = 10_000;

    private static final int MAX_LABEL_LINE = 2_000;

    /** A line of text; of a very long one only the beginning and nothing else is looked at. */
    static Line of(String text) {
        return new Line(text, Phrases.fold(text.length() > MAX_LABEL_LINE ? text.substring(0, MAX_LABEL_LINE) : text)
                .strip());
    }

    /** The lines of a text; the last one has all the rest when there are too many. */
    static List<Line> split(String text) {
        List<Line> lines = new ArrayList<>();
        int start = 0;
        while (start <= text.length()) {
            int end = lines.size() < MAX_LINES - 1 ? text.indexOf('\n', start) : -1;
            if (end < 0) {
                end = text.length();
            }
            lines.add(of(text.substring(start, end)));
            start = end + 1;
        }
        return lines;
    }

    boolean isEmpty() {
        return words.isEmpty();
    }

    /** RFC 3676 §4.5, and the initials that some programs put before the sign: {@code AB> }. */
    boolean isQuoted() {
        int i = 0;
        while (i < words.length() && i < 4 && Character.isLetter(words.charAt(i))) {
            i++;
        }
        return i < words.length() && words.charAt(i) == '>' && (i == 0 || !text.contains("<"));
    }

    /** The words without the signs that divide, decorate and quote: at both ends, and asterisks everywhere. */
    String plain() {
        int start = 0;
        int end = words.length();
        while (start < end && isDecoration(words.charAt(start))) {
            start++;
        }
        while (end > start && isDecoration(words.charAt(end - 1))) {
            end--;
        }
        String plain = words.substring(start, end);
        return plain.indexOf('*') < 0 && plain.indexOf('[') < 0 ? plain : without(plain);
    }

    private static String without(String text) {
        StringBuilder rest = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '*' && c != '[' && c != ']') {
                rest.append(c);
            }
        }
        return rest.toString();
    }

    static boolean isDecoration(char c) {
        return "-_=*~#+>|<[]()\"'«»„“”—–─━ .\u200E\u200F\u202A\u202B\u202C\u00AD\u1427".indexOf(c) >= 0;
    }

    /** No words at all, and signs that divide. */
    boolean isRule() {
        for (int i = 0; i < words.length(); i++) {
            if ("-_=*~#+—–─━\u1427\u200E\u200F ".indexOf(words.charAt(i)) < 0) {
                return false;
            }
        }
        return !words.isEmpty();
    }
}
