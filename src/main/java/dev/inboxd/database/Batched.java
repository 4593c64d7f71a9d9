package dev.inboxd.database;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A statement over rows that travel as its parameters; its text names them once, {@code from {rows} as r}. Several rows
 * go as one array for each column. A single row, which is most of them, goes as plain values, which PostgreSQL plans and
 * runs in half the time.
 *
 * @param <T> what a row is made of
 */
public final class Batched<T> {
    private final List<Column<T>> columns;
    private final String one;
    private final String many;

    private Batched(String sql, List<Column<T>> columns) {
        this.columns = List.copyOf(columns);
        this.one = sql.replace("{rows}", columns.stream().map(Column::plain)
                .collect(Collectors.joining(", ", "(select ", ")")));
        this.many = sql.replace("{rows}", columns.stream().map(Column::element).collect(Collectors.joining(", ",
                "(select ", columns.stream().map(Column::array).collect(Collectors.joining(", ", " from unnest(", ")"))
                + columns.stream().map(Column::name).collect(Collectors.joining(", ", " as u (", "))")))));
    }

    /**
     * A statement.
     *
     * @param sql with {@code {rows}} where the rows are read from
     * @param columns their names, which the text uses and which are parameters too, and their values
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only copied into a list
    public static <T> Batched<T> of(String sql, Column<T>... columns) {
        return new Batched<>(sql, List.of(columns));
    }

    /** As {@link #of(String, Column[])}, for statements that share their columns. */
    public static <T> Batched<T> of(String sql, List<Column<T>> columns) {
        return new Batched<>(sql, columns);
    }

    String sql(int rows) {
        return rows == 1 ? one : many;
    }

    /** The parameters' names and values in turn, and after them those the statement takes besides. */
    @Nullable Object[] values(List<T> rows, @Nullable Object... more) {
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

        private Column(String name, String type, IntFunction<@Nullable Object[]> arrays,
                Function<T, ? extends @Nullable Object> value) {
            this.name = name;
            this.type = type;
            this.arrays = arrays;
            this.value = value;
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
