package dev.inboxd.base.database;

import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A list in the order of columns that no two rows have alike. A page of it begins behind a cursor and reads by the
 * index of these columns (keyset pagination). The cursor of a row has the values of the columns, in the same order.
 */
public final class KeysetList {
    private final List<Column> columns;

    private record Column(String name, BiFunction<Cursor, Integer, Object> value) {}

    private KeysetList(Column... columns) {
        this.columns = List.of(columns);
    }

    /** By a column with times, and by one with UUIDs. */
    public static KeysetList byTimeAndId(String time, String id) {
        return new KeysetList(new Column(time, Cursor::instant), new Column(id, Cursor::uuid));
    }

    /** By a column with times, and by one with texts. */
    public static KeysetList byTimeAndName(String time, String name) {
        return new KeysetList(new Column(time, Cursor::instant), new Column(name, Cursor::text));
    }

    /** By a column with UUIDs. */
    public static KeysetList byId(String id) {
        return new KeysetList(new Column(id, Cursor::uuid));
    }

    /** By a column with texts. */
    public static KeysetList byName(String name) {
        return new KeysetList(new Column(name, Cursor::text));
    }

    /**
     * The statement that reads the rows of a page.
     *
     * @param select a query of all rows of the list, with a condition at its end
     */
    public Statement page(Tx tx, View view, String select, PageRequest page) {
        Cursor after = page.after();
        Statement statement = tx.sql(view, select + (after == null ? "" : behind(page)) + order(page))
                .bind("limit", page.fetch());
        for (int i = 0; i < columns.size() && after != null; i++) {
            statement.bind(parameter(i), columns.get(i).value.apply(after, i));
        }
        return statement;
    }

    private String behind(PageRequest page) {
        String names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
        String values = IntStream.range(0, columns.size())
                .mapToObj(i -> ":" + parameter(i))
                .collect(Collectors.joining(", "));
        String compare = page.ascending() ? " > " : " < ";
        return columns.size() == 1
                ? " and " + names + compare + values
                : " and (" + names + ")" + compare + "(" + values + ")";
    }

    private String order(PageRequest page) {
        String direction = page.ascending() ? " asc" : " desc";
        return columns.stream()
                .map(column -> column.name + direction)
                .collect(Collectors.joining(", ", " order by ", " limit :limit"));
    }

    private static String parameter(int column) {
        return "cursor_" + column;
    }
}
