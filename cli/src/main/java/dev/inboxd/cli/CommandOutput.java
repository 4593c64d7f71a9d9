package dev.inboxd.cli;

import dev.inboxd.base.json.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the result of a command, as text or as JSON. */
public final class CommandOutput {
    private static final int MAX_INNER_WIDTH = 60;

    /** What is left to print of a result. */
    public enum Remainder {
        /** Nothing: the command has written its result while it read it. */
        NOTHING
    }

    private CommandOutput() {}

    /**
     * Prints a result.
     *
     * @param result an object, a list of objects, or text
     */
    static void print(PrintWriter out, Object result, boolean asJson) {
        if (result instanceof Remainder) {
            out.flush();
        } else if (result instanceof String text) {
            out.print(asJson ? Json.text(Map.of("text", text)) + "\n" : text);
        } else if (asJson) {
            out.println(Json.text(result));
        } else if (Json.stored(Json.text(result)) instanceof List<?> rows) {
            table(out, rows);
        } else if (Json.stored(Json.text(result)) instanceof Map<?, ?> members) {
            object(out, members);
        }
        out.flush();
    }

    /** Prints one line for each member; lists of objects follow as tables. */
    private static void object(PrintWriter out, Map<?, ?> members) {
        int width = members.keySet().stream()
                .mapToInt(name -> name.toString().length())
                .max()
                .orElse(0);
        members.forEach((name, value) -> {
            if (!isTable(value)) {
                out.println(padded(name.toString(), width) + "  " + text(value));
            }
        });
        members.forEach((name, value) -> {
            if (isTable(value) && value instanceof List<?> rows) {
                out.println();
                table(out, rows);
            }
        });
    }

    private static boolean isTable(@Nullable Object value) {
        return value instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Map;
    }

    /** Prints a table. Columns with long values stand last, where they do not move other columns. */
    private static void table(PrintWriter out, List<?> objects) {
        if (objects.isEmpty()) {
            return;
        }
        List<Map<String, Object>> rows =
                objects.stream().map(CommandOutput::members).toList();
        Map<String, List<String>> columns = new LinkedHashMap<>();
        rows.forEach(row -> row.keySet().forEach(name -> columns.computeIfAbsent(name, _ -> column(name, rows))));
        List<List<String>> ordered = columns.values().stream()
                .sorted(Comparator.comparing(cells -> width(cells) > MAX_INNER_WIDTH))
                .toList();
        for (int i = 0; i <= rows.size(); i++) {
            StringBuilder line = new StringBuilder();
            for (List<String> cells : ordered) {
                line.append(padded(cells.get(i), width(cells))).append("  ");
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static List<String> column(String name, List<Map<String, Object>> rows) {
        List<String> cells = new ArrayList<>(List.of(name));
        rows.forEach(row -> cells.add(text(row.get(name))));
        return cells;
    }

    private static int width(List<String> cells) {
        return cells.stream().mapToInt(String::length).max().orElse(0);
    }

    /** An object of the JSON parser: its names are strings. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> members(Object object) {
        return (Map<String, Object>) object;
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "-";
            case Map<?, ?> map ->
                String.join(",", map.keySet().stream().map(String::valueOf).toList());
            case List<?> list ->
                String.join(",", list.stream().map(String::valueOf).toList());
            default -> value.toString();
        };
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
