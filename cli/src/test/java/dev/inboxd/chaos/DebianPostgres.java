package dev.inboxd.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server of Debian's PostgreSQL 15, in a folder of its own. */
final class DebianPostgres implements AutoCloseable {
    /** The password of each role. */
    static final String PASSWORD = Long.toHexString(System.nanoTime());

    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");

    private final Path data;
    private final int port = FreePort.find();
    private @Nullable Process process;

    private DebianPostgres(Path data) {
        this.data = data;
    }

    /** What a machine lacks to run one, in words; empty when nothing. */
    static String missing() {
        return Files.isExecutable(PROGRAMS.resolve("postgres")) && Files.isExecutable(PROGRAMS.resolve("pg_basebackup"))
                ? ""
                : "needs Debian's packages postgresql-15 and postgresql-client-15";
    }

    /** A new cluster, with a role and a database {@code inboxd} that it owns. */
    static DebianPostgres create(Path folder, String name, String... settings) throws IOException {
        DebianPostgres made = new DebianPostgres(folder.resolve(name));
        Path password = Files.writeString(folder.resolve(name + ".password"), PASSWORD);
        run(
                PROGRAMS.resolve("initdb").toString(),
                "-D",
                made.data.toString(),
                "-U",
                "postgres",
                "-N",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "-A",
                "scram-sha-256",
                "--pwfile=" + password);
        made.start(settings);
        made.execute(
                "postgres",
                "create role inboxd login password '" + PASSWORD + "'",
                "create database inboxd owner inboxd");
        return made;
    }

    /** A standby that follows this server, not started yet. */
    DebianPostgres standby(Path folder, String name) {
        DebianPostgres made = new DebianPostgres(folder.resolve(name));
        run(
                PROGRAMS.resolve("pg_basebackup").toString(),
                "-D",
                made.data.toString(),
                "-R",
                "-c",
                "fast",
                "-h",
                "127.0.0.1",
                "-p",
                String.valueOf(port),
                "-U",
                "postgres");
        return made;
    }

    /** Starts it with settings like {@code fsync=off}; it takes connections on return. */
    void start(String... settings) {
        List<String> command = new ArrayList<>(unprivileged());
        command.addAll(List.of(
                PROGRAMS.resolve("postgres").toString(),
                "-D",
                data.toString(),
                "-c",
                "port=" + port,
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories="));
        for (String setting : settings) {
            command.addAll(List.of("-c", setting));
        }
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            data.resolveSibling(data.getFileName() + ".log").toFile()))
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Deadline.await("PostgreSQL takes connections", this::answers);
    }

    private boolean answers() {
        try (Connection _ = connect("postgres")) {
            return true;
        } catch (SQLException starting) {
            return false;
        }
    }

    /** Host and port, as a URL names them. */
    String host() {
        return "127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    /** Connects as the superuser. */
    Connection connect(String database) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + host() + "/" + database, "postgres", PASSWORD);
    }

    /** Runs statements as the superuser. */
    void execute(String database, String... statements) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Whether a query finds a row, asked as the superuser. */
    boolean hasRow(String database, String sql) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            return found.next();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** kill -9 of all its processes. */
    void kill() {
        Process running = process;
        if (running != null && running.isAlive()) {
            try (Stream<ProcessHandle> children = running.descendants()) {
                List<ProcessHandle> all = children.toList();
                running.destroyForcibly().onExit().join();
                all.forEach(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** Makes a standby the primary; it takes changes on return. */
    void promote() {
        execute("postgres", "select pg_promote()");
    }

    @Override
    public void close() {
        kill();
    }

    /** PostgreSQL refuses to run as root. */
    static List<String> unprivileged() {
        return System.getProperty("user.name").equals("root")
                ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
                : List.of();
    }

    /** A folder in which such servers can be made; it is in the way of nobody. */
    static Path folder(String name) throws IOException {
        Path folder = Files.createTempDirectory(name);
        if (!unprivileged().isEmpty()) {
            start(List.of("chown", "postgres", folder.toString()));
        }
        return folder;
    }

    private static void run(String... command) {
        List<String> whole = new ArrayList<>(unprivileged());
        whole.addAll(List.of(command));
        start(whole);
    }

    private static void start(List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("PGPASSWORD", PASSWORD);
            Process running = builder.start();
            String said = running.inputReader().readAllAsString();
            if (!running.waitFor(60, TimeUnit.SECONDS) || running.exitValue() != 0) {
                throw new IllegalStateException(command + ": " + said);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
