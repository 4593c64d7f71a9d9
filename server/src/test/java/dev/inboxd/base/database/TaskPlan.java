package dev.inboxd.base.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a Citus cluster would run a statement: prepared there, and explained with values of the right types. */
final class TaskPlan {
    /** Result of a statement that the cluster refuses. */
    static final String REFUSED = "refused";

    private static final Pattern TASKS = Pattern.compile("Task Count: (\\d+)");
    private static final Pattern MARK = Pattern.compile("'(?:[^']|'')*'|\\?");

    private TaskPlan() {}

    /**
     * The number of tasks on shards, all parts of the plan added up; {@link #REFUSED}, a blank and the cluster's words
     * when there is no plan.
     */
    static String tasks(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("prepare planned as " + numbered(sql));
            try {
                return Integer.toString(explain(statement));
            } catch (SQLException refusal) {
                return refused(refusal);
            } finally {
                statement.execute("deallocate planned");
            }
        } catch (SQLException refusal) {
            return refused(refusal);
        }
    }

    private static String refused(SQLException refusal) {
        return REFUSED + " "
                + String.valueOf(refusal.getMessage()).lines().findFirst().orElse("");
    }

    private static int explain(Statement statement) throws SQLException {
        List<String> values = new ArrayList<>();
        try (ResultSet types = statement.executeQuery(
                "select unnest(parameter_types)::text from pg_prepared_statements" + " where name = 'planned'")) {
            while (types.next()) {
                values.add(value(types.getString(1)));
            }
        }
        int tasks = 0;
        String given = values.isEmpty() ? "" : "(" + String.join(", ", values) + ")";
        try (ResultSet lines = statement.executeQuery("explain (costs off) execute planned" + given)) {
            while (lines.next()) {
                Matcher count = TASKS.matcher(lines.getString(1));
                tasks += count.find() ? Integer.parseInt(count.group(1)) : 0;
            }
        }
        return tasks;
    }

    /** With positions, as SQL has them; the driver's question marks within quotes are none. */
    private static String numbered(String sql) {
        int[] position = {0};
        return MARK.matcher(sql)
                .replaceAll(mark ->
                        mark.group().equals("?") ? "\\$" + ++position[0] : Matcher.quoteReplacement(mark.group()));
    }

    private static String value(String type) {
        if (type.endsWith("[]")) {
            return "array[" + value(type.substring(0, type.length() - 2)) + "]::" + type;
        }
        return switch (type) {
            case "uuid" -> "'01920000-0000-7000-8000-000000000001'::uuid";
            case "boolean" -> "true";
            case "jsonb" -> "'{}'::jsonb";
            case "bytea" -> "'\\x00'::bytea";
            case "interval" -> "'1 second'::interval";
            case "date" -> "'2026-01-01'::date";
            default -> type.startsWith("timestamp") ? "'2026-01-01'::" + type : "'1'::" + type;
        };
    }
}
