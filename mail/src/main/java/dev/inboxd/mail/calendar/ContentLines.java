package dev.inboxd.mail.calendar;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Content lines (RFC 5545 §3.1): each property is one, folded to 75 octets. Whatever a text holds, it stays the value
 * of its property.
 */
final class ContentLines {
    private static final int MOST_OCTETS = 75;
    private static final Pattern LINE_ENDS = Pattern.compile("\\r\\n|[\\r\\x{2028}\\x{2029}]");

    private final StringBuilder out = new StringBuilder();

    /**
     * A property whose name, parameters and value are ours, or were made by the methods below. Control characters in it
     * are dropped, so it is one property whatever it holds.
     */
    ContentLines add(String line) {
        String property = clean(line).replace("\n", "");
        int octets = 0;
        for (int i = 0; i < property.length(); ) {
            int point = property.codePointAt(i);
            int size = octets(point);
            if (octets + size > MOST_OCTETS) {
                out.append("\r\n ");
                octets = 1;
            }
            out.appendCodePoint(point);
            octets += size;
            i += Character.charCount(point);
        }
        out.append("\r\n");
        return this;
    }

    /** A property with a text. */
    ContentLines add(String name, String text) {
        return add(name + ":" + text(text));
    }

    byte[] octets() {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static int octets(int point) {
        return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }

    /** A text as a value (RFC 5545 §3.3.11). */
    static String text(String value) {
        return clean(value)
                .replace("\\", "\\\\")
                .replace(";", "\\;")
                .replace(",", "\\,")
                .replace("\n", "\\n");
    }

    /** A text as the value of a parameter, in quotes (RFC 6868 §3). */
    static String parameter(String value) {
        return '"' + clean(value).replace("^", "^^").replace("\n", "^n").replace("\"", "^'") + '"';
    }

    /** An address as a URI (RFC 6068 §2). */
    static String mailto(String address) {
        return "mailto:"
                + clean(address).codePoints().mapToObj(ContentLines::escaped).collect(Collectors.joining());
    }

    private static String escaped(int point) {
        boolean isPlain = point < 0x80 && (Character.isLetterOrDigit(point) || "-._~!$'*+@".indexOf(point) >= 0);
        if (isPlain) {
            return Character.toString(point);
        }
        StringBuilder escaped = new StringBuilder();
        for (byte octet : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
            escaped.append('%')
                    .append(Character.toUpperCase(Character.forDigit((octet >> 4) & 15, 16)))
                    .append(Character.toUpperCase(Character.forDigit(octet & 15, 16)));
        }
        return escaped.toString();
    }

    /**
     * Line ends of one form, no other control character but the tab, and no half of a pair. The separators of Unicode
     * are line ends too: some programs take them for one.
     */
    private static String clean(String value) {
        StringBuilder clean = new StringBuilder();
        LINE_ENDS.matcher(value).replaceAll("\n").codePoints().forEach(point -> {
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                clean.append('\uFFFD');
            } else if (point == '\n' || point == '\t' || !Character.isISOControl(point)) {
                clean.appendCodePoint(point);
            }
        });
        return clean.toString();
    }
}
