package dev.inboxd.smtp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.rate.Networks;
import dev.inboxd.testing.Proves;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is counted, and how long a session lasts. */
class SmtpServerBoundsTest {
    private static final UpstreamProxies PROXIES =
            new UpstreamProxies(UpstreamProxies.Mode.PROXY, new Networks(List.of("127.0.0.0/8", "::1")));

    private final RecordingMailHandler intake = new RecordingMailHandler();

    @TempDir
    private Path directory;

    @Test
    @Proves("A3b")
    void aClientBehindAProxyIsCountedByItsOwnAddress() throws Exception {
        try (SmtpServer server = start(config().withSessions(100, 1).withProxies(PROXIES));
                Dialog one = proxied(server, "192.0.2.1");
                Dialog two = proxied(server, "192.0.2.2")) {
            one.play("S: 220");
            two.play("S: 220");
            try (Dialog again = proxied(server, "192.0.2.1")) {
                again.play("S: 421 4.7.0");
                again.play("closed:");
            }
            one.play("C: QUIT");
            one.play("S: 221");
            one.play("closed:");
            assertThat(server.drain(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void aSessionEndsWhenItHasLastedLongEnough() throws Exception {
        Duration second = Duration.ofSeconds(1);
        try (SmtpServer server =
                        start(config().withBounds(50, Duration.ofMillis(1)).withIdle(second, second));
                Dialog dialog = new Dialog(server.port(), intake)) {
            dialog.play("S: 220");
            dialog.play("S: 421 4.3.2");
            dialog.play("closed:");
        }
    }

    @Test
    @Proves("P15")
    void twoPortsHaveOneBudgetOfMemoryForWhatComesIn() throws Exception {
        SpoolMemory memory = new SpoolMemory(20_000);
        String chunk = "x".repeat(98) + "\\r\\n";
        try (SmtpServer one = start(config().sharing(memory));
                SmtpServer other = start(
                        SmtpServer.Config.of("mx.inbox.example", config().bind(), 1_000_000, directory.resolve("other"))
                                .withSessions(10, 10)
                                .withIdle(Duration.ofHours(1), Duration.ofHours(1))
                                .withBounds(10, Duration.ofHours(1))
                                .sharing(memory));
                Dialog first = begun(one);
                Dialog second = begun(other)) {
            first.play("C: BDAT 15000");
            first.play("R*150: " + chunk);
            first.play("S: 250"); // it is in memory now
            second.play("C: BDAT 15000 LAST");
            second.play("R*150: " + chunk);
            second.play("S: 250 2.6.0");
            second.play("in-file: true");
            first.play("R: BDAT 0 LAST\\r\\n");
            first.play("S: 250 2.6.0");
            first.play("in-file: false");
        }
    }

    private Dialog begun(SmtpServer server) throws Exception {
        Dialog dialog = new Dialog(server.port(), intake);
        for (String line : List.of(
                "S: 220",
                "C: EHLO c",
                "S: 250",
                "C: MAIL FROM:<>",
                "S: 250",
                "C: RCPT TO:<uma@inbox.example>",
                "S: 250")) {
            dialog.play(line);
        }
        return dialog;
    }

    private SmtpServer.Config config() {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return SmtpServer.Config.of("mx.inbox.example", anyPort, 1_000_000, directory.resolve("spool"));
    }

    private SmtpServer start(SmtpServer.Config config) {
        SmtpServer server = new SmtpServer(config, intake, null, InstantSource.system());
        server.start(new Metrics());
        return server;
    }

    private Dialog proxied(SmtpServer server, String client) throws Exception {
        Dialog dialog = new Dialog(server.port(), intake);
        dialog.play("R: PROXY TCP4 " + client + " 198.51.100.1 1 25\\r\\n");
        return dialog;
    }
}
