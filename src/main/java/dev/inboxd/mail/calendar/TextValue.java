package dev.inboxd.mail.calendar;

import java.nio.charset.StandardCharsets;

/** Texts as values (RFC 5545 §3.3.11). */
final class TextValue {
    private TextValue() {}

    /**
     * Undoes the escapes. A backslash before anything else stays, as programs write paths without escaping them.
     *
     * @return the text without control characters but line feeds and tabs
     */
    static String read(String value) {
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && i + 1 < value.length()) {
                char next = value.charAt(i + 1);
                if (next == 'n' || next == 'N') {
                    text.append('\n');
                    i++;
                    continue;
                }
                if (next == ',' || next == ';' || next == '\\' || next == ':' || next == '"') {
                    text.append(next);
                    i++;
                    continue;
                }
            }
            if (isPlain(c)) {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** A text without control characters but line feeds and tabs. */
    static String withoutControls(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (isPlain(text.charAt(i))) {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }

    private static boolean isPlain(char c) {
        return c == '\t' || c == '\n' || !Character.isISOControl(c);
    }

    /** The text, cut to so many characters. */
    static String characters(String text, int most) {
        return text.codePointCount(0, text.length()) <= most ? text : text.substring(0, text.offsetByCodePoints(0, most));
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
