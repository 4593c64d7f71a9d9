package dev.inboxd.mail.dkim;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A list of {@code tag=value} (RFC 6376 §3.2) in signatures and key records. Names are case-sensitive and occur once;
 * semicolons separate the tags.
 */
public final class TagList {
    private final String text;
    private final Map<String, int[]> spans; // start and end of each value, without the white space around it

    private TagList(String text, Map<String, int[]> spans) {
        this.text = text;
        this.spans = spans;
    }

    /**
     * Parses a list.
     *
     * @param text one character per octet, folded or not
     * @return null when the text is not a tag list
     */
    public static @Nullable TagList parse(String text) {
        Map<String, int[]> spans = new HashMap<>();
        int at = 0;
        while (true) {
            int end = text.indexOf(';', at);
            int specEnd = end < 0 ? text.length() : end;
            int start = skipBlank(text, at, specEnd);
            if (start == specEnd) {
                // Nothing may follow the last semicolon, but only there, and the list must not be empty.
                return end < 0 && !spans.isEmpty() ? new TagList(text, spans) : null;
            }
            int equals = text.indexOf('=', start);
            if (equals < 0 || equals > specEnd) {
                return null;
            }
            int valueStart = skipBlank(text, equals + 1, specEnd);
            int valueEnd = trimBlank(text, valueStart, specEnd);
            String name = text.substring(start, trimBlank(text, start, equals));
            if (!isName(name)
                    || !isValue(text, valueStart, valueEnd)
                    || spans.put(name, new int[] {valueStart, valueEnd}) != null) {
                return null;
            }
            if (end < 0) {
                return new TagList(text, spans);
            }
            at = end + 1;
        }
    }

    /** The value as written, white space inside included; null when the tag is absent. */
    public @Nullable String get(String name) {
        int[] span = spans.get(name);
        return span == null ? null : text.substring(span[0], span[1]);
    }

    /** The value without any white space, for base64 and lists of names; null when the tag is absent. */
    public @Nullable String compact(String name) {
        String value = get(name);
        if (value == null || value.chars().noneMatch(TagList::isBlank)) {
            return value;
        }
        StringBuilder out = new StringBuilder(value.length());
        value.chars().filter(c -> !isBlank(c)).forEach(c -> out.append((char) c));
        return out.toString();
    }

    /** The list with an empty value for a tag, everything else unchanged (§3.5, b=). */
    String without(String name) {
        int[] span = spans.get(name);
        return span == null ? text : text.substring(0, span[0]) + text.substring(span[1]);
    }

    private static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '_'))) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    /** Visible characters and folding white space; octets of UTF-8 are accepted (RFC 8616). */
    private static boolean isValue(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!isBlank(c) && (c < '!' || c == 0x7F)) {
                return false;
            }
        }
        return true;
    }

    private static int skipBlank(String text, int from, int to) {
        int i = from;
        while (i < to && isBlank(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static int trimBlank(String text, int from, int to) {
        int i = to;
        while (i > from && isBlank(text.charAt(i - 1))) {
            i--;
        }
        return i;
    }

    private static boolean isBlank(int c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }
}
