package dev.inboxd.base.database;

import dev.inboxd.base.database.value.TextArray;
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
 * A statement over rows that travel as its parameters; its text names them once, {@code from {rows} as r}. Several
 * rows travel as one array for each column. A single row, the common case, travels as plain values, which PostgreSQL
 * plans and runs in half the time. Rows of several organizations can travel together ({@link CrossTenantRoundTrip}):
 * each row then carries its organization, and {@code {tenant}} at the beginning of a look-up's columns names the
 * organization of the row found.
 *
 * @param <T> the object of a row
 */
public final class RowStatement<T> {
    /** The column with the organization of a row, when rows of several organizations travel together. */
    static final String TENANT = "view_organization";

    private static final String TEXTS = "text[]";
    private static final Pattern ROWS = Pattern.compile("\\{rows} as (\\w+)");
    private static final Pattern SCOPE = Pattern.compile("\\{(?!now}|real_now}|rows})(\\w+)}");

    private final String text;
    private final List<Column<T>> columns;
    private final String singleRow;
    private final String many;
    private final String acrossTenants;

    private RowStatement(String sql, String across, List<Column<T>> columns) {
        this.text = sql;
        this.columns = List.copyOf(columns);
        String own = sql.replace("{tenant}", "");
        this.singleRow = RowInsert.singleRow(own, columns)
                .replace(
                        "{rows}",
                        columns.stream().map(Column::plain).collect(Collectors.joining(", ", "(select ", ")")));
        this.many = RowInsert.many(own).replace("{rows}", rows(columns));
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

    /** The text with each scope taken from the row: a tenant row is compared to rows of its own organization only. */
    private static String scoped(String sql) {
        Matcher rows = ROWS.matcher(sql);
        if (!rows.find()) {
            throw new IllegalArgumentException("No {rows} as …: " + sql);
        }
        String alias = rows.group(1);
        String tenant = alias + "." + TENANT;
        String text = sql.replace("{organization}, " + alias + ".*", alias + ".*")
                .replace("{tenant}", tenant + ", ")
                .replace("{organization}", tenant)
                .replaceAll("\\{(\\w+) found}", "$1.organization_id is not distinct from " + tenant);
        return SCOPE.matcher(text).replaceAll("$1.organization_id = " + tenant);
    }

    /**
     * Creates a statement.
     *
     * @param sql with {@code {rows}} in the place of the rows
     * @param columns the columns of the rows; each name is a parameter, too
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

    /** Replaces the text for rows of several organizations. */
    public RowStatement<T> acrossTenants(String sql) {
        return new RowStatement<>(text, sql, columns);
    }

    String acrossTenants() {
        return acrossTenants;
    }

    /**
     * The values for rows of several organizations.
     *
     * @param owners the organization of each row
     * @param more values of further parameters
     */
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
        return rows == 1 ? singleRow : many;
    }

    /**
     * Names and values of the parameters in turn.
     *
     * @param more names and values of further parameters
     */
    @Nullable
    Object[] values(List<T> rows, @Nullable Object... more) {
        @Nullable Object[] values = new Object[columns.size() * 2 + more.length];
        int i = 0;
        for (Column<T> column : columns) {
            values[i++] = column.name;
            values[i++] = rows.size() == 1 ? column.plain(rows.getFirst()) : column.array(rows);
        }
        System.arraycopy(more, 0, values, i, more.length);
        return values;
    }

    /**
     * A column of the rows.
     *
     * @param <T> the object of a row
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

        /** The same column of rows that contain the object as a part. */
        public <S> Column<S> of(Function<S, T> part) {
            return new Column<>(name, type, arrays, row -> value.apply(part.apply(row)));
        }

        String name() {
            return name;
        }

        /** The value of a single row. */
        String single() {
            return ":" + name + "::" + type;
        }

        private String plain() {
            return single() + " as " + name;
        }

        /** PostgreSQL has no arrays of arrays of different lengths, so such arrays travel as texts. */
        private String array() {
            return ":" + name + "::" + (type.endsWith("[]") ? "text" : type) + "[]";
        }

        private String element() {
            return (type.equals(TEXTS) ? TextArray.unpacked("u." + name) : "u." + name + "::" + type) + " as " + name;
        }

        private @Nullable Object array(List<T> rows) {
            @Nullable Object[] array = arrays.apply(rows.size());
            Arrays.setAll(array, i -> packed(value.apply(rows.get(i))));
            return array;
        }

        private static @Nullable Object packed(@Nullable Object value) {
            return value instanceof List<?> texts ? TextArray.packed(texts) : value;
        }

        private @Nullable Object plain(T row) {
            @Nullable Object columnValue = value.apply(row);
            return columnValue instanceof List<?> texts ? texts.toArray(String[]::new) : columnValue;
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
        return new Column<>(name, TEXTS, String[]::new, value);
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

    /** A boolean. */
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
