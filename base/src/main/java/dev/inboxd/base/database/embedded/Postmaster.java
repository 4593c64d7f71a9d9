package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One running server process. */
final class Postmaster {
    /** Crash recovery replays at most a gigabyte of log; a server that needs longer hangs. */
    private static final Duration READY_LIMIT = Duration.ofMinutes(10);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(5);
    private static final int STATUS_LINE = 7;

    private final Process process;
    private final Path lockFile;

    private Postmaster(Process process, Path lockFile) {
        this.process = process;
        this.lockFile = lockFile;
    }

    /**
     * Starts a server. The calling thread must be a platform thread that lives as long as the server: the kernel ties
     * the death signal to the thread that created the process, so the end of the thread shuts the server down.
     */
    static Postmaster launch(Cluster cluster, int port) {
        ServerTie tie = Platform.current().tie();
        // In its own session, Ctrl-C in the terminal reaches only the service, which then stops the server in order.
        List<String> command = cluster.serverCommand(tie, port);
        try {
            Process process = ProcessRunner.builder(command)
                    .redirectInput(
                            tie.usesInput()
                                    ? ProcessBuilder.Redirect.PIPE
                                    : ProcessBuilder.Redirect.from(
                                            Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            cluster.layout().log().toFile()))
                    .start();
            return new Postmaster(process, cluster.layout().cluster().resolve("postmaster.pid"));
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "PostgreSQL cannot be started (Linux needs setsid, setpriv and unshare of util-linux for it): "
                            + e.getMessage(),
                    e);
        }
    }

    long processId() {
        return process.pid();
    }

    int awaitExit() {
        return InterruptibleWait.forExit(process);
    }

    /**
     * Waits until this very process accepts connections.
     *
     * @return false when it ends before
     */
    boolean awaitReady() {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        while (process.isAlive()) {
            if (saysReady()) {
                return true;
            }
            if (System.nanoTime() > deadline) {
                stop();
                throw new EmbeddedPostgresException(
                        "PostgreSQL is not ready after " + READY_LIMIT.toMinutes() + " min");
            }
            InterruptibleWait.pause(POLL);
        }
        return false;
    }

    /** The server's lock file: its process id in the first line, its state in the eighth (PostgreSQL, miscadmin.h). */
    private boolean saysReady() {
        try {
            List<String> lines = Files.readAllLines(lockFile);
            return lines.size() > STATUS_LINE
                    && lines.getFirst().strip().equals(Long.toString(process.pid()))
                    && lines.get(STATUS_LINE).strip().equals("ready");
        } catch (IOException e) {
            return false; // not written yet
        }
    }

    /** Fast shutdown: open transactions are rolled back, everything committed is written to disk. */
    void stop() {
        if (!process.isAlive()) {
            return;
        }
        signal("INT", process.pid());
        if (!InterruptibleWait.forExit(process, STOP_LIMIT)) {
            signal("QUIT", process.pid()); // immediate shutdown; the next start replays the log
            if (!InterruptibleWait.forExit(process, STOP_LIMIT)) {
                process.destroyForcibly();
                InterruptibleWait.forExit(process);
            }
        }
    }

    /** The JDK sends only TERM and KILL, and TERM (smart shutdown) would wait for every client to disconnect. */
    static void signal(String signal, long processId) {
        ProcessRunner.succeeds(List.of("sh", "-c", "kill -" + signal + " " + processId));
    }
}
