package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The bundled PostgreSQL on a folder of its own, which waits for no disk and so loses everything when the machine does.
 * Tests that ask what survives start an {@link EmbeddedPostgres} instead.
 *
 * @param url up to the name of a database
 * @param options what follows the name
 * @param user a role that may make databases, and no superuser
 * @param password of that role
 */
public record VolatileServer(String url, String options, String user, String password) {
    private static final int TRIES = 5;

    /** Starts a server that ends with this Java, and whose folder is deleted then. */
    public static VolatileServer start(Path data, Path programs) {
        try {
            DurableFolders.createPrivate(data);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Layout layout = Layout.of(data);
        Cluster cluster = Cluster.open(layout, PostgresPrograms.unpack(programs), ServerUser.current());
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            int port = new LoopbackPort(layout.port()).choose();
            Process process = launchOnOwnThread(cluster, port);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, data)));
            if (isReady(process, layout.cluster().resolve("postmaster.pid"))) {
                return new VolatileServer(
                        "jdbc:postgresql://127.0.0.1:" + port + "/",
                        "?requireAuth=scram-sha-256",
                        Cluster.NAME,
                        cluster.password());
            }
        }
        throw new IllegalStateException("PostgreSQL does not start, see " + layout.log());
    }

    /** The kernel ends the server with the thread that made it (prctl(2), PR_SET_PDEATHSIG), so that one stays. */
    private static Process launchOnOwnThread(Cluster cluster, int port) {
        CompletableFuture<Process> launched = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("postgres").start(() -> {
            try {
                Process process = launch(cluster, port);
                launched.complete(process);
                InterruptibleWait.forExit(process);
            } catch (RuntimeException failure) {
                launched.completeExceptionally(failure);
            }
        });
        return launched.join();
    }

    private static Process launch(Cluster cluster, int port) {
        List<String> command = cluster.serverCommand(ServerTie.BY_SIGNAL, port).stream()
                .map(word -> word.replaceFirst("^(fsync|full_page_writes)=on$", "$1=off"))
                // Some tests have two installations, each with its nodes. Autovacuum would look each minute through the
                // databases of the tests that are over.
                .flatMap(word -> word.startsWith("listen_addresses=")
                        ? Stream.of(word, "-c", "max_connections=200", "-c", "autovacuum_naptime=10min")
                        : Stream.of(word))
                .toList();
        try {
            return ProcessRunner.builder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            cluster.layout().log().toFile()))
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean isReady(Process process, Path lockFile) {
        while (process.isAlive()) {
            try {
                if (Files.readString(lockFile).contains("ready")) {
                    return true;
                }
            } catch (IOException notYet) {
                // The server writes it when it has its port.
            }
            InterruptibleWait.pause(Duration.ofMillis(5));
        }
        return false;
    }

    private static void end(Process process, Path data) {
        // The immediate shutdown: nothing is written that would be deleted anyway.
        Postmaster.signal("QUIT", process.pid());
        InterruptibleWait.forExit(process);
        try {
            DurableFolders.delete(data);
        } catch (IOException left) {
            // The server's own processes end a moment after it and may still write.
        }
    }
}
