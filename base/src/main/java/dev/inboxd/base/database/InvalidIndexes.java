package dev.inboxd.base.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes that {@code create index concurrently} left invalid, as it was stopped in the middle. No query uses them,
 * every write keeps them up to date, and {@code if not exists} takes them for made.
 */
final class InvalidIndexes {
    private static final Logger LOG = LoggerFactory.getLogger(InvalidIndexes.class);

    /** Without those that somebody is making at this moment; copies before what they are copies of. */
    private static final String FOUND = """
            select c.relname from pg_catalog.pg_index i
            join pg_catalog.pg_class c on c.oid = i.indexrelid
            where not i.indisvalid and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace
              and not exists (select 1 from pg_catalog.pg_stat_progress_create_index p
                              where p.index_relid = i.indexrelid)
            order by c.relname desc""";

    /** What PostgreSQL puts behind the name of an index that it makes anew. */
    private static final String COPY = "_cc(new|old)\\d*$";

    private InvalidIndexes() {}

    /**
     * The names of those that are of migrations.
     *
     * @param folder of the scripts on the class path
     * @throws DatabaseFailure when the database does not answer
     */
    static List<String> of(Database.Location location, String folder) {
        try (Connection connection = connect(location)) {
            List<String> found = found(connection);
            if (!found.isEmpty()) {
                found.retainAll(SchemaHistory.indexes(connection, folder).keySet());
            }
            return found;
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /**
     * Drops those that the next migrations make, and makes those anew that are of earlier ones. One that cannot be made
     * anew stays as it is, and the log tells of it: the service works without it.
     *
     * @param folder of the scripts on the class path
     * @throws DatabaseFailure when the database does not answer, or one cannot be dropped
     */
    static void mend(Database.Location location, String folder) {
        try (Connection connection = connect(location)) {
            List<String> found = found(connection);
            if (found.isEmpty()) {
                return;
            }
            Map<String, Boolean> ours = SchemaHistory.indexes(connection, folder);
            for (String name : found) {
                String of = name.replaceFirst(COPY, "");
                if (Boolean.FALSE.equals(ours.get(name)) || (!of.equals(name) && ours.containsKey(of))) {
                    LOG.warn("The index {} was left unfinished, and is dropped", name);
                    execute(connection, "drop index concurrently if exists public." + name);
                } else if (ours.containsKey(name)) {
                    remake(connection, name);
                }
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    private static void remake(Connection connection, String name) {
        if (Citus.isInstalled(connection)) {
            // An index of a distributed table has parts on other nodes, some of which may be missing.
            LOG.warn("The index {} is invalid; inboxd doctor names the remedy", name);
            return;
        }
        LOG.warn("The index {} is invalid, and is made anew", name);
        try {
            execute(connection, "reindex index concurrently public." + name);
        } catch (SQLException failure) {
            // The lines behind the first one have values of the rows.
            LOG.warn(
                    "The index {} cannot be made anew, and what needs it is slow: {}",
                    name,
                    String.valueOf(failure.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static List<String> found(Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(FOUND)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(Database.Location location) throws SQLException {
        return DriverManager.getConnection(location.url(), location.user(), location.password());
    }
}
