package dev.inboxd.testing;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Migrations;
import dev.inboxd.platform.database.StatementTexts;
import dev.inboxd.platform.database.embedded.VolatileServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One real PostgreSQL for all tests of this Java, and an empty database for each test that asks. It is the bundled one,
 * or the server that {@code -Dtest.postgres=jdbc:postgresql://host:port/} names, with {@code test.postgres.user}
 * and {@code test.postgres.password}.
 */
public final class TestPostgres {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private TestPostgres() {}

    private static final class Running {
        static final VolatileServer SERVER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(StatementTexts::write));
        }

        private static VolatileServer start() {
            String external = System.getProperty("test.postgres", "");
            if (!external.isEmpty()) {
                return new VolatileServer(
                        external,
                        "",
                        System.getProperty("test.postgres.user", "postgres"),
                        System.getProperty("test.postgres.password", ""));
            }
            Path target = Path.of("target").toAbsolutePath();
            return VolatileServer.start(
                    target.resolve("test-data-" + ProcessHandle.current().pid()), target.resolve("test-programs"));
        }
    }

    /** A database as a setting names it. */
    public static String setting(Database.Location location) {
        String url = location.url() + (location.url().contains("?") ? "&" : "?") + "user=" + location.user();
        return String.valueOf(location.password()).isEmpty() ? url : url + "&password=" + location.password();
    }

    /** A new, empty database. */
    public static Database.Location database() {
        return made("");
    }

    /** A new database with the product's schema: a copy of one that was migrated, which takes a third of the time. */
    public static Database.Location migrated() {
        return made(" template " + Migrated.NAME);
    }

    /** Nobody is connected to it, or it could not be copied. */
    private static final class Migrated {
        static final String NAME = name(migrate());

        private static Database.Location migrate() {
            Database.Location location = database();
            Migrations.run(location);
            return location;
        }

        private static String name(Database.Location location) {
            return location.url().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        }
    }

    private static Database.Location made(String like) {
        VolatileServer server = Running.SERVER;
        String name = "test_" + ProcessHandle.current().pid() + "_" + NUMBER.incrementAndGet();
        String home = System.getProperty("test.postgres", "").isEmpty() ? "inboxd" : "postgres";
        try (Connection connection = DriverManager.getConnection(
                        server.url() + home + server.options(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name + like);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        return new Database.Location(server.url() + name + server.options(), server.user(), server.password(), 6);
    }
}
