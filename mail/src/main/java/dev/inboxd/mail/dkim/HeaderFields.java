package dev.inboxd.mail.dkim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The fields of a header section, as signatures select them. Octets are Latin-1 characters. */
public final class HeaderFields {
    private final List<Field> fields = new ArrayList<>();
    private final Map<String, List<Field>> byName = new HashMap<>();

    /**
     * One field.
     *
     * @param name in lower case
     * @param raw with its folds and its final CRLF
     */
    public record Field(String name, String raw) {
        /** The text behind the colon, with its folds. */
        public String value() {
            return raw.substring(raw.indexOf(':') + 1);
        }
    }

    /** Splits a header section at the line ends that no white space follows. */
    public HeaderFields(String section) {
        int start = 0;
        while (start < section.length()) {
            int end = section.indexOf("\r\n", start);
            while (end >= 0 && end + 2 < section.length() && isSpace(section.charAt(end + 2))) {
                end = section.indexOf("\r\n", end + 2);
            }
            int next = end < 0 ? section.length() : end + 2;
            String raw = section.substring(start, next);
            int colon = raw.indexOf(':');
            if (colon > 0) {
                Field field = new Field(raw.substring(0, colon).strip().toLowerCase(Locale.ROOT), raw);
                fields.add(field);
                byName.computeIfAbsent(field.name(), _ -> new ArrayList<>()).add(field);
            }
            start = next;
        }
    }

    /** The fields of that name (in lower case) from the top down. */
    public List<Field> all(String name) {
        return byName.getOrDefault(name, List.of());
    }

    /** The fields of that name (in lower case), last one first, the order in which signatures select them (§5.4.2). */
    public List<Field> lastFirst(String name) {
        return all(name).reversed();
    }

    /**
     * The fields that a list of names selects: each repetition of a name selects the next field upwards, and a name
     * without a field selects nothing.
     *
     * @param names in lower case
     */
    List<Field> selected(List<String> names) {
        Map<String, Integer> occurrences = new HashMap<>();
        List<Field> selected = new ArrayList<>();
        for (String name : names) {
            List<Field> upwards = lastFirst(name);
            int next = occurrences.merge(name, 1, Integer::sum) - 1;
            if (next < upwards.size()) {
                selected.add(upwards.get(next));
            }
        }
        return selected;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
