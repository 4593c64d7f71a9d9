package dev.inboxd.base.database.migration;

import dev.inboxd.base.database.Citus;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes that {@code create index concurrently} left invalid, as it was stopped in the middle. No query uses them,
 * every write keeps them up to date, and {@code if not exists} takes them for made.
 */
final class InvalidIndexes {
    private static final Logger LOG = LoggerFactory.getLogger(InvalidIndexes.class);

    /** Without those that somebody is making at this moment; copies before what they are copies of. */
    private static final String INVALID = """
            select c.relname from pg_catalog.pg_index i
            join pg_catalog.pg_class c on c.oid = i.indexrelid
            where not i.indisvalid and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace
              and not exists (select 1 from pg_catalog.pg_stat_progress_create_index p
                              where p.index_relid = i.indexrelid)
            order by c.relname desc""";

    /** What PostgreSQL puts behind the name of an index that it makes anew. */
    private static final String COPY = "_cc(new|old)\\d*$";

    /** Of an advisory lock, which nothing else takes. */
    private static final long LOCK = 0x696e626f786449L;

    /** The longest wait for a lock of another transaction, as of a dump or a forgotten session. */
    static final Duration WAIT = Duration.ofSeconds(30);

    /** The longest that one index is made, which nothing waits for. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private InvalidIndexes() {}

    /**
     * The names of those that are of migrations.
     *
     * @param folder of the scripts on the class path
     * @throws DatabaseFailure when the database does not answer
     */
    static List<String> of(Database.Location location, String folder) {
        try (Connection connection = Citus.connect(location)) {
            List<String> invalid = names(connection, INVALID);
            if (!invalid.isEmpty()) {
                invalid.retainAll(SchemaHistory.indexes(connection, folder).keySet());
            }
            return invalid;
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /**
     * Drops those of a migration that is about to run: it would take them for made.
     *
     * @param connection of the migration, outside a transaction and under the lock of migrations
     * @param names of the indexes that the migration makes
     */
    static void dropOf(Connection connection, Set<String> names) throws SQLException {
        List<String> invalid = names(connection, INVALID);
        invalid.retainAll(names);
        if (!isLeft(connection, invalid)) {
            for (String name : invalid) {
                drop(connection, name);
            }
        }
    }

    /**
     * Makes those anew that are of migrations, beside the service that runs: this may take as long as {@link #LONGEST}
     * for each. Of several nodes one does it. One that cannot be made anew stays as it is, and the log tells of it: the
     * service works without it.
     *
     * @param folder of the scripts on the class path
     * @param wait for each lock that another transaction has; the index is left then
     */
    static void mend(Database.Location location, String folder, Duration wait) {
        try (Connection connection = Citus.connect(location)) {
            List<String> invalid = names(connection, INVALID);
            if (invalid.isEmpty() || isLeft(connection, ours(connection, folder, invalid))) {
                return;
            }
            if (names(connection, "select 1 where pg_try_advisory_lock(" + LOCK + ")")
                    .isEmpty()) {
                LOG.info("Another node makes invalid indexes anew");
                return;
            }
            try {
                execute(connection, "set lock_timeout = " + wait.toMillis());
                execute(connection, "set statement_timeout = " + LONGEST.toMillis());
                // Another node may have made them since.
                for (String name : ours(connection, folder, names(connection, INVALID))) {
                    remake(connection, name);
                }
            } finally {
                execute(connection, "select pg_advisory_unlock(" + LOCK + ")");
            }
        } catch (SQLException | DatabaseFailure failure) {
            LOG.warn("Invalid indexes are not made anew: {}", words(failure));
        }
    }

    /** Those of migrations that have run, and copies of them. */
    private static List<String> ours(Connection connection, String folder, List<String> invalid) throws SQLException {
        Map<String, Boolean> ours = SchemaHistory.indexes(connection, folder);
        return invalid.stream()
                .filter(name -> ours.getOrDefault(name.replaceFirst(COPY, ""), false))
                .toList();
    }

    /**
     * Whether they are left to people. An index of a distributed table has parts on other nodes, some of which may be
     * missing, and it is invalid there for as long as it is made.
     */
    private static boolean isLeft(Connection connection, List<String> invalid) {
        if (invalid.isEmpty() || !Citus.isInstalled(connection)) {
            return invalid.isEmpty();
        }
        invalid.forEach(name -> LOG.warn("The index {} is invalid; inboxd doctor names the remedy", name));
        return true;
    }

    private static void remake(Connection connection, String name) {
        try {
            if (!name.replaceFirst(COPY, "").equals(name)) {
                drop(connection, name);
                return;
            }
            LOG.warn("The index {} is invalid, and is made anew", name);
            execute(connection, "reindex index concurrently public." + name);
        } catch (SQLException failure) {
            LOG.warn("The index {} cannot be made anew, and what needs it is slow: {}", name, words(failure));
        }
    }

    private static void drop(Connection connection, String name) throws SQLException {
        LOG.warn("The index {} was left unfinished, and is dropped", name);
        execute(connection, "drop index concurrently if exists public." + name);
    }

    /** The lines behind the first one have values of the rows. */
    private static String words(Exception failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static List<String> names(Connection connection, String sql) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
