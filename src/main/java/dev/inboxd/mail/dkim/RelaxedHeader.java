package dev.inboxd.mail.dkim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A header section in fields, and their relaxed form (RFC 6376 §3.4.2). Latin-1 stands for octets. */
final class RelaxedHeader {
    private final List<Field> fields = new ArrayList<>();

    /**
     * One field.
     *
     * @param name in lower case
     * @param raw with its folds and its final CRLF
     */
    record Field(String name, String raw) {}

    /** Takes a header section apart at the line ends that no white space follows. */
    RelaxedHeader(byte[] section) {
        var text = new String(section, StandardCharsets.ISO_8859_1);
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf("\r\n", start);
            while (end >= 0 && end + 2 < text.length() && isSpace(text.charAt(end + 2))) {
                end = text.indexOf("\r\n", end + 2);
            }
            int next = end < 0 ? text.length() : end + 2;
            var raw = text.substring(start, next);
            int colon = raw.indexOf(':');
            if (colon > 0) {
                fields.add(new Field(raw.substring(0, colon).strip().toLowerCase(Locale.ROOT), raw));
            }
            start = next;
        }
    }

    /**
     * The fields of that name (in lower case), last one first, which is the order signatures count them in (§5.4.2).
     */
    List<Field> lastFirst(String name) {
        return fields.reversed().stream().filter(field -> field.name().equals(name)).toList();
    }

    /** The relaxed form without the final CRLF. */
    static String relaxed(String raw) {
        int colon = raw.indexOf(':');
        var out = new StringBuilder(raw.substring(0, colon).strip().toLowerCase(Locale.ROOT)).append(':');
        int valueStart = out.length();
        boolean space = false;
        for (int i = colon + 1; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '\r' || c == '\n') {
                continue;
            }
            if (isSpace(c)) {
                space = true;
                continue;
            }
            if (space && out.length() > valueStart) {
                out.append(' ');
            }
            space = false;
            out.append(c);
        }
        return out.toString();
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
