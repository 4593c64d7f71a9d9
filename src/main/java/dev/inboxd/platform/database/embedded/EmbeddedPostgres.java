package dev.inboxd.platform.database.embedded;

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
 * A PostgreSQL 18 of our own: durable, on the loopback address, dying with this process and started again when it dies
 * alone. Thread-safe.
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
     * Starts the server on a data folder and returns when it takes connections: in a few seconds on an empty folder, in
     * a fraction of a second later on.
     *
     * @param dataDirectory the data folder of the service; made when there is none, used by one process at a time
     * @throws EmbeddedPostgresException when it cannot run there, with what to do about it
     */
    public static EmbeddedPostgres start(Path dataDirectory) {
        return start(dataDirectory, dataDirectory.resolve("programs"));
    }

    /**
     * The same with the unpacked programs in a folder that several data folders share, as tests do.
     *
     * @param dataDirectory the data folder of the service
     * @param programs where unpacked programs of any version are kept
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
     * The server that another process runs on a data folder, for whoever may read that folder; nothing when none runs.
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
                            + dataDirectory + ", and cannot be read: " + unreadable.getMessage(),
                    unreadable);
        }
    }

    static EmbeddedPostgres start(Path dataDirectory, Path programs, @Nullable ServerUser chosen) {
        FolderLock lock = FolderLock.take(dataDirectory);
        @Nullable Supervisor supervisor = null;
        try {
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
     * Where to connect. The driver is told to accept no login but SCRAM, which proves to both sides that the other
     * knows the password: a stranger on the port gets nothing.
     */
    public String jdbcUrl() {
        return url(port);
    }

    private static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + Cluster.NAME + "?requireAuth=scram-sha-256";
    }

    /** The role of the service, which owns its database and may make others, but is no superuser. */
    public String user() {
        return Cluster.NAME;
    }

    /** The password of this installation. */
    public String password() {
        return password;
    }

    /** The process id of the server running now. */
    public long processId() {
        return supervisor.processId();
    }

    /** Has something run each time the server died and is up again. It is run on the thread that watches: be quick. */
    public void onRestart(Runnable listener) {
        supervisor.onRestart(listener);
    }

    /** Completes when the server keeps dying and is not started any more; the service should then end too. */
    public CompletableFuture<EmbeddedPostgresException> failure() {
        return supervisor.failure().copy();
    }

    /** Shuts the server down, rolling back what is open, waits for its end and lets go of the folder. */
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
