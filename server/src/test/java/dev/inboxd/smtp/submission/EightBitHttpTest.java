package dev.inboxd.smtp.submission;

import static dev.inboxd.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a program submits in 8-bit form reaches a host without 8BITMIME all the same, or comes back (RFC 6152 §3). */
class EightBitHttpTest {
    private static final FakeMx OLD = new FakeMx("PIPELINING", "ENHANCEDSTATUSCODES");
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start(
                Map.of("INBOXD_RELAY", "smtp://127.0.0.1:" + OLD.endpoint().port()));
    }

    @AfterAll
    static void stop() {
        world.close();
        OLD.close();
    }

    @Test
    void itsTextArrivesInSevenBitsAndSigned() throws Exception {
        String inbox = world.inbox("eight");
        String text = "Grüße an alle,\n.\nund viele Umlaute hinterher: äöü \nHier steht noch etwas mehr.\n";
        for (String large : List.of("", "Noch eine Zeile, und diese ist für die Platte.\n".repeat(10_000))) {
            String reply = sent(
                    inbox,
                    "jo@elsewhere.test",
                    "From: " + inbox + "\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n"
                            + "Content-Transfer-Encoding: 8bit\n\n--b\nContent-Type: text/plain; charset=utf-8\n"
                            + "Content-Transfer-Encoding: 8bit\n\n" + text + large
                            + "\n--b\nContent-Type: text/csv\n\na,b\n--b--");
            assertThat(reply).startsWith("250 2.0.0 Queued as <");
            FakeMx.Received left = OLD.nextMail();
            assertThat(left.mail()).doesNotContain("BODY");
            assertThat(left.content().chars()).allMatch(c -> c < 0x80);
            assertThat(left.content())
                    .contains(
                            "\r\nContent-Transfer-Encoding: 7bit\r\nMessage-ID: ",
                            "\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe an alle,\r\n"
                                    + "=2E\r\n",
                            "\r\n--b\r\nContent-Type: text/csv\r\n\r\na,b\r\n--b--\r\n");
            assertThat(MessageParser.parse(
                                    new ByteArrayInputStream(left.content().getBytes(StandardCharsets.US_ASCII)))
                            .body()
                            .text())
                    .isEqualTo(text + large);
            assertThat(SubmissionHttpTest.signature(world, left.content(), inbox))
                    .isEqualTo(AuthResult.PASS);
            assertThat(message(inbox, reply).text("text")).isEqualTo(text + large);
        }
    }

    @Test
    void whatItsSenderSignedComesBack() {
        String inbox = world.inbox("signed");
        String reply = sent(
                inbox,
                "back@elsewhere.test",
                "From: " + inbox
                        + "\nMIME-Version: 1.0\nContent-Type: multipart/signed; boundary=b\n\n--b\n"
                        + "Content-Transfer-Encoding: 8bit\n\nörtlich\n--b\n"
                        + "Content-Type: application/pgp-signature\n\nx\n--b--");
        assertThat(reply).startsWith("250");
        await(() -> message(inbox, reply).list("labels").contains("bounced"));
        assertThat(message(inbox, reply).text("deliveries.0.answer"))
                .isEqualTo("554 5.6.3 The host offers no 8BITMIME, and this cannot be converted");
        assertThat(OLD.commands()).noneMatch(command -> command.contains("back@"));
        assertThat(world.http().get("/v0/lists/send/block").is(200).list("entries"))
                .isEmpty();
    }

    private static String sent(String inbox, String recipient, String message) {
        try (SubmissionProbe probe = new SubmissionProbe(world.submissionPort())) {
            assertThat(probe.login(inbox, world.key())).startsWith("235");
            return probe.send(inbox, List.of(recipient), message);
        }
    }

    private static Answer message(String inbox, String reply) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(reply.substring(reply.indexOf('<')), StandardCharsets.UTF_8))
                .is(200);
    }
}
