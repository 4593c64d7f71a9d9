package dev.inboxd.platform.database;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A statement over rows that travel as its parameters; its text names them once, {@code from {rows} as r}. Several rows
 * go as one array for each column. A single row, which is most of them, goes as plain values, which PostgreSQL plans and
 * runs in half the time. Rows of several organizations can go together ({@link CrossTenantRoundTrip}): each then carries its own, and
 * {@code {tenant}} at the beginning of a look-up's columns tells whose row was found.
 *
 * @param <T> what a row is made of
 */
public final class RowStatement<T> {
    /** The column that tells whose a row is, when several organizations' rows travel together. */
    static final String TENANT = "view_organization";

    private static final Pattern ROWS = Pattern.compile("\\{rows} as (\\w+)");
    private static final Pattern SCOPE = Pattern.compile("\\{(?!now}|rows})(\\w+)}");

    private final String text;
    private final List<Column<T>> columns;
    private final String one;
    private final String many;
    private final String acrossTenants;

    private RowStatement(String sql, String across, List<Column<T>> columns) {
        this.text = sql;
        this.columns = List.copyOf(columns);
        this.one = sql.replace("{tenant}", "")
                .replace(
                        "{rows}",
                        columns.stream().map(Column::plain).collect(Collectors.joining(", ", "(select ", ")")));
        this.many = sql.replace("{tenant}", "").replace("{rows}", rows(columns));
        List<Column<T>> owned = new ArrayList<>();
        owned.add(uuid(TENANT, _ -> null));
        owned.addAll(columns);
        this.acrossTenants = scoped(across).replace("{rows}", rows(owned));
    }

    private static <T> String rows(List<Column<T>> columns) {
        return columns.stream()
                .map(Column::element)
                .collect(Collectors.joining(
                        ", ",
                        "(select ",
                        columns.stream().map(Column::array).collect(Collectors.joining(", ", " from unnest(", ")"))
                                + columns.stream()
                                        .map(Column::name)
                                        .collect(Collectors.joining(", ", " as u (", "))"))));
    }

    /** The text with each scope taken from the row: what it is compared to belongs to the row's organization. */
    private static String scoped(String sql) {
        Matcher rows = ROWS.matcher(sql);
        if (!rows.find()) {
            throw new IllegalArgumentException("No {rows} as …: " + sql);
        }
        String alias = rows.group(1);
        String tenant = alias + "." + TENANT;
        String text = sql.replace("{organization}, " + alias + ".*", alias + ".*")
                .replace("{tenant}", tenant + ", ")
                .replace("{organization}", tenant);
        return SCOPE.matcher(text).replaceAll("$1.organization_id = " + tenant);
    }

    /**
     * A statement.
     *
     * @param sql with {@code {rows}} where the rows are read from
     * @param columns their names, which the text uses and which are parameters too, and their values
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only copied into a list
    public static <T> RowStatement<T> of(String sql, Column<T>... columns) {
        return new RowStatement<>(sql, sql, List.of(columns));
    }

    /** As {@link #of(String, Column[])}, for statements that share their columns. */
    public static <T> RowStatement<T> of(String sql, List<Column<T>> columns) {
        return new RowStatement<>(sql, sql, columns);
    }

    /** This statement with another text for rows of several organizations. */
    public RowStatement<T> acrossTenants(String sql) {
        return new RowStatement<>(text, sql, columns);
    }

    String acrossTenants() {
        return acrossTenants;
    }

    /** The values of rows of several organizations, which own them in turn, with those the statement takes besides. */
    Map<String, @Nullable Object> valuesAcross(List<UUID> owners, List<T> rows, @Nullable Object... more) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put(TENANT, owners.toArray(UUID[]::new));
        columns.forEach(column -> values.put(column.name, column.array(rows)));
        for (int i = 0; i < more.length; i += 2) {
            values.put(String.valueOf(more[i]), more[i + 1]);
        }
        return values;
    }

    String sql(int rows) {
        return rows == 1 ? one : many;
    }

    /** The parameters' names and values in turn, and after them those the statement takes besides. */
    @Nullable
    Object[] values(List<T> rows, @Nullable Object... more) {
        @Nullable Object[] values = new Object[columns.size() * 2 + more.length];
        int i = 0;
        for (Column<T> column : columns) {
            values[i++] = column.name;
            values[i++] = rows.size() == 1 ? column.value.apply(rows.getFirst()) : column.array(rows);
        }
        System.arraycopy(more, 0, values, i, more.length);
        return values;
    }

    /**
     * A column of the rows.
     *
     * @param <T> what a row is made of
     */
    public static final class Column<T> {
        private final String name;
        private final String type;
        private final IntFunction<@Nullable Object[]> arrays;
        private final Function<T, ? extends @Nullable Object> value;

        private Column(
                String name,
                String type,
                IntFunction<@Nullable Object[]> arrays,
                Function<T, ? extends @Nullable Object> value) {
            this.name = name;
            this.type = type;
            this.arrays = arrays;
            this.value = value;
        }

        /** This column of rows that hold what it is a column of. */
        public <S> Column<S> of(Function<S, T> part) {
            return new Column<>(name, type, arrays, row -> value.apply(part.apply(row)));
        }

        private String name() {
            return name;
        }

        private String plain() {
            return ":" + name + "::" + type + " as " + name;
        }

        /** Ragged arrays do not make an array of arrays: they travel as texts. */
        private String array() {
            return ":" + name + "::" + (type.endsWith("[]") ? "text" : type) + "[]";
        }

        private String element() {
            return "u." + name + "::" + type + " as " + name;
        }

        private @Nullable Object array(List<T> rows) {
            @Nullable Object[] array = arrays.apply(rows.size());
            Arrays.setAll(array, i -> value.apply(rows.get(i)));
            return array;
        }
    }

    /** A uuid. */
    public static <T> Column<T> uuid(String name, Function<T, ? extends @Nullable UUID> value) {
        return new Column<>(name, "uuid", UUID[]::new, value);
    }

    /** A text. */
    public static <T> Column<T> text(String name, Function<T, ? extends @Nullable String> value) {
        return new Column<>(name, "text", String[]::new, value);
    }

    /** Several texts. */
    public static <T> Column<T> texts(String name, Function<T, ? extends @Nullable List<String>> value) {
        return new Column<>(name, "text[]", String[]::new, row -> TextArray.literal(value.apply(row)));
    }

    /** A JSON value, as text. */
    public static <T> Column<T> json(String name, Function<T, ? extends @Nullable String> value) {
        return new Column<>(name, "jsonb", String[]::new, value);
    }

    /** An integer. */
    public static <T> Column<T> integer(String name, Function<T, ? extends @Nullable Integer> value) {
        return new Column<>(name, "int4", Integer[]::new, value);
    }

    /** A long integer. */
    public static <T> Column<T> bigint(String name, Function<T, ? extends @Nullable Long> value) {
        return new Column<>(name, "int8", Long[]::new, value);
    }

    /** True or false. */
    public static <T> Column<T> flag(String name, Function<T, ? extends @Nullable Boolean> value) {
        return new Column<>(name, "bool", Boolean[]::new, value);
    }

    /** Bytes. */
    public static <T> Column<T> bytes(String name, Function<T, byte @Nullable []> value) {
        return new Column<>(name, "bytea", byte[][]::new, value);
    }

    /** A time. */
    public static <T> Column<T> time(String name, Function<T, ? extends @Nullable Instant> value) {
        return new Column<>(name, "timestamptz", Instant[]::new, value);
    }
}
