package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What macOS uses, tried here: it needs a shell and Perl alone. The tie of Linux is tried by KilledServiceDbTest. */
class ServerTieDbTest {
    @TempDir
    private Path data;

    @Test
    @Tag("long")
    void aServerTiedByAPipeEndsInOrderWhenTheOtherEndIsClosed() throws Exception {
        TestServers.fill(data);
        Cluster cluster =
                Cluster.open(Layout.of(data), PostgresPrograms.unpack(TestServers.PROGRAMS), ServerUser.current());
        Path lockFile = cluster.layout().cluster().resolve("postmaster.pid");
        Process server = ProcessRunner.builder(cluster.serverCommand(ServerTie.BY_PIPE, freePort()))
                .redirectOutput(cluster.layout().log().toFile())
                .start();
        try {
            Eventually.await(() -> isReady(lockFile));
            assertThat(Files.readAllLines(lockFile).getFirst())
                    .as("the process that was started is the server")
                    .isEqualTo(Long.toString(server.pid()));
            assertThat(session(server.pid())).as("it leads a session").isEqualTo(server.pid());
            server.getOutputStream().close();
            assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isZero();
            assertThat(lockFile).as("it ended in order").doesNotExist();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static boolean isReady(Path lockFile) {
        try {
            return Files.exists(lockFile) && Files.readString(lockFile).contains("ready");
        } catch (IOException gone) {
            return false;
        }
    }

    /** The sixth field (proc(5)); the name before it is "(postgres)", without blanks. */
    private static long session(long processId) throws IOException {
        return Long.parseLong(
                Files.readString(Path.of("/proc/" + processId + "/stat")).split(" ", -1)[5]);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
