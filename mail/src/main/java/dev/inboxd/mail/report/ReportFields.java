package dev.inboxd.mail.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the machine-readable parts of reports: groups of {@code name: value} lines, folded like header fields,
 * with an empty line between groups (RFC 3464 §2.1, RFC 5965 §3). Other lines are skipped.
 */
final class ReportFields {
    private static final int MAX_GROUPS = 200;
    private static final int MAX_FIELDS = 2_000;
    private static final int MAX_VALUE = 2_000;
    private static final int MAX_NAME = 80;

    private final List<Field> fields = new ArrayList<>();

    private record Field(String name, String value) {}

    private ReportFields() {}

    /** Parses all groups; groups without fields are left out. */
    static List<ReportFields> groups(String text) {
        List<ReportFields> groups = new ArrayList<>();
        ReportFields group = new ReportFields();
        int read = 0;
        int start = 0;
        while (start < text.length() && groups.size() < MAX_GROUPS && read < MAX_FIELDS) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            String line = text.substring(start, end).stripTrailing();
            start = end + 1;
            if (line.isEmpty()) {
                group = group.closed(groups);
            } else if (group.take(line)) {
                read++;
            }
        }
        group.closed(groups);
        return groups;
    }

    /** All fields as one group, with any lines between them. */
    static ReportFields merged(String text) {
        ReportFields merged = new ReportFields();
        groups(text).forEach(group -> merged.fields.addAll(group.fields));
        return merged;
    }

    private ReportFields closed(List<ReportFields> groups) {
        if (fields.isEmpty()) {
            return this;
        }
        groups.add(this);
        return new ReportFields();
    }

    /** Adds a line; false when it is neither a field nor the continuation of one. */
    private boolean take(String line) {
        if (Character.isWhitespace(line.charAt(0))) {
            if (fields.isEmpty()) {
                return false;
            }
            Field last = fields.removeLast();
            fields.add(new Field(last.name, cut(last.value + " " + line.strip())));
            return true;
        }
        int colon = line.indexOf(':');
        if (colon < 1
                || colon > MAX_NAME
                || line.substring(0, colon).stripTrailing().indexOf(' ') >= 0) {
            return false;
        }
        String name = line.substring(0, colon).stripTrailing().toLowerCase(Locale.ROOT);
        fields.add(new Field(name, cut(line.substring(colon + 1).strip())));
        return true;
    }

    private static String cut(String value) {
        return value.substring(0, Math.min(value.length(), MAX_VALUE));
    }

    /** The first value of a name (in lower case), or null. */
    @Nullable
    String first(String name) {
        return fields.stream()
                .filter(field -> field.name.equals(name))
                .map(Field::value)
                .findFirst()
                .orElse(null);
    }

    /** All values of these names (in lower case). */
    List<String> all(String... names) {
        return fields.stream()
                .filter(field -> List.of(names).contains(field.name))
                .map(Field::value)
                .toList();
    }

    /** Whether there is a field of that name (in lower case). */
    boolean has(String name) {
        return first(name) != null;
    }
}
