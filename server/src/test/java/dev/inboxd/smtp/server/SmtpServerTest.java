package dev.inboxd.smtp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What needs several sessions, a clock, or a server that ends. Everything else is a script. */
class SmtpServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final RecordingMailHandler intake = new RecordingMailHandler();
    private Path directory;
    private SmtpServer server;

    @BeforeEach
    void prepare(@TempDir Path directory) {
        this.directory = directory;
        this.server = new SmtpServer(config(), intake, null, InstantSource.system());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void moreSessionsThanAllowedAreTurnedAwayUntilOneEnds() throws Exception {
        start(config -> config.withSessions(2, 100), intake);
        Dialog first = greeted();
        try (Dialog second = greeted();
                Dialog third = connect()) {
            play(third, "S: 421 4.3.2", "closed:");
            play(first, "C: QUIT", "S: 221", "closed:");
            assertThat(second).isNotNull();
        }
        first.close();
        assertThat(server.drain(PATIENCE)).isTrue();
    }

    @Test
    void oneAddressCannotTakeAllSessions() throws Exception {
        start(config -> config.withSessions(100, 1), intake);
        try (Dialog first = greeted();
                Dialog second = connect()) {
            play(second, "S: 421 4.7.0", "closed:");
            play(first, "C: NOOP", "S: 250");
        }
    }

    @Test
    @Tag("long")
    void aSilentClientIsToldAndDisconnected() throws Exception {
        start(config -> config.withIdle(Duration.ofSeconds(1), Duration.ofSeconds(1)), intake);
        try (Dialog silent = greeted()) {
            play(silent, "S: 421 4.4.2", "closed:");
        }
        try (Dialog slow = greeted()) {
            play(slow, "C: EHLO c", "S: 250", "R: NOO", "S: 421 4.4.2", "closed:");
        }
        try (Dialog inData = inData()) {
            play(inData, "C: half a message", "S: 421 4.4.2", "closed:", "mails: 0");
        }
    }

    @Test
    void aCrowdedServerIsLessPatient() throws Exception {
        start(config -> config.withSessions(2, 2).withIdle(Duration.ofHours(1), Duration.ofMillis(200)), intake);
        try (Dialog one = greeted();
                Dialog two = greeted()) {
            play(one, "S: 421 4.4.2", "closed:");
            assertThat(two).isNotNull();
        }
    }

    @Test
    void aClientThatNeverReadsItsRepliesIsDisconnected() throws Exception {
        start(config -> config.withIdle(Duration.ofMillis(200), Duration.ofMillis(200)), intake);
        byte[] commands =
                "RCPT TO:<nobody@relay.example>\r\nHELP\r\n".repeat(400).getBytes(StandardCharsets.US_ASCII);
        try (Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(1_024);
            deaf.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            assertThatThrownBy(() -> {
                        while (true) {
                            deaf.getOutputStream().write(commands);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    @Proves("P16")
    void drainingLetsAMessageFinishAndEndsEveryoneElse() throws Exception {
        start(config -> config, intake);
        try (Dialog idle = greeted();
                Dialog busy = inData()) {
            CompletableFuture<Boolean> drained = drain();
            play(idle, "S: 421 4.3.2", "closed:");
            assertThat(greeting()).as("who comes meanwhile").startsWith("421 4.3.2 Shutting down");
            play(busy, "P: late but complete", "P: .", "C: NOOP");
            play(busy, "S: 250 2.6.0", "S: 421 4.3.2", "closed:", "mails: 1");
            assertThat(drained.get()).isTrue();
            assertThatThrownBy(this::connect).isInstanceOf(SocketException.class);
        }
    }

    @Test
    @Proves("P16")
    void drainingWaitsForACommitInProgress() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        start(config -> config, new MailHandler() {
            @Override
            public Verdict recipient(SmtpCommand.Mail mail, dev.inboxd.mail.smtp.SmtpPath forwardPath, Peer peer) {
                return Verdict.accepted(new Recipient() {});
            }

            @Override
            public Outcome accept(Envelope envelope, Spool content) {
                entered.countDown();
                try {
                    leave.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return Outcome.of(SmtpReply.OK);
            }
        });
        try (Dialog busy = inData()) {
            play(busy, "C: .");
            entered.await();
            CompletableFuture<Boolean> drained = drain();
            leave.countDown();
            play(busy, "S: 250 2.0.0", "S: 421 4.3.2", "closed:");
            assertThat(drained.get()).isTrue();
        }
    }

    @Test
    void aDrainThatTakesTooLongSaysSoAndClosingEndsWhatIsLeft() throws Exception {
        start(config -> config, intake);
        try (Dialog stuck = inData()) {
            assertThat(server.drain(Duration.ofMillis(50))).isFalse();
            server.close();
            play(stuck, "closed:", "mails: 0");
        }
    }

    @Test
    @Proves("P15")
    void withoutRoomOnTheDiskMailIsRefusedForNow() throws Exception {
        start(
                config -> SmtpServer.Config.of(
                        config.hostName(), config.bind(), Long.MAX_VALUE / 2, config.spoolDirectory()),
                intake);
        try (Dialog dialog = greeted()) {
            play(dialog, "C: EHLO c", "S: 250", "C: MAIL FROM:<>", "S: 452 4.3.1");
        }
    }

    @Test
    @Proves("P15")
    void whenASpoolFileCannotBeMadeTheMessageIsRefusedForNowAndTheSessionGoesOn() throws Exception {
        start(config -> config, intake);
        try (Dialog dialog = greeted()) {
            play(dialog, "C: EHLO c", "S: 250", "C: MAIL FROM:<>", "S: 250");
            play(dialog, "C: RCPT TO:<uma@inbox.example>", "S: 250");
            Files.delete(directory.resolve("spool"));
            play(dialog, "C: DATA", "S: 354", "C*9000: 0123456789012345678901234567890123456789", "C: .");
            play(dialog, "S: 452 4.3.1", "C: NOOP", "S: 250", "mails: 0");
        }
    }

    @Test
    @Proves("P1")
    void aClientThatVanishesInsideDataLeavesNothing() throws Exception {
        start(config -> config, intake);
        Dialog vanishing = inData();
        play(vanishing, "C*9000: 0123456789012345678901234567890123456789", "R: .\\r");
        vanishing.close();
        assertThat(server.drain(PATIENCE)).isTrue();
        assertThat(intake.mails()).isEmpty();
        assertThat(directory.resolve("spool")).isEmptyDirectory();
        assertThat(server.sessions()).isZero();
    }

    @Test
    void anEncryptedSessionIsToldWhyItEndsToo() throws Exception {
        ServerTls tls = ServerTls.selfSigned(directory, List.of("mx.inbox.example"), InstantSource.system());
        server = new SmtpServer(config(), intake, tls, InstantSource.system());
        server.start(new Metrics());
        try (Dialog dialog = greeted()) {
            play(dialog, "C: STARTTLS", "S: 220", "tls:", "C: EHLO c", "S: 250");
            CompletableFuture<Boolean> drained = drain();
            play(dialog, "S: 421 4.3.2", "closed:");
            assertThat(drained.get()).isTrue();
        }
    }

    @Test
    void withoutACertificateTlsIsNotOffered() throws Exception {
        start(config -> config, intake);
        try (Dialog dialog = greeted()) {
            play(dialog, "C: EHLO c", "S: 250", "offers-not: STARTTLS", "C: STARTTLS", "S: 502 5.5.1");
        }
    }

    @Test
    @Proves("P1a")
    void theSameMailOverTwoRelaysHasTheSameContentDigest() throws Exception {
        start(config -> config, intake);
        for (String relay : new String[] {"one", "two"}) {
            try (Dialog dialog = inData()) {
                play(dialog, "C: Received: from " + relay, "C: \tby us; today", "C: Subject: x", "C: ", "C: y");
                play(dialog, "C: .", "S: 250");
            }
        }
        byte[] withoutTrace = "Subject: x\r\n\r\ny\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(intake.mails())
                .extracting(RecordingMailHandler.Mail::contentDigest)
                .hasSize(2)
                .containsOnly(HexFormat.of().formatHex(Spools.sha256().digest(withoutTrace)));
        assertThat(intake.mails()).extracting(RecordingMailHandler.Mail::octets).doesNotHaveDuplicates();
        assertThat(intake.mails()).extracting(mail -> mail.envelope().id()).doesNotHaveDuplicates();
    }

    private void start(UnaryOperator<SmtpServer.Config> change, MailHandler with) {
        server = new SmtpServer(change.apply(config()), with, null, InstantSource.system());
        server.start(new Metrics());
    }

    private SmtpServer.Config config() {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return SmtpServer.Config.of("mx.inbox.example", anyPort, 1_000_000, directory.resolve("spool"));
    }

    private CompletableFuture<Boolean> drain() {
        CompletableFuture<Boolean> drained = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                drained.complete(server.drain(PATIENCE));
            } catch (InterruptedException e) {
                drained.completeExceptionally(e);
            }
        });
        return drained;
    }

    private String greeting() {
        try (Socket late = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            return new String(late.getInputStream().readNBytes(24), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Dialog connect() throws IOException {
        return new Dialog(server.port(), intake);
    }

    private Dialog greeted() throws Exception {
        Dialog dialog = connect();
        play(dialog, "S: 220");
        return dialog;
    }

    private Dialog inData() throws Exception {
        Dialog dialog = greeted();
        play(
                dialog,
                "C: EHLO c",
                "S: 250",
                "C: MAIL FROM:<>",
                "S: 250",
                "C: RCPT TO:<uma@inbox.example>",
                "S: 250",
                "C: DATA",
                "S: 354");
        return dialog;
    }

    private static void play(Dialog dialog, String... lines) throws Exception {
        for (String line : lines) {
            dialog.play(line);
        }
    }
}
