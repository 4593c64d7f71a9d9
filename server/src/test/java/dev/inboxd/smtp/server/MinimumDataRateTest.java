package dev.inboxd.smtp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.testing.Proves;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How slowly a message may come, on time that a test makes pass. */
class MinimumDataRateTest {
    private static final String HALF_A_KIB = "x".repeat(510) + "\\r\\n";

    private final AtomicLong time = new AtomicLong();
    private final RecordingMailHandler intake = new RecordingMailHandler();
    private SmtpServer server;

    @BeforeEach
    void start(@TempDir Path directory) {
        SmtpServer.Config config = SmtpServer.Config.of(
                "mx.inbox.example",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                1_000_000,
                directory.resolve("spool"));
        server = new SmtpServer(
                config, new ListenerRole.Mx(intake), null, new Clocks(InstantSource.system(), time::get));
        server.start(new Metrics());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void whoTricklesInDataIsCut() throws Exception {
        try (Dialog dialog = begun()) {
            play(dialog, "C: DATA", "S: 354", "R: " + HALF_A_KIB);
            pass(Duration.ofMinutes(10));
            play(dialog, "R: " + HALF_A_KIB, "S: 421 4.4.2 Too slow", "closed:", "mails: 0");
        }
    }

    @Test
    @Proves("P15")
    void whoTricklesInSmallChunksThatComeWholeIsCutToo() throws Exception {
        try (Dialog dialog = begun()) {
            play(dialog, "R: BDAT 512\\r\\n" + HALF_A_KIB, "S: 250");
            pass(Duration.ofMinutes(4));
            play(dialog, "R: BDAT 512\\r\\n" + HALF_A_KIB, "S: 250");
            pass(Duration.ofMinutes(4));
            play(dialog, "R: BDAT 512\\r\\n" + HALF_A_KIB, "S: 421 4.4.2 Too slow", "closed:", "mails: 0");
        }
    }

    @Test
    @Proves("P15")
    void whoPausesButSentEnoughIsNot() throws Exception {
        try (Dialog dialog = begun()) {
            play(dialog, "C: BDAT 102400", "R*200: " + HALF_A_KIB, "S: 250");
            pass(Duration.ofMinutes(10));
            play(dialog, "R: BDAT 512 LAST\\r\\n" + HALF_A_KIB, "S: 250 2.6.0", "mails: 1");
        }
        assertThat(intake.mails().getFirst().body()).hasSize(201 * 512);
    }

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }

    private Dialog begun() throws Exception {
        Dialog dialog = new Dialog(server.port(), intake);
        play(
                dialog,
                "S: 220",
                "C: EHLO c",
                "S: 250",
                "C: MAIL FROM:<>",
                "S: 250",
                "C: RCPT TO:<uma@inbox.example>",
                "S: 250");
        return dialog;
    }

    private static void play(Dialog dialog, String... lines) throws Exception {
        for (String line : lines) {
            dialog.play(line);
        }
    }
}
