package dev.inboxd.base.database.embedded;

import dev.inboxd.base.io.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An embedded PostgreSQL 18 on the loopback address. It is durable, ends with this process, and is restarted when it
 * dies alone. Thread-safe.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(20);

    private final FolderLock lock;
    private final Supervisor supervisor;
    private final String password;
    private final int port;

    private EmbeddedPostgres(FolderLock lock, Supervisor supervisor, String password, int port) {
        this.lock = lock;
        this.supervisor = supervisor;
        this.password = password;
        this.port = port;
    }

    /**
     * Starts the server on a data folder and returns when it accepts connections: after a few seconds on an empty
     * folder, after a fraction of a second on an existing one.
     *
     * @param dataDirectory the data folder of the service; created when there is none, used by one process at a time
     * @throws EmbeddedPostgresException when it cannot run there; the message names the remedy
     */
    public static EmbeddedPostgres start(Path dataDirectory) {
        return start(dataDirectory, dataDirectory.resolve("programs"));
    }

    /**
     * As {@link #start(Path)}, with the unpacked programs in a folder that several data folders share, as tests do.
     *
     * @param dataDirectory the data folder of the service
     * @param programs the folder for unpacked programs of all versions
     */
    public static EmbeddedPostgres start(Path dataDirectory, Path programs) {
        return start(dataDirectory, programs, null);
    }

    /**
     * A server that another process runs.
     *
     * @param jdbcUrl where to connect
     */
    public record RunningServer(String jdbcUrl, String user, String password) {
        @Override
        public String toString() {
            return "Running[***]";
        }
    }

    /**
     * The server that another process runs on a data folder, for a user who may read that folder; empty when none
     * runs.
     *
     * @throws EmbeddedPostgresException when the folder cannot be read
     */
    public static Optional<RunningServer> running(Path dataDirectory) {
        if (FolderLock.holder(dataDirectory) == null) {
            return Optional.empty();
        }
        Layout layout = Layout.of(dataDirectory);
        try {
            int port = Integer.parseInt(Files.readString(layout.port()).strip());
            return Optional.of(new RunningServer(
                    url(port), Cluster.NAME, Files.readString(layout.password()).strip()));
        } catch (IOException | NumberFormatException unreadable) {
            throw new EmbeddedPostgresException(
                    "The database of the running service cannot be reached: its port and" + " password are in "
                            + dataDirectory + ", and cannot be read: "
                            + (unreadable instanceof IOException file ? FileFailure.words(file) : "no port is there"),
                    unreadable);
        }
    }

    /** Whether a start has made a database in this folder; a folder that cannot be read has none. */
    public static boolean isIn(Path dataDirectory) {
        return Files.isDirectory(new Layout(dataDirectory).cluster());
    }

    static EmbeddedPostgres start(Path dataDirectory, Path programs, @Nullable ServerUser chosen) {
        FolderLock lock = FolderLock.take(dataDirectory);
        @Nullable Supervisor supervisor = null;
        try {
            if (!isIn(dataDirectory)) {
                FreeSpace.require(dataDirectory, Files.isDirectory(programs));
            }
            ServerUser account = chosen == null ? ServerUser.current() : chosen;
            Cluster cluster = Cluster.open(Layout.of(dataDirectory), PostgresPrograms.unpack(programs), account);
            supervisor = new Supervisor(cluster);
            EmbeddedPostgres postgres = new EmbeddedPostgres(lock, supervisor, cluster.password(), supervisor.start());
            postgres.awaitConnection();
            return postgres;
        } catch (RuntimeException e) {
            if (supervisor != null) {
                supervisor.stop();
            }
            lock.close();
            throw e;
        }
    }

    /**
     * The JDBC URL. It requires SCRAM, which proves to both sides that the other knows the password: a stranger's
     * program on the port learns nothing.
     */
    public String jdbcUrl() {
        return url(port);
    }

    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + Cluster.NAME + "?requireAuth=scram-sha-256";
    }

    /** The role of the service. It owns its database and may create others, but is no superuser. */
    public String user() {
        return Cluster.NAME;
    }

    /** The password of this installation. */
    public String password() {
        return password;
    }

    /** The process id of the current server. */
    public long processId() {
        return supervisor.processId();
    }

    /**
     * Registers a listener that runs each time the server was restarted. It runs on the supervising thread and must be
     * quick.
     */
    public void onRestart(Runnable listener) {
        supervisor.onRestart(listener);
    }

    /** Completes when the server keeps dying and is not restarted any more; the service should end then. */
    public CompletableFuture<EmbeddedPostgresException> failure() {
        return supervisor.failure().copy();
    }

    /** Shuts the server down, rolls back open transactions, waits for its end and releases the folder. */
    @Override
    public void close() {
        supervisor.stop();
        lock.close();
    }

    private void awaitConnection() {
        long deadline = System.nanoTime() + CONNECT_LIMIT.toNanos();
        while (true) {
            try {
                DriverManager.getConnection(jdbcUrl(), user(), password()).close();
                return;
            } catch (SQLException e) {
                if (System.nanoTime() > deadline) {
                    throw new EmbeddedPostgresException("PostgreSQL refuses its own password: " + e.getMessage(), e);
                }
                InterruptibleWait.pause(POLL);
            }
        }
    }
}
