package dev.inboxd.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.inboxd.base.log.LineLimit;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** What an operator reads of mail that came: who sent it to whom, and what became of it. */
class MailLogHttpTest {
    private static final String SECRET = "secret-words";

    @RegisterExtension
    private static final World world =
            World.start(Map.of("INBOXD_SMTP_PROXIES", "xclient", "INBOXD_TRUSTED_PROXIES", "127.0.0.1"));

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeAll
    static void start() {
        world.dns().text("logged.test", "v=spf1 ip4:192.0.2.9 -all").text("_dmarc.logged.test", "v=DMARC1; p=reject");
    }

    @BeforeEach
    void listen() {
        lines.start();
        ((Logger) LoggerFactory.getLogger("inboxd")).addAppender(lines);
    }

    @AfterEach
    void leave() {
        ((Logger) LoggerFactory.getLogger("inboxd")).detachAppender(lines);
    }

    @Test
    @Proves("P22")
    void anAcceptedMessageIsOneLineWithoutItsWords() {
        String inbox = world.inbox("read");
        assertThat(from("192.0.2.9", "jo@logged.test", List.of(inbox), message("jo@logged.test")))
                .startsWith("250");
        assertThat(only("mail_accepted", "192.0.2.9"))
                .containsEntry("port", "mx")
                .containsEntry("helo", "elsewhere.test")
                .containsEntry("from", "jo@logged.test")
                .containsEntry("to", inbox)
                .containsEntry("recipients", 1)
                .containsEntry("reply", "250 2.0.0 Message accepted")
                .containsEntry("spf", "pass")
                .containsEntry("dkim", "none")
                .containsEntry("dmarc", "pass")
                .containsEntry("spam", false)
                .containsEntry("size", (long)
                        message("jo@logged.test").replace("\n", "\r\n").length())
                .containsKeys("ms", "id", "tls");
        assertThat(lines.list.toString() + fields("192.0.2.9")).doesNotContain(SECRET);
    }

    @Test
    void everyRefusalIsALineWithWhatItWasAbout() {
        String inbox = world.inbox("refusing");
        assertThat(from("192.0.2.10", "jo@logged.test", List.of(inbox), message("jo@logged.test")))
                .as("DMARC")
                .startsWith("550");
        assertThat(only("mail_refused", "192.0.2.10"))
                .containsEntry("to", inbox)
                .containsEntry("spf", "fail")
                .containsEntry("dmarc", "fail")
                .hasEntrySatisfying("reply", reply -> assertThat((String) reply).startsWith("550 5.7.1 Refused as"))
                .containsKeys("size", "id");
        assertThat(from("192.0.2.11", "", List.of("nobody@mail.localhost"), message("jo@logged.test")))
                .startsWith("550");
        assertThat(only("mail_refused", "192.0.2.11"))
                .containsEntry("from", "<>")
                .containsEntry("to", "nobody@mail.localhost")
                .containsEntry("reply", "550 5.1.1 No such mailbox here");
        try (SmtpProbe probe = client("192.0.2.12")) {
            assertThat(probe.command("MAIL FROM:<jo@logged.test> SIZE=999999999999"))
                    .startsWith("552");
        }
        assertThat(only("mail_refused", "192.0.2.12"))
                .containsEntry("size", 999_999_999_999L)
                .containsEntry("from", "jo@logged.test")
                .doesNotContainKey("to");
        assertThat(from("192.0.2.13", "jo@logged.test", List.of(inbox), "Subject: x\n\nBare\rcarriage return\n"))
                .startsWith("521");
        assertThat(only("mail_refused", "192.0.2.13"))
                .containsEntry("to", inbox)
                .hasEntrySatisfying("reply", reply -> assertThat((String) reply).startsWith("521 5.5.2 Bare CR"));
        try (SmtpProbe probe = client("192.0.2.14")) {
            probe.command("MAIL FROM:<jo@logged.test>");
            probe.command("RCPT TO:<" + inbox + ">");
            assertThat(probe.command("BDAT 6 LAST\r\na\nb\nc")).startsWith("554");
        }
        assertThat(only("mail_refused", "192.0.2.14")).containsEntry("size", 6L);
    }

    @Test
    void ofManyRecipientsNoneIsLeftOut() {
        List<String> inboxes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            inboxes.add(world.inbox("one-of-many-with-a-name-that-is-longer-than-most-" + i));
        }
        assertThat(from("192.0.2.9", "many@logged.test", inboxes, message("many@logged.test")))
                .startsWith("250");
        List<String> logged = fields("192.0.2.9").stream()
                .filter(line -> "many@logged.test".equals(line.get("from")))
                .flatMap(line -> List.of(String.valueOf(line.get("to")).split(",", -1)).stream())
                .toList();
        assertThat(logged).containsExactlyElementsOf(inboxes);
    }

    @Test
    void aFloodOfRefusalsIsCut() {
        for (int session = 0; session < 10; session++) {
            try (SmtpProbe probe = client("192.0.2.99")) {
                for (int i = 0; i < 15; i++) {
                    probe.command("MAIL FROM:<jo@logged.test>");
                    probe.command("RCPT TO:<nobody-" + i + "@elsewhere.test>");
                    probe.command("RSET");
                }
            }
        }
        assertThat(fields("192.0.2.99")).hasSize(LineLimit.OF_ONE_SOURCE);
    }

    private static String message(String from) {
        return "From: " + from + "\nSubject: " + SECRET + "\nMessage-ID: <1@logged.test>\n\n" + SECRET + "\n";
    }

    private static String from(String client, String from, List<String> to, String message) {
        try (SmtpProbe probe = client(client)) {
            return probe.send(from, to, message);
        }
    }

    private static SmtpProbe client(String address) {
        SmtpProbe probe = new SmtpProbe(world.smtpPort());
        assertThat(probe.command("XCLIENT ADDR=" + address)).startsWith("220");
        probe.command("EHLO elsewhere.test");
        return probe;
    }

    private Map<String, Object> only(String event, String client) {
        List<Map<String, Object>> found = fields(client).stream()
                .filter(line -> event.equals(line.get("event")))
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private List<Map<String, Object>> fields(String client) {
        return List.copyOf(lines.list).stream()
                .map(MailLogHttpTest::fields)
                .filter(line -> client.equals(line.get("client")))
                .toList();
    }

    private static Map<String, Object> fields(ILoggingEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("event", event.getMessage()));
        if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs().forEach(pair -> fields.put(pair.key, pair.value));
        }
        return fields;
    }
}
