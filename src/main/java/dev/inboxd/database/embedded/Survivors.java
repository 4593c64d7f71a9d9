package dev.inboxd.database.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an earlier server on the same cluster left behind. The folder lock is ours when this runs, so no other inboxd
 * uses the cluster: a server still running is one whose inboxd was killed.
 *
 * @param cluster the folder with the databases
 */
record Survivors(Path cluster) {
    private static final Logger log = LoggerFactory.getLogger(Survivors.class);
    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(20);

    /** Stops a server that still runs, and removes a lock file that names a process which is no such server. */
    void clear() {
        Path lockFile = cluster.resolve("postmaster.pid");
        OptionalLong named = processIn(lockFile);
        if (named.isEmpty()) {
            return;
        }
        long processId = named.getAsLong();
        if (isOurServer(processId)) {
            stop(processId);
        }
        // A dead server's id may belong to a stranger by now (after a restart of a container it usually does), and may
        // be a zombie's; PostgreSQL takes both for the server alive and would refuse to start for ever.
        if (Files.exists(Path.of("/proc/" + processId)) && !isOurServer(processId)) {
            log.info("Removing the lock file of a database server that is gone (process {})", processId);
            delete(lockFile);
        }
    }

    private void stop(long processId) {
        log.warn("A database server of an earlier run is still up (process {}); stopping it", processId);
        Postmaster.signal("INT", processId);
        long deadline = System.nanoTime() + SHUTDOWN_LIMIT.toNanos();
        while (isOurServer(processId)) {
            if (System.nanoTime() > deadline) {
                throw new EmbeddedPostgresException("A database server of an earlier run (process " + processId
                        + ") still uses " + cluster + " and does not stop. Stop it with: kill -QUIT " + processId);
            }
            Waiting.aMoment(POLL);
        }
    }

    /** A process whose command line names the cluster; a zombie has an empty command line. */
    private boolean isOurServer(long processId) {
        try {
            String commandLine = Files.readString(Path.of("/proc/" + processId + "/cmdline"), StandardCharsets.ISO_8859_1);
            return List.of(commandLine.split("\0")).contains(latin1(cluster.toString()));
        } catch (IOException e) {
            return false; // no such process
        }
    }

    /** Command lines are bytes of any charset: compare them as such. */
    private static String latin1(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static OptionalLong processIn(Path lockFile) {
        try {
            List<String> lines = Files.readAllLines(lockFile);
            return lines.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(lines.getFirst().strip()));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new EmbeddedPostgresException(file + " cannot be removed: " + e.getMessage(), e);
        }
    }
}
