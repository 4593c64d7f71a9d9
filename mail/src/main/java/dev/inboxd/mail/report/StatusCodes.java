package dev.inboxd.mail.report;

import dev.inboxd.mail.smtp.EnhancedStatus;
import org.jspecify.annotations.Nullable;

/** Finds failure codes in running text: {@code 5.1.1} (RFC 3463) and {@code 550} (RFC 5321 §4.2). */
final class StatusCodes {
    private static final int MAX_NUMBER = 3;

    private StatusCodes() {}

    /**
     * The codes that a reply begins with.
     *
     * @param reply the first reply code of failure, 0 without any
     * @param leading the status that stands right behind it, or at the start of a text without one, or as qmail writes
     *     it at the end, {@code (#5.1.1)}; else null
     */
    record Codes(int reply, @Nullable EnhancedStatus leading) {}

    /** The codes of a reply, or of a text that quotes one. */
    static Codes of(String text) {
        int at = replyAt(text);
        int from = at < 0 ? 0 : at + 3;
        while (from < text.length() && " -#(['\"".indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        boolean has = from + 4 < text.length() && "245".indexOf(text.charAt(from)) >= 0 && text.charAt(from + 1) == '.';
        EnhancedStatus leading = has ? enhancedAt(text, from) : null;
        int end = text.indexOf("(#");
        boolean atEnd = leading == null
                && end >= 0
                && end + 6 < text.length()
                && "245".indexOf(text.charAt(end + 2)) >= 0
                && text.charAt(end + 3) == '.';
        return new Codes(at < 0 ? 0 : number(text, at, at + 3), atEnd ? enhancedAt(text, end + 2) : leading);
    }

    /** The first code with a reason, or else the first one with only a class; null without any. */
    static @Nullable EnhancedStatus enhanced(String text) {
        EnhancedStatus vague = null;
        for (int i = 0; i + 4 < text.length(); i++) {
            char kind = text.charAt(i);
            if ((kind == '4' || kind == '5')
                    && text.charAt(i + 1) == '.'
                    && (isEdge(text, i - 1) || text.charAt(i - 1) == '-')) { // 550-5.1.1
                EnhancedStatus status = enhancedAt(text, i);
                if (status != null && !isVague(status)) {
                    return status;
                }
                vague = vague == null ? status : vague;
            }
        }
        return vague;
    }

    /** Whether a status gives no more than its first digit. */
    static boolean isVague(EnhancedStatus status) {
        return status.subject() == 0 && status.detail() == 0;
    }

    private static @Nullable EnhancedStatus enhancedAt(String text, int start) {
        int subject = digits(text, start + 2);
        if (subject == start + 2 || subject >= text.length() || text.charAt(subject) != '.') {
            return null;
        }
        int detail = digits(text, subject + 1);
        boolean more = detail < text.length()
                && (Character.isLetterOrDigit(text.charAt(detail))
                        || (text.charAt(detail) == '.'
                                && detail + 1 < text.length()
                                && isDigit(text.charAt(detail + 1))));
        if (detail == subject + 1 || more) {
            return null; // a version, or the address of a host
        }
        return new EnhancedStatus(
                text.charAt(start) - '0', number(text, start + 2, subject), number(text, subject + 1, detail));
    }

    /** The first reply code of failure, 400 to 599; 0 without any. */
    static int reply(String text) {
        int at = replyAt(text);
        return at < 0 ? 0 : number(text, at, at + 3);
    }

    private static int replyAt(String text) {
        for (int i = 0; i + 2 < text.length(); i++) {
            char first = text.charAt(i);
            boolean code = (first == '4' || first == '5')
                    && text.charAt(i + 1) <= '5'
                    && digits(text, i) == i + 3
                    && isEdge(text, i - 1);
            if (code && isBehindCode(text, i + 3)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isBehindCode(String text, int end) {
        return end == text.length() || " -,:;<\n\t\r)]".indexOf(text.charAt(end)) >= 0;
    }

    /** The end of up to three digits. */
    private static int digits(String text, int from) {
        int end = from;
        while (end < text.length() && end - from < MAX_NUMBER && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isEdge(String text, int i) {
        return i < 0 || (!Character.isLetterOrDigit(text.charAt(i)) && ".-/".indexOf(text.charAt(i)) < 0);
    }

    private static int number(String text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            value = 10 * value + text.charAt(i) - '0';
        }
        return value;
    }
}
