package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes of an earlier server on the same cluster. This process holds the folder lock and runs no server when this
 * is called, so any PostgreSQL process on the cluster belongs to an inboxd or a postmaster that was killed.
 *
 * @param cluster the cluster's folder, its real path
 * @param table the running processes
 */
record OrphanProcesses(Path cluster, ProcessTable table) {
    private static final Logger log = LoggerFactory.getLogger(OrphanProcesses.class);
    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(60);
    private static final Set<String> PROGRAMS = Set.of("initdb", "postgres");
    private static final Duration POLL = Duration.ofMillis(20);

    /** Larger than the largest process id of Linux (2^22, proc(5)), and still one that PostgreSQL can parse. */
    private static final String NOBODY = Integer.toString(Integer.MAX_VALUE);

    OrphanProcesses(Path cluster) {
        this(cluster, ProcessTable.current());
    }

    /** Ends them, to make way for a new server. After an orderly stop, which leaves no lock file, nothing is done. */
    void terminate() {
        Path lockFile = cluster.resolve("postmaster.pid");
        OptionalLong named = processIn(lockFile);
        if (named.isEmpty()) {
            return;
        }
        long postmaster = named.getAsLong();
        if (isPostmaster(postmaster)) {
            stop(postmaster);
        }
        // A backend in the middle of a statement does not notice that its postmaster is dead, and blocks the next one.
        orphans().forEach(ProcessHandle::destroyForcibly);
        if (Files.exists(lockFile) && table.has(postmaster)) {
            disown(lockFile, postmaster);
        }
    }

    /** Kills every program that works on the folder, also one that makes the cluster, and waits for its end. */
    void kill() {
        long deadline = System.nanoTime() + SHUTDOWN_LIMIT.toNanos();
        for (List<ProcessHandle> processes = users(); !processes.isEmpty(); processes = users()) {
            processes.forEach(ProcessHandle::destroyForcibly);
            if (System.nanoTime() > deadline) {
                throw new EmbeddedPostgresException(
                        "Processes of an earlier start still use " + cluster + " and do not end: "
                                + processes.stream().map(ProcessHandle::pid).toList());
            }
            InterruptibleWait.pause(POLL);
        }
    }

    private void stop(long postmaster) {
        log.warn("A database server of an earlier run is still up (process {}); stopping it", postmaster);
        Postmaster.signal("INT", postmaster);
        long deadline = System.nanoTime() + SHUTDOWN_LIMIT.toNanos();
        while (isPostmaster(postmaster)) {
            if (System.nanoTime() > deadline) {
                throw new EmbeddedPostgresException("A database server of an earlier run (process " + postmaster
                        + ") still uses " + cluster + " and does not stop. Stop it with: kill -QUIT " + postmaster);
            }
            InterruptibleWait.pause(POLL);
        }
    }

    /**
     * Replaces the process id in the lock file. It names a zombie, or an unrelated process that got the id of a dead
     * server, as often happens when a container restarts; PostgreSQL would take either for its server and refuse to
     * start. The other lines stay: with them PostgreSQL checks that nobody uses the shared memory.
     */
    private static void disown(Path lockFile, long postmaster) {
        log.info("The lock file of the database names process {}, which is not its server", postmaster);
        try {
            List<String> lines = new ArrayList<>(Files.readAllLines(lockFile));
            lines.set(0, NOBODY);
            Files.write(lockFile, lines);
        } catch (IOException e) {
            throw new EmbeddedPostgresException(lockFile + " cannot be rewritten: " + e.getMessage(), e);
        }
    }

    /**
     * Whether a running process has the cluster in its command line. The command line of a zombie is empty, that of a
     * backend is a status line.
     */
    private boolean isPostmaster(long processId) {
        return table.commandLine(processId).contains(ProcessTable.bytes(cluster.toString()));
    }

    private boolean isNamedBy(long processId) {
        return isPostmaster(processId)
                || table.commandLine(processId).contains(ProcessTable.bytes("--pgdata=" + cluster));
    }

    /** Every process of PostgreSQL has the cluster for its working folder, where the system tells. */
    private List<ProcessHandle> orphans() {
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes
                    .filter(process -> cluster.equals(table.workingFolder(process)))
                    .filter(process -> table.program(process).endsWith("postgres"))
                    .toList();
        }
    }

    /** As {@link #orphans}, and those whose command line names the folder. */
    private List<ProcessHandle> users() {
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes
                    .filter(process -> cluster.equals(table.workingFolder(process)) || isNamedBy(process.pid()))
                    .filter(process -> PROGRAMS.contains(
                            String.valueOf(table.program(process).getFileName())))
                    .toList();
        }
    }

    private static OptionalLong processIn(Path lockFile) {
        try {
            List<String> lines = Files.readAllLines(lockFile);
            return lines.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(Long.parseLong(lines.getFirst().strip()));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
