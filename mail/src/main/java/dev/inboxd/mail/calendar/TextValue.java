package dev.inboxd.mail.calendar;

import java.nio.charset.StandardCharsets;

/** Texts as values (RFC 5545 §3.3.11). */
final class TextValue {
    /** What stands behind a backslash; colons and quotes need none, and some programs write one. */
    private static final String ESCAPED = "nN,;\\:\"";

    private TextValue() {}

    /**
     * Undoes the escapes. A backslash before anything else stays, as programs write paths without escaping them.
     *
     * @return the text as {@link #clean} leaves it
     */
    static String read(String value) {
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            char next = c == '\\' && i + 1 < value.length() ? value.charAt(i + 1) : ' ';
            if (ESCAPED.indexOf(next) >= 0) {
                text.append(next == 'n' || next == 'N' ? '\n' : next);
                i++;
            } else {
                text.append(c);
            }
        }
        return clean(text.toString());
    }

    /** A text without control characters but line feeds and tabs; the separators of Unicode are line feeds. */
    static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\u2028' || c == '\u2029') {
                clean.append('\n');
            } else if (c == '\t' || c == '\n' || !Character.isISOControl(c)) {
                clean.append(c);
            }
        }
        return clean.toString();
    }

    /** The text, cut to so many characters. */
    static String characters(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most));
    }

    /** The text, cut between characters to so many octets of UTF-8. */
    static String octets(String text, int most) {
        int octets = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            octets += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (octets > most) {
                return text.substring(0, i);
            }
            i += Character.charCount(point);
        }
        return text;
    }

    /** How many octets a text has in UTF-8. */
    static int size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
