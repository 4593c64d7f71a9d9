package dev.inboxd.base.database;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The forms of a {@link RowStatement} that inserts its rows as they are. A cluster sends an insert to one node only
 * when it sees there whose rows they are: by values, or by a column of a table that lies with them
 * (docs/decisions/0068-citus.md).
 */
final class RowInsert {
    /** In the text of a statement: the organization, as a cluster must see it. */
    static final String ORGANIZATION = "{placed organization}";

    /** In the text of a statement, behind the rows: the join that {@link #ORGANIZATION} needs on a cluster. */
    static final String JOIN = "{placed join}";

    private static final Pattern PLAIN = Pattern.compile(
            "(insert into [^(]+\\([^)]+\\)\\s+)select \\{organization}, (.+?)\\s+from \\{rows} as (\\w+)"
                    + "(\\s+(?:on conflict|returning)\\s.*)?",
            Pattern.DOTALL);

    private static final Pattern QUALIFIED = Pattern.compile(
            "^(\\s*insert into [^(]+\\([^)]+\\)\\s+)select \\{organization}, (.+?)from \\{rows} as (\\w+)",
            Pattern.DOTALL);

    private RowInsert() {}

    /** For a single row: the values themselves. Another statement stays as it is. */
    static String singleRow(String sql, List<? extends RowStatement.Column<?>> columns) {
        Matcher plain = PLAIN.matcher(sql.strip());
        if (!plain.matches()) {
            return many(sql);
        }
        String values = plain.group(2);
        String row = plain.group(3) + ".";
        values = values.replace(
                row + "*", columns.stream().map(RowStatement.Column::single).collect(Collectors.joining(", ")));
        for (RowStatement.Column<?> column : columns) {
            values = Pattern.compile("\\b" + Pattern.quote(row + column.name()) + "\\b")
                    .matcher(values)
                    .replaceAll(Matcher.quoteReplacement(column.single()));
        }
        return plain.group(1) + "values ({organization}, " + values + ")" + tail(plain);
    }

    /** For several rows, or with more than the rows: on a cluster, the organization from its clock's row. */
    static String many(String sql) {
        return QUALIFIED.matcher(sql).replaceFirst("$1select " + ORGANIZATION + ", $2from {rows} as $3" + JOIN);
    }

    private static String tail(Matcher plain) {
        return plain.group(4) == null ? "" : plain.group(4);
    }
}
