package dev.inboxd.cli.mail;

import dev.inboxd.base.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** JSON as text for people: a table of a list, lines of an object. Nothing in it steers the terminal. */
final class TextTable {
    private static final int WIDEST = 44;
    private static final int GAP = 2;
    /** What people look for first. */
    private static final List<String> FIRST = List.of(
            "timestamp",
            "from",
            "to",
            "subject",
            "title",
            "start",
            "name",
            "email",
            "address",
            "domain",
            "url",
            "status",
            "event_type",
            "labels",
            "enabled",
            "created_at");

    private final Terminal terminal;
    private final List<String> fields;

    /** @param fields the members that are printed, in their order and whole; none for what fits */
    TextTable(Terminal terminal, List<String> fields) {
        this.terminal = terminal;
        this.fields = fields;
    }

    /**
     * Prints a value.
     *
     * @param items what a list has, in plural; empty if nobody knows
     */
    void print(@Nullable Object value, String items) {
        if (value instanceof List<?> list && list.stream().allMatch(Map.class::isInstance)) {
            table(list, items);
        } else if (value instanceof List<?> list) {
            list.forEach(item -> terminal.line(cell(item)));
        } else if (value instanceof Map<?, ?> object) {
            object(fields.isEmpty() ? object : chosen(object));
        } else if (value != null) {
            terminal.line(cell(value));
        }
    }

    private Map<?, ?> chosen(Map<?, ?> object) {
        Map<String, @Nullable Object> chosen = new LinkedHashMap<>();
        fields.forEach(name -> chosen.put(name, object.get(name)));
        return chosen;
    }

    private void object(Map<?, ?> object) {
        int width = object.keySet().stream()
                .mapToInt(name -> name.toString().length())
                .max()
                .orElse(0);
        object.forEach((name, value) -> {
            String padded = padded(name.toString(), width + GAP);
            String text = value instanceof String words
                    ? lines(words).replace("\n", "\n" + " ".repeat(width + GAP))
                    : cell(value);
            terminal.line((padded + text).stripTrailing());
        });
    }

    private void table(List<?> rows, String items) {
        List<List<String>> columns = fields.isEmpty()
                ? fitting(rows, items)
                : fields.stream().map(name -> column(name, rows, true)).toList();
        for (int i = 0; i <= rows.size() && !columns.isEmpty(); i++) {
            StringBuilder line = new StringBuilder();
            for (List<String> column : columns) {
                line.append(padded(column.get(i), width(column) + GAP));
            }
            terminal.line(line.toString().stripTrailing());
        }
    }

    private List<List<String>> fitting(List<?> rows, String items) {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> ((Map<?, ?>) row).forEach((name, value) -> {
            if (!(value instanceof Map) && !isListOfObjects(value)) {
                names.add(name.toString());
            }
        }));
        List<List<String>> columns = new ArrayList<>();
        int room = terminal.width();
        for (String name : ordered(names, CommandName.singular(items) + "_id")) {
            // An id is to be copied, so it is whole.
            List<String> column = column(name, rows, name.endsWith("_id") || name.endsWith("key"));
            int width = width(column) + GAP;
            if (columns.isEmpty() || width <= room) {
                columns.add(column);
                room -= width;
            }
        }
        return columns;
    }

    /** The id of the items, then what people look for, then the rest. */
    private static Set<String> ordered(Set<String> names, String id) {
        Set<String> ordered = new LinkedHashSet<>(List.of(id));
        ordered.addAll(FIRST);
        ordered.retainAll(names);
        ordered.addAll(names);
        return ordered;
    }

    private static boolean isListOfObjects(@Nullable Object value) {
        return value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance);
    }

    private static List<String> column(String name, List<?> rows, boolean isWhole) {
        List<String> column = new ArrayList<>(List.of(name));
        for (Object row : rows) {
            Object value = ((Map<?, ?>) row).get(name);
            String cell = value == null ? "-" : cell(value);
            boolean isLong = !isWhole && cell.codePointCount(0, cell.length()) > WIDEST;
            column.add(isLong ? cell.substring(0, cell.offsetByCodePoints(0, WIDEST - 1)) + "…" : cell);
        }
        return column;
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case String text -> visible(text.replace('\n', ' ')).strip();
            case List<?> list
            when !isListOfObjects(list) ->
                visible(String.join(", ", list.stream().map(String::valueOf).toList()));
            case List<?> _, Map<?, ?> _ -> JsonOutput.safe(Json.text(value));
            default -> value.toString();
        };
    }

    /** A text whose lines stay lines. */
    static String lines(String text) {
        return String.join("\n", text.lines().map(TextTable::visible).toList());
    }

    /** A text without what steers a terminal; line breaks and tabs stay. */
    static String visible(String text) {
        if (text.chars().noneMatch(JsonOutput::isSteering)) {
            return text;
        }
        StringBuilder visible = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            visible.append(c == '\n' || c == '\t' || !JsonOutput.isSteering(c) ? c : '\uFFFD');
        }
        return visible.toString();
    }

    private static int width(List<String> column) {
        return column.stream()
                .mapToInt(cell -> cell.codePointCount(0, cell.length()))
                .max()
                .orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.codePointCount(0, text.length())));
    }
}
