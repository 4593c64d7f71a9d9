package dev.inboxd.smtp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmallDisk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Floods, clients that hold on to what they have, and a full disk (promise P15): where servers come, and where users
 * do.
 */
class BothPortsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String LOGIN =
            Base64.getEncoder().encodeToString("\0uma@inbox.example\0secret".getBytes(StandardCharsets.UTF_8));

    private final RecordingMailHandler intake = new RecordingMailHandler();
    private final AtomicLong time = new AtomicLong();
    private Path directory;

    /** Who comes to the port. */
    enum Port {
        SERVERS,
        USERS
    }

    @BeforeEach
    void prepare(@TempDir Path folder) {
        directory = folder;
    }

    @ParameterizedTest
    @Proves("P15")
    @EnumSource
    void aFloodOfConnectionsIsTurnedAwayAndHarmsNobodyWhoIsThere(Port port) throws Exception {
        try (SmtpServer server =
                start(port, config -> config.withSessions(50, 40).withIdle(HOUR, HOUR))) {
            List<Dialog> open = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                open.add(dialog(server, "S: 220"));
            }
            for (int i = 0; i < 200; i++) {
                dialog(server, "S: 421 4.7.0", "closed:").close();
            }
            play(open.getFirst(), "C: EHLO c", "S: 250", "C: QUIT", "S: 221", "closed:");
            open.removeFirst().close();
            Eventually.await(() -> server.sessions() != 40);
            open.add(dialog(server, "S: 220", "C: NOOP", "S: 250"));
            for (Dialog each : open) {
                each.close();
            }
        }
    }

    @ParameterizedTest
    @Tag("long")
    @Proves("P15")
    @EnumSource
    void whoSaysNothingOrHalfOfSomethingIsLetGo(Port port) throws Exception {
        try (SmtpServer server = start(port, config -> config.withIdle(SECOND, SECOND))) {
            dialog(server, "S: 220", "S: 421 4.4.2", "closed:").close();
            dialog(server, "S: 220", "R: EHL", "S: 421 4.4.2", "closed:").close();
            try (Dialog noHandshake = dialog(server, "S: 220", "C: EHLO c", "S: 250", "C: STARTTLS", "S: 220")) {
                Eventually.await(() -> server.sessions() == 0);
                assertThat(noHandshake).isNotNull();
            }
            try (Dialog inData = inData(server, port)) {
                play(inData, "C: half a message", "S: 421 4.4.2", "closed:", "mails: 0");
            }
        }
    }

    @ParameterizedTest
    @Proves("P15")
    @EnumSource
    void aMessageThatTricklesForMinutesIsCut(Port port) throws Exception {
        try (SmtpServer server = start(port, config -> config.withIdle(HOUR, HOUR));
                Dialog slow = inData(server, port)) {
            play(slow, "C: one line");
            time.addAndGet(Duration.ofMinutes(6).toNanos());
            play(slow, "C: and another", "S: 421 4.4.2 Too slow", "closed:", "mails: 0");
        }
    }

    @ParameterizedTest
    @Proves("P15")
    @EnumSource
    void withoutRoomOnTheDiskMailIsRefusedForNowAndTakenAgainWhenThereIs(Port port) throws Exception {
        try (SmtpServer server = start(
                        port,
                        config -> SmtpServer.Config.of(
                                config.hostName(), config.bind(), Long.MAX_VALUE / 2, config.spoolDirectory()));
                Dialog dialog = ready(server, port)) {
            play(dialog, "C: MAIL FROM:<uma@inbox.example>", "S: 452 4.3.1", "C: NOOP", "S: 250", "mails: 0");
        }
        try (SmtpServer server = start(port, config -> config);
                Dialog dialog = inData(server, port)) {
            Files.delete(spool(port)); // so that no file can be made
            play(dialog, "C*9000: 0123456789012345678901234567890123456789", "C: .", "S: 452 4.3.1", "mails: 0");
            Files.createDirectory(spool(port));
            play(
                    dialog,
                    "C: MAIL FROM:<uma@inbox.example>",
                    "S: 250",
                    "C: RCPT TO:<uma@inbox.example>",
                    "S: 250",
                    "C: DATA",
                    "S: 354",
                    "C*9000: 0123456789012345678901234567890123456789",
                    "C: .",
                    "S: 250",
                    "mails: 1",
                    "in-file: true");
        }
    }

    @ParameterizedTest
    @Proves("P15")
    @EnumSource
    void aDiskThatFillsWhileAMessageComesInRefusesItForNow(Port port) throws Exception {
        try (SmallDisk disk = SmallDisk.over(spool(port), 4_096)) {
            try (SmtpServer server = start(port, config -> config);
                    Dialog dialog = inData(server, port)) {
                disk.fill();
                play(
                        dialog,
                        "C*9000: 0123456789012345678901234567890123456789",
                        "C: .",
                        "S: 452 4.3.1",
                        "C: NOOP",
                        "S: 250",
                        "mails: 0");
            }
            disk.empty();
            try (SmtpServer server = start(port, config -> config);
                    Dialog dialog = inData(server, port)) {
                play(
                        dialog,
                        "C*9000: 0123456789012345678901234567890123456789",
                        "C: .",
                        "S: 250",
                        "mails: 1",
                        "in-file: true");
            }
        }
    }

    private Path spool(Port port) {
        return directory.resolve("spool-" + port);
    }

    private SmtpServer start(Port port, UnaryOperator<SmtpServer.Config> change) throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        SmtpServer.Config config =
                change.apply(SmtpServer.Config.of("mx.inbox.example", anyPort, 1_000_000, spool(port)));
        ListenerRole door = port == Port.SERVERS
                ? new ListenerRole.Mx(intake)
                : new ListenerRole.Submission(new SingleUserAuthenticator(intake));
        SmtpServer server = new SmtpServer(
                config,
                door,
                ServerTls.selfSigned(directory, List.of("mx.inbox.example"), InstantSource.system()),
                new Clocks(InstantSource.system(), time::get));
        server.start(new Metrics());
        return server;
    }

    private Dialog inData(SmtpServer server, Port port) throws Exception {
        Dialog dialog = ready(server, port);
        play(
                dialog,
                "C: MAIL FROM:<uma@inbox.example>",
                "S: 250",
                "C: RCPT TO:<uma@inbox.example>",
                "S: 250",
                "C: DATA",
                "S: 354");
        return dialog;
    }

    /** A session in which mail may be begun. */
    private Dialog ready(SmtpServer server, Port port) throws Exception {
        Dialog dialog = dialog(server, "S: 220", "C: EHLO c", "S: 250");
        if (port == Port.USERS) {
            play(dialog, "C: STARTTLS", "S: 220", "tls:", "C: EHLO c", "S: 250", "C: AUTH PLAIN " + LOGIN, "S: 235");
        }
        return dialog;
    }

    private Dialog dialog(SmtpServer server, String... lines) throws Exception {
        Dialog dialog = new Dialog(server.port(), intake);
        play(dialog, lines);
        return dialog;
    }

    private static void play(Dialog dialog, String... lines) throws Exception {
        for (String line : lines) {
            dialog.play(line);
        }
    }
}
