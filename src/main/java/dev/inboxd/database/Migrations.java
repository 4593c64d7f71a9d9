package dev.inboxd.database;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the schema to this program's version before the pool opens. Additive, so one step back stays readable. */
public final class Migrations {
    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
    private static final String FOLDER = "migrations/";
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private Migrations() {}

    /**
     * How long a migration waits for a lock. Behind it everybody queues who wants the table, so it gives up soon, lets
     * them pass and comes again (docs/decisions/0046-migrations-and-locks.md).
     *
     * @param lock for each lock; at least a millisecond
     * @param times how often it comes
     * @param between what happens between two times
     */
    record Patience(Duration lock, int times, Runnable between) {
        private static final Duration PAUSE = Duration.ofSeconds(3);
        /** Some three minutes in all. */
        static final Patience USUAL = new Patience(Duration.ofSeconds(3), 30, Patience::pause);

        private static void pause() {
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Runs what is missing; safe on several nodes at once.
     *
     * @throws FlywayException when one fails, or gets no lock within some minutes; nothing of that one is kept
     */
    public static void run(Database.Location location) {
        run(location, Patience.USUAL);
    }

    static void run(Database.Location location, Patience patience) {
        if (isComplete(location)) {
            return;
        }
        for (int time = 1; true; time++) {
            try {
                migrate(location, patience.lock);
                return;
            } catch (FlywayException failed) {
                if (!isLocked(failed)
                        || time == patience.times
                        || Thread.currentThread().isInterrupted()) {
                    throw failed;
                }
                LOG.warn(
                        "A migration waits for a lock that a transaction of somebody else holds; it lets others pass"
                                + " and comes again, time {} of {}",
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

    /**
     * Whether nothing is missing: one question, where loading Flyway to ask it takes a third of a start's time. Whatever
     * stands against the answer is left to Flyway to say.
     */
    private static boolean isComplete(Database.Location location) {
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                PreparedStatement statement =
                        connection.prepareStatement("select script from flyway_schema_history where success");
                ResultSet rows = statement.executeQuery()) {
            Set<String> missing = scripts();
            boolean known = !missing.isEmpty();
            while (rows.next()) {
                missing.remove(rows.getString("script"));
            }
            return known && missing.isEmpty();
        } catch (SQLException | IOException unknown) {
            return false;
        }
    }

    /** The names of all migrations of this program, which is a jar or a folder of classes. */
    private static Set<String> scripts() throws IOException {
        URL folder = Migrations.class.getResource("/" + FOLDER);
        if (folder == null) {
            return new HashSet<>();
        }
        URLConnection connection = folder.openConnection();
        if (!(connection instanceof JarURLConnection inJar)) {
            try (Stream<Path> files = Files.list(Path.of(URI.create(folder.toString())))) {
                return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(HashSet::new));
            }
        }
        inJar.setUseCaches(false); // so that it is ours to close
        try (JarFile jar = inJar.getJarFile()) {
            return jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith(FOLDER) && name.endsWith(".sql"))
                    .map(name -> name.substring(FOLDER.length()))
                    .collect(Collectors.toCollection(HashSet::new));
        }
    }

    private static void migrate(Database.Location location, Duration lock) {
        FluentConfiguration configuration = Flyway.configure()
                .dataSource(source(location, lock))
                .locations("classpath:migrations")
                .failOnMissingLocations(true)
                .connectRetries(5);
        // Flyway's default lock makes "create index concurrently" hang (decision 0002).
        configuration
                .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
                .setTransactionalLock(false);
        configuration.load().migrate();
    }

    /** Connections that wait for a lock no longer than that. */
    private static PGSimpleDataSource source(Database.Location location, Duration lock) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(location.url());
        if (location.user() != null) {
            source.setUser(location.user());
        }
        if (location.password() != null) {
            source.setPassword(location.password());
        }
        String given = source.getOptions();
        source.setOptions((given == null ? "" : given + " ") + "-c lock_timeout=" + lock.toMillis());
        return source;
    }
}
