package dev.inboxd.base.database.migration;

import dev.inboxd.base.database.Citus;
import dev.inboxd.base.database.ConnectionFailure;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.SchemaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates the schema to this program's version before the pool opens. Migrations only add, so the version before can
 * still read the tables.
 */
public final class Migrations {
    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
    private static final String FOLDER = "migrations/";
    private static final String NO_RIGHT = "42501";
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** The table that a database has while a copy is written into it; no service starts there. */
    public static final String COPY_MARK = "inboxd_copy.mark";

    private Migrations() {}

    /**
     * How a migration waits for locks. Everybody who needs the table queues behind its lock request, so it gives up
     * soon, lets them pass and tries again (docs/decisions/0046-migrations-and-locks.md).
     *
     * @param lock wait for each lock; at least a millisecond
     * @param times number of attempts
     * @param between runs between two attempts
     */
    record LockTimeout(Duration lock, int times, Runnable between) {
        private static final Duration PAUSE = Duration.ofSeconds(3);
        /** About three minutes in all. */
        static final LockTimeout USUAL = new LockTimeout(Duration.ofSeconds(3), 30, LockTimeout::pause);

        private static void pause() {
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs the missing migrations; safe on several nodes at once.
     *
     * @throws SchemaException when the database has the tables of another revision, or a migration fails or gets no
     *     lock within some minutes; the database is left unchanged then
     * @throws ConnectionFailure when the database cannot be connected to
     */
    public static void run(Database.Location location) {
        ConnectionFailure.require(location, ConnectionFailure.Patience.USUAL);
        requireWhole(location);
        runOverCopy(location);
    }

    /**
     * Runs the missing migrations in a database into which a copy was written.
     *
     * @throws SchemaException as {@link #run} does
     */
    public static void runOverCopy(Database.Location location) {
        try {
            run(location, FOLDER, LockTimeout.USUAL);
        } catch (FlywayException failed) {
            throw new SchemaException(words(failed));
        }
    }

    /**
     * The migrations that have run in a database: the name of each script and the checksum of its text, in the order
     * they ran.
     *
     * @throws DatabaseFailure when none has
     */
    public static List<String> history(Connection connection) {
        try {
            return SchemaHistory.lines(connection);
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /**
     * Sees that a start would not refuse the tables of a database. Changes nothing.
     *
     * @return whether all migrations of this program have run
     * @throws SchemaException when the tables are of another revision or another program, or a copy into the database
     *     has not come to its end
     */
    public static boolean requireUsable(Database.Location location) {
        requireWhole(location);
        requireOurs(location);
        return requireSameRevision(location);
    }

    /**
     * The names of indexes of migrations that are invalid, so that no query uses them.
     *
     * @throws DatabaseFailure when the database does not answer
     */
    public static List<String> invalidIndexes(Database.Location location) {
        return InvalidIndexes.of(location, FOLDER);
    }

    /** Makes those anew, beside the service that runs already; what cannot be made is left, and the log says why. */
    public static void mendIndexes(Database.Location location) {
        InvalidIndexes.mend(location, FOLDER, InvalidIndexes.WAIT);
    }

    /** Tables and views of an extension do not count. */
    private static void requireOurs(Database.Location location) {
        try (Connection connection = Citus.connect(location);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select to_regclass('public.flyway_schema_history') is null"
                        + " and exists (select 1 from pg_catalog.pg_class c"
                        + " where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')"
                        + " and not exists (select 1 from pg_catalog.pg_depend d where d.objid = c.oid"
                        + " and d.classid = 'pg_catalog.pg_class'::regclass and d.deptype = 'e'))")) {
            if (row.next() && row.getBoolean(1)) {
                throw new SchemaException("The database has tables of another program: name an empty database in"
                        + " INBOXD_DATABASE_URL.");
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /**
     * Sees that the tables of a database, if there are any, were made by this revision, in whatever version.
     *
     * @return whether all migrations of this program have run
     * @throws SchemaException when they are of another revision
     */
    public static boolean requireSameRevision(Database.Location location) {
        return SchemaHistory.isComplete(location, FOLDER);
    }

    /**
     * Sees that this program can run the migrations of a copy, and those that follow them.
     *
     * @param history of the copy's source
     * @throws SchemaException when the source is of a later version, or of another revision
     */
    public static void requireKnown(List<String> history) {
        List<String> ours;
        List<String> current = SchemaHistory.current(history);
        try {
            ours = SchemaHistory.lines(FOLDER);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        int common = Math.min(current.size(), ours.size());
        if (current.isEmpty() || !current.subList(0, common).equals(ours.subList(0, common))) {
            SchemaHistory.requireNoFormer(current);
            throw new SchemaException("These tables are of another revision of inboxd, which this one cannot use.");
        }
        if (current.size() > common) {
            throw new SchemaException("These tables are of a later version of inboxd: they have the migration "
                    + current.get(common).split(" ", -1)[0]
                    + ", which this version does not know. Use that version or a later one.");
        }
    }

    /**
     * Runs the migrations of a copy's source and none that follows them.
     *
     * @param history of the source, known to this program
     * @throws SchemaException as {@link #run} does
     */
    public static void runTo(Database.Location location, List<String> history) {
        runTo(location, FOLDER, history);
    }

    static void runTo(Database.Location location, String folder, List<String> history) {
        String version = history.getLast().replaceFirst("^V", "").replaceFirst("__.*", "");
        try {
            migrate(location, folder, LockTimeout.USUAL.lock, version);
        } catch (FlywayException failed) {
            throw new SchemaException(words(failed));
        }
    }

    /** A database that is half a copy is no database of an installation. */
    private static void requireWhole(Database.Location location) {
        try (Connection connection = Citus.connect(location);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select to_regclass('" + COPY_MARK + "') is not null")) {
            if (row.next() && row.getBoolean(1)) {
                throw new SchemaException("A copy into this database has not come to its end: run the same inboxd"
                        + " restore or inboxd move again, which goes on with it, or drop the database.");
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** The database's own words; Flyway puts the statement, which says nothing to an operator, around them. */
    private static String words(FlywayException failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                String remedy = NO_RIGHT.equals(sql.getSQLState())
                        ? " Make the user the owner of its database: alter database … owner to …"
                        : "";
                return "The tables cannot be made or changed, and are as they were: " + sql.getMessage() + "." + remedy;
            }
        }
        return "The tables cannot be made or changed, and are as they were: " + failed.getMessage();
    }

    /**
     * Runs the missing migrations of a folder.
     *
     * @param folder of the scripts on the class path
     */
    static void run(Database.Location location, String folder, LockTimeout patience) {
        if (SchemaHistory.isComplete(location, folder)) {
            // A start that ended right behind the last migration left that to the next one.
            Citus.copyHistory(location);
            return;
        }
        for (int time = 1; true; time++) {
            try {
                SchemaHistory.forgetFailures(location);
                migrate(location, folder, patience.lock, "latest");
                return;
            } catch (FlywayException failed) {
                if (!isLocked(failed)
                        || time == patience.times
                        || Thread.currentThread().isInterrupted()) {
                    throw failed;
                }
                LOG.warn(
                        "A migration waits for a lock that another transaction holds; it lets others pass and tries"
                                + " again, attempt {} of {}",
                        time,
                        patience.times);
                patience.between.run();
            }
        }
    }

    private static boolean isLocked(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** @param version the last one to run */
    private static void migrate(Database.Location location, String folder, Duration lock, String version) {
        FluentConfiguration configuration = Flyway.configure()
                .dataSource(source(location))
                .locations("classpath:" + folder)
                .failOnMissingLocations(true)
                .target(version)
                // SchemaHistory compares the texts, and knows the migrations that the first file replaces.
                .validateOnMigrate(false)
                .connectRetries(0);
        // Flyway's default lock makes "create index concurrently" hang (decision 0002).
        configuration
                .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
                .setTransactionalLock(false);
        configuration.callbacks(new ConnectCallback("set lock_timeout = " + lock.toMillis(), folder));
        configuration.load().migrate();
        Citus.copyHistory(location);
    }

    private static PGSimpleDataSource source(Database.Location location) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(location.url());
        if (location.user() != null) {
            source.setUser(location.user());
        }
        if (location.password() != null) {
            source.setPassword(location.password());
        }
        return source;
    }
}
