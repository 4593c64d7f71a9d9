package dev.inboxd.receive;

import dev.inboxd.tls.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every script in {@code dialogs} is one test, against a real server over a socket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DialogTest {
    private static final Path SCRIPTS = Path.of("src/test/resources/dialogs");
    private static final long MAX_MESSAGE = 1_000_000;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-20T10:15:30Z"));

    private final Sink intake = new Sink();
    private SmtpServer server;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = new SmtpServer(
                SmtpServer.Config.of("mx.inbox.example", anyPort, MAX_MESSAGE, directory.resolve("spool")), intake,
                ServerTls.selfSigned(directory, "mx.inbox.example", CLOCK), CLOCK);
        server.start();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> everyScriptIsAnsweredAsItSays() throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            return files.filter(file -> file.toString().endsWith(".smtp")).sorted().toList().stream()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
        }
    }

    private void play(Path script) throws Exception {
        RecordingIntake recorder = intake.startOver();
        List<String> lines = Files.readAllLines(script);
        try (Dialog dialog = new Dialog(server.port(), recorder)) {
            for (int i = 0; i < lines.size(); i++) {
                try {
                    dialog.play(lines.get(i));
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(script + ":" + (i + 1) + ": " + lines.get(i), e);
                }
            }
        }
    }
}
