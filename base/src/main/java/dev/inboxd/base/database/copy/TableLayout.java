package dev.inboxd.base.database.copy;

import dev.inboxd.base.database.DatabaseFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Utils;

/**
 * A table that a copy takes along.
 *
 * @param table its name in the schema {@code public}
 * @param columns all of them, in the order of the table
 * @param key the columns of the primary key, in its order
 */
public record TableLayout(String table, List<Column> columns, List<Column> key) {
    /** Partitions are read and written through their table. */
    private static final String ASK = """
            select c.relname, a.attname, format_type(a.atttypid, null) as type, a.attcollation <> 0 as collated,
                coalesce((select k.place from unnest(x.indkey::int2[]) with ordinality as k (number, place)
                          where k.number = a.attnum), 0) as place
            from pg_catalog.pg_class c
            join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                and a.attgenerated = ''
            join pg_catalog.pg_index x on x.indrelid = c.oid and x.indisprimary
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            order by c.relname collate "C", a.attnum""";

    private static final String ORGANIZATION = "organization_id";

    public TableLayout {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
    }

    /**
     * A column.
     *
     * @param type as PostgreSQL names it
     * @param collated whether its order depends on a collation; a copy orders it by octets, the same everywhere
     */
    public record Column(String name, String type, boolean collated) {
        String quoted() {
            return '"' + name.replace("\"", "\"\"") + '"';
        }

        private String ordered() {
            return collated ? quoted() + " collate \"C\"" : quoted();
        }
    }

    /** A column with its place in the primary key from 1; 0 when it is not in it. */
    private record PlacedColumn(Column column, int place) {}

    /** The tables of a connection's database that a copy takes along, by name. */
    static List<TableLayout> of(Connection connection) {
        Map<String, List<PlacedColumn>> tables = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(ASK);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                tables.computeIfAbsent(rows.getString("relname"), _ -> new ArrayList<>())
                        .add(new PlacedColumn(
                                new Column(
                                        rows.getString("attname"), rows.getString("type"), rows.getBoolean("collated")),
                                rows.getInt("place")));
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
        tables.keySet().removeAll(TableRules.LEFT.keySet());
        return tables.entrySet().stream()
                .map(table -> layout(table.getKey(), table.getValue()))
                .toList();
    }

    private static TableLayout layout(String table, List<PlacedColumn> placedColumns) {
        List<Column> key = placedColumns.stream()
                .filter(column -> column.place > 0)
                .sorted((left, right) -> Integer.compare(left.place, right.place))
                .map(PlacedColumn::column)
                .toList();
        return new TableLayout(
                table, placedColumns.stream().map(PlacedColumn::column).toList(), key);
    }

    /** Whether it has rows of organizations. */
    boolean isOfOrganizations() {
        return columns.stream().anyMatch(column -> column.name.equals(ORGANIZATION));
    }

    /** Whether a row of one organization can be in the way of another's: the key does not name it. */
    boolean isShared() {
        return isOfOrganizations() && key.stream().noneMatch(column -> column.name.equals(ORGANIZATION));
    }

    /** The statement that finds rows of others with the keys of rows in a temporary table of that name. */
    String taking(String temporary, UUID organization) {
        String join = key.stream().map(Column::quoted).collect(Collectors.joining(", "));
        return "select concat_ws(' ', " + join + ") from " + quoted() + " t join " + temporary + " w using (" + join
                + ") where t." + ORGANIZATION + " is distinct from '" + organization + "' limit 20";
    }

    /** The statement that makes a temporary table like this one. */
    String temporary(String name) {
        return "create temporary table " + name + " (like " + quoted() + ") on commit drop";
    }

    /** The statement that writes rows into it. */
    String writing(String temporary) {
        return "copy " + temporary + " (" + names() + ") from stdin (format binary)";
    }

    /** Where the columns of the key stand among all of them, from 0. */
    int[] keyPlaces() {
        return key.stream().mapToInt(columns::indexOf).toArray();
    }

    /** The statement that reads a range in the order of the key. */
    String reading(KeyRange range) {
        return "copy (select " + names() + " from " + quoted() + where(range) + " order by "
                + key.stream().map(Column::ordered).collect(Collectors.joining(", "))
                + ") to stdout (format binary)";
    }

    /** The statement that writes rows. */
    String writing() {
        return "copy " + quoted() + " (" + names() + ") from stdin (format binary)";
    }

    String deleting(KeyRange range) {
        return "delete from " + quoted() + where(range);
    }

    String asking(KeyRange range) {
        return "select exists (select 1 from " + quoted() + where(range) + ")";
    }

    private String quoted() {
        return "public.\"" + table.replace("\"", "\"\"") + '"';
    }

    private String names() {
        return columns.stream().map(Column::quoted).collect(Collectors.joining(", "));
    }

    private String where(KeyRange range) {
        String after = bound(" > ", range.after());
        String upTo = bound(" <= ", range.upTo());
        BinaryOperator<String> both =
                (left, right) -> left.isEmpty() || right.isEmpty() ? left + right : left + " and " + right;
        String ours = range.organization() == null ? "" : ORGANIZATION + " = '" + range.organization() + "'";
        String all = both.apply(ours, both.apply(after, upTo));
        return all.isEmpty() ? "" : " where " + all;
    }

    private String bound(String operator, @Nullable RowKey value) {
        if (value == null) {
            return "";
        }
        if (value.values().size() != key.size()) {
            throw new CopyException("The copy is not one of this table: " + table + " has another primary key.");
        }
        List<String> literals = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            literals.add(literal(value.values().get(i)) + "::" + key.get(i).type);
        }
        return "(" + key.stream().map(Column::ordered).collect(Collectors.joining(", ")) + ")" + operator + "("
                + String.join(", ", literals) + ")";
    }

    private static String literal(String value) {
        try {
            return "'" + Utils.escapeLiteral(null, value, true) + "'";
        } catch (SQLException impossible) {
            throw new CopyException("A key holds a character that no text of PostgreSQL has.");
        }
    }
}
