package dev.inboxd.base.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.postgresql.util.PSQLWarning;

/** Asks PostgreSQL for the trees of statements. */
final class StatementTree {
    private static final String TREE = "parse tree";

    private StatementTree() {}

    /**
     * The tree of a statement; nothing is run.
     *
     * @param connection of which {@link #show} was called
     * @param sql with question marks as parameters
     */
    static TreeNode of(Connection connection, String sql) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            Objects.requireNonNull(prepared.getParameterMetaData());
            for (SQLWarning each = prepared.getWarnings(); each != null; each = each.getNextWarning()) {
                if (each instanceof PSQLWarning said
                        && String.valueOf(said.getMessage()).startsWith(TREE)) {
                    return TreeNode.read(
                            Objects.requireNonNull(said.getServerErrorMessage().getDetail()));
                }
            }
        }
        throw new SQLException("The server shows no tree of: " + sql);
    }

    /** Lets the server show the trees of what is prepared from now on. */
    static void show(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set debug_pretty_print = off");
            statement.execute("set client_min_messages = log");
            statement.execute("set debug_print_parse = on");
        }
    }

    /** What the catalog says of what trees name by number. */
    record Catalog(
            Map<Long, String> tables,
            Map<Long, Long> organizationColumns,
            Map<Long, String> volatility,
            Map<Long, String> readers,
            Map<Long, String> writers) {
        static Catalog of(Connection connection) throws SQLException {
            return new Catalog(
                    texts(connection, "select oid, relname from pg_class where relkind = 'r'"),
                    numbers(connection, "select attrelid, attnum from pg_attribute where attname = 'organization_id'"),
                    texts(connection, "select oid, provolatile from pg_proc"),
                    texts(
                            connection,
                            "select t.oid, p.provolatile from pg_type t join pg_proc p on p.oid = t.typinput"),
                    texts(
                            connection,
                            "select t.oid, p.provolatile from pg_type t join pg_proc p on p.oid = t.typoutput"));
        }

        private static Map<Long, String> texts(Connection connection, String sql) throws SQLException {
            Map<Long, String> texts = new HashMap<>();
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    texts.put(rows.getLong(1), rows.getString(2));
                }
            }
            return texts;
        }

        private static Map<Long, Long> numbers(Connection connection, String sql) throws SQLException {
            Map<Long, Long> numbers = new HashMap<>();
            texts(connection, sql).forEach((key, value) -> numbers.put(key, Long.parseLong(value)));
            return numbers;
        }
    }
}
