package dev.inboxd.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Debian's PgBouncer in front of a server. */
final class Pooler implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

    private final Process process;
    private final int port;

    private Pooler(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** What a machine lacks to run one, in words; empty when nothing. */
    static String missing() {
        return Files.isExecutable(PROGRAM) ? "" : "needs Debian's package pgbouncer";
    }

    /**
     * Starts one; it takes connections on return.
     *
     * @param settings lines of its configuration
     */
    static Pooler start(Path folder, DebianPostgres server, String... settings) throws IOException {
        int port = FreePort.find();
        Path users =
                Files.writeString(folder.resolve("pooler.users"), "\"inboxd\" \"" + DebianPostgres.PASSWORD + "\"\n");
        Path file = Files.writeString(folder.resolve("pooler-" + port + ".ini"), """
                [databases]
                inboxd = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = plain
                auth_file = %s
                %s
                """.formatted(
                        server.port(), port, users, String.join("\n", settings)));
        List<String> command = new ArrayList<>(DebianPostgres.unprivileged());
        command.addAll(List.of(PROGRAM.toString(), file.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("pooler-" + port + ".log").toFile())
                .start();
        Pooler pooler = new Pooler(process, port);
        Deadline.await("the pooler listens", pooler::isListening);
        return pooler;
    }

    /** The database behind it, as the setting names it. */
    String url() {
        return "postgres://inboxd:" + DebianPostgres.PASSWORD + "@127.0.0.1:" + port + "/inboxd";
    }

    private boolean isListening() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
