package dev.inboxd.base.database.embedded;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one server running: starts it, and restarts it when it dies. */
final class Supervisor {
    private static final Logger log = LoggerFactory.getLogger(Supervisor.class);

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);
    private static final int MOST_QUICK_DEATHS = 5;

    private final Cluster cluster;
    private final ServerLog serverLog;
    private final Thread thread;
    private final List<Runnable> restartListeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> started = new CompletableFuture<>();
    private final CompletableFuture<EmbeddedPostgresException> failure = new CompletableFuture<>();
    private @Nullable Postmaster postmaster;
    private boolean stopping;

    Supervisor(Cluster cluster) {
        this.cluster = cluster;
        serverLog = new ServerLog(cluster.layout().log());
        // A platform thread for the whole life of the server, see Postmaster.launch. It is a daemon, so that a program
        // that does not call close still ends, and ends the server with it.
        thread = Thread.ofPlatform().daemon().name("postgres").unstarted(this::run);
    }

    /**
     * Starts the server and waits until it accepts connections.
     *
     * @return its port
     */
    int start() {
        serverLog.rotate();
        thread.start();
        try {
            return started.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof EmbeddedPostgresException problem ? problem : e;
        }
    }

    synchronized long processId() {
        return postmaster == null ? -1 : postmaster.processId();
    }

    void onRestart(Runnable listener) {
        restartListeners.add(listener);
    }

    CompletableFuture<EmbeddedPostgresException> failure() {
        return failure;
    }

    void stop() {
        Postmaster running;
        synchronized (this) {
            stopping = true;
            running = postmaster;
        }
        if (running != null) {
            running.stop();
        }
    }

    private void run() {
        try {
            int port = firstStart();
            started.complete(port);
            watch(port);
        } catch (RuntimeException e) {
            if (!started.completeExceptionally(e)) {
                giveUp(String.valueOf(e.getMessage()));
            }
        }
    }

    private int firstStart() {
        LoopbackPort ports = new LoopbackPort(cluster.layout().port());
        StartRetry retry = new StartRetry();
        while (true) {
            int port = ports.choose();
            if (attempt(port, retry)) {
                ports.keep(port);
                return port;
            }
        }
    }

    private void watch(int port) {
        int quickDeaths = 0;
        while (true) {
            long readyAt = System.nanoTime();
            int status = current().awaitExit();
            if (isStopping()) {
                return;
            }
            boolean lasted = System.nanoTime() - readyAt > LONG_ENOUGH.toNanos();
            quickDeaths = lasted ? 1 : quickDeaths + 1;
            log.warn("The database server ended with status {}; restarting it", status);
            if (quickDeaths > MOST_QUICK_DEATHS) {
                giveUp("it died " + quickDeaths + " times, each within " + LONG_ENOUGH.toSeconds() + " s of its start");
                return;
            }
            if (!restart(port)) {
                return;
            }
            restartListeners.forEach(Supervisor::runListener);
        }
    }

    /**
     * Restarts the server.
     *
     * @return false when a stop was requested, or when all attempts failed
     */
    private boolean restart(int port) {
        try {
            StartRetry retry = new StartRetry();
            while (!isStopping()) {
                if (attempt(port, retry)) {
                    log.info("The database server is up again (process {})", processId());
                    return true;
                }
            }
        } catch (EmbeddedPostgresException e) {
            if (!isStopping()) {
                giveUp(String.valueOf(e.getMessage()));
            }
        }
        return false;
    }

    /**
     * Makes one attempt.
     *
     * @return false when it failed and another one is due
     */
    private boolean attempt(int port, StartRetry retry) {
        long position = serverLog.size();
        new OrphanProcesses(cluster.layout().cluster()).terminate();
        Postmaster launched = launch(port);
        if (launched.awaitReady()) {
            return true;
        }
        if (retry.endsWithThisFailure()) {
            String said = serverLog.since(position);
            throw new EmbeddedPostgresException("PostgreSQL does not start on "
                    + cluster.layout().cluster() + ". "
                    + (FreeSpace.isShort(cluster.layout().data(), said)
                            ? "The disk is full. Free some of it: a few MB are enough for a start."
                            : "It says:\n" + said));
        }
        InterruptibleWait.pause(PAUSE);
        return false;
    }

    /** Synchronized, so that no server is launched after {@link #stop} looked for one. */
    private synchronized Postmaster launch(int port) {
        if (stopping) {
            throw new EmbeddedPostgresException("The database server is being stopped");
        }
        Postmaster launched = Postmaster.launch(cluster, port);
        postmaster = launched;
        return launched;
    }

    private static void runListener(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            log.error("A listener failed after the restart of the database server", e);
        }
    }

    private void giveUp(String reason) {
        EmbeddedPostgresException problem = new EmbeddedPostgresException("The database server is given up: " + reason);
        log.error("{}", problem.getMessage());
        failure.complete(problem);
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    private synchronized Postmaster current() {
        if (postmaster == null) {
            throw new IllegalStateException("No server was launched");
        }
        return postmaster;
    }
}
