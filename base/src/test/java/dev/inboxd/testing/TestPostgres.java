package dev.inboxd.testing;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.StatementTexts;
import dev.inboxd.base.database.embedded.VolatileServer;
import dev.inboxd.base.database.migration.Migrations;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One real PostgreSQL for all tests of this Java, and an empty database for each test that asks. It is the bundled one,
 * or the server that {@code -Dtest.postgres=jdbc:postgresql://host:port/} names, with {@code test.postgres.user},
 * {@code test.postgres.password} and {@code test.postgres.home}, a database that is there. On Citus that is one of a
 * coordinator with its workers; the databases of tests are made on each node then, and dropped at the end.
 */
public final class TestPostgres {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    /** Databases whose service was closed. */
    private static final Deque<Database.Location> LEFT = new ArrayDeque<>();

    private static final int STILL_READ = 8;

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
            return VolatileServer.start(MemoryFolder.of(target), target.resolve("test-programs"));
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
        static final String NAME = TestPostgres.name(migrate());

        private static Database.Location migrate() {
            Database.Location location = database();
            Migrations.run(location);
            return location;
        }
    }

    /** Whether the tests run on Citus. */
    public static boolean isOnCitus() {
        return !nodes().isEmpty();
    }

    /** The nodes of the Citus cluster, as URLs up to the name of a database, the coordinator first; none elsewhere. */
    public static List<String> nodes() {
        return Nodes.URLS;
    }

    private static final class Nodes {
        static final List<String> URLS = find();

        private static List<String> find() {
            VolatileServer server = Running.SERVER;
            List<String> urls = new ArrayList<>();
            try (Connection connection = connect(server.url(), home());
                    Statement statement = connection.createStatement()) {
                if (one(statement, "select 1 from pg_extension where extname = 'citus'") == null) {
                    return urls;
                }
                urls.add(server.url());
                try (ResultSet workers = statement.executeQuery("select nodename || ':' || nodeport from pg_dist_node"
                        + " where groupid <> 0 order by nodeport")) {
                    while (workers.next()) {
                        urls.add("jdbc:postgresql://" + workers.getString(1) + "/");
                    }
                }
                return urls;
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    private static @Nullable String one(Statement statement, String sql) throws SQLException {
        try (ResultSet found = statement.executeQuery(sql)) {
            return found.next() ? found.getString(1) : null;
        }
    }

    private static String home() {
        return System.getProperty("test.postgres", "").isEmpty()
                ? "inboxd"
                : System.getProperty("test.postgres.home", "postgres");
    }

    private static Connection connect(String node, String name) throws SQLException {
        VolatileServer server = Running.SERVER;
        return DriverManager.getConnection(node + name + server.options(), server.user(), server.password());
    }

    /**
     * The service on a database was closed. Hundreds of databases would take gigabytes of memory, so that each is
     * dropped, but for the last few, which their tests may still look at.
     */
    public static void leave(Database.Location location) {
        synchronized (LEFT) {
            LEFT.add(location);
            if (LEFT.size() > STILL_READ) {
                List<String> all = isOnCitus() ? nodes() : List.of(Running.SERVER.url());
                TestCluster.drop(all, TestPostgres::connect, home(), name(LEFT.remove()));
            }
        }
    }

    private static String name(Database.Location location) {
        return location.url().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
    }

    private static Database.Location made(String like) {
        VolatileServer server = Running.SERVER;
        String name = "test_" + ProcessHandle.current().pid() + "_" + NUMBER.incrementAndGet();
        try {
            if (isOnCitus()) {
                TestCluster.make(nodes(), TestPostgres::connect, home(), name, like);
            } else {
                try (Connection connection = connect(server.url(), home());
                        Statement statement = connection.createStatement()) {
                    statement.execute("create database " + name + like);
                }
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        return new Database.Location(server.url() + name + server.options(), server.user(), server.password(), 6);
    }
}
