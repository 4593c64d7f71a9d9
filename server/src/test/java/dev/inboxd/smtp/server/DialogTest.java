package dev.inboxd.smtp.server;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.rate.Networks;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private static final Path SCRIPTS = Path.of("server/src/test/resources/dialogs");
    private static final long MAX_MESSAGE = 1_000_000;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-20T10:15:30Z"));

    private final SharedServer intake = new SharedServer();
    private final Map<String, SmtpServer> servers = new HashMap<>();

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        ServerTls tls = ServerTls.selfSigned(directory, List.of("mx.inbox.example"), CLOCK);
        Networks loopback = new Networks(List.of("127.0.0.0/8", "::1"));
        start("", new SmtpServer(config(directory, "mx"), intake, tls, CLOCK));
        start(
                "proxied",
                new SmtpServer(
                        config(directory, "proxied")
                                .withProxies(new UpstreamProxies(UpstreamProxies.Mode.PROXY, loopback)),
                        intake,
                        tls,
                        CLOCK));
        start(
                "relayed",
                new SmtpServer(
                        config(directory, "relayed")
                                .withProxies(new UpstreamProxies(UpstreamProxies.Mode.XCLIENT, loopback)),
                        intake,
                        tls,
                        CLOCK));
        start(
                "submission",
                new SmtpServer(
                        config(directory, "submission").withBounds(50, Duration.ofMinutes(30)),
                        new ListenerRole.Submission(new SingleUserAuthenticator(intake)),
                        tls,
                        CLOCK));
    }

    private static SmtpServer.Config config(Path directory, String spool) {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return SmtpServer.Config.of("mx.inbox.example", anyPort, MAX_MESSAGE, directory.resolve(spool));
    }

    private void start(String folder, SmtpServer server) {
        server.start(new Metrics());
        servers.put(folder, server);
    }

    @AfterAll
    void stop() {
        servers.values().forEach(SmtpServer::close);
    }

    @TestFactory
    @Proves("A1a")
    Stream<DynamicTest> everyScriptIsAnsweredAsItSays() throws IOException {
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            return files.filter(file -> file.toString().endsWith(".smtp")).sorted().toList().stream()
                    .map(file ->
                            DynamicTest.dynamicTest(SCRIPTS.relativize(file).toString(), () -> play(file)));
        }
    }

    private SmtpServer server(Path script) {
        Path below = SCRIPTS.relativize(script);
        return Objects.requireNonNull(
                servers.get(below.getNameCount() == 1 ? "" : below.getName(0).toString()));
    }

    private void play(Path script) throws Exception {
        RecordingMailHandler recorder = intake.startOver();
        List<String> lines = Files.readAllLines(script);
        try (Dialog dialog = new Dialog(server(script).port(), recorder)) {
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
