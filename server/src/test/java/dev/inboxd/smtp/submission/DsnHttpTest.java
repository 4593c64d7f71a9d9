package dev.inboxd.smtp.submission;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mail.report.Report;
import dev.inboxd.mail.report.ReportReader;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.tenant.domain.PublishedZone;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who asks for reports when submitting gets them, and nobody else does (RFC 3461; ruling 28). */
class DsnHttpTest {
    private static final String SUBJECT = "Delivery report: ";

    private FakeMx mx = new FakeMx();
    private World world;

    @BeforeEach
    void start() {
        world = World.start(Map.of("INBOXD_RELAY", "smtp://127.0.0.1:" + mx.port()));
    }

    @AfterEach
    void stop() {
        world.close();
        mx.close();
    }

    @Test
    @Proves("P2g")
    void whatIsWantedIsPassedOnToAServerThatReportsAndOnlyItsRefusalIsReportedHere() throws Exception {
        mx.close();
        mx = new FakeMx("PIPELINING", "ENHANCEDSTATUSCODES", "DSN")
                .answerRecipient("gone@far.test", "550 5.1.1 No such user");
        world.close();
        start();
        String inbox = world.inbox("asks");
        submit(
                inbox,
                " ENVID=QQ+2B3+20x RET=HDRS",
                List.of(
                        "jo@far.test> NOTIFY=success,delay ORCPT=rfc822;Jo+2B@far.test",
                        "ann@far.test>",
                        "gone@far.test> NOTIFY=FAILURE ORCPT=rfc822;Gone@far.test"));
        List<FakeMx.Received> both = List.of(mx.nextMail(), mx.nextMail());
        assertThat(both).allSatisfy(left -> assertThat(left.mail()).endsWith("> RET=HDRS ENVID=QQ+2B3+20x"));
        assertThat(both)
                .flatExtracting(FakeMx.Received::recipients)
                .containsExactlyInAnyOrder(
                        "RCPT TO:<jo@far.test> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;Jo+2B@far.test",
                        "RCPT TO:<ann@far.test>");

        assertThat(reports(inbox, 1)).containsExactly("failed");
        String report = report(inbox, "failed");
        assertThat(report)
                .contains("you requested. mx.mail.localhost accepted")
                .contains(
                        "\r\nOriginal-Envelope-Id: QQ+3 x\r\nReporting-MTA: dns; mx.mail.localhost\r\n",
                        "\r\n\r\nOriginal-Recipient: rfc822;Gone@far.test\r\nFinal-Recipient: rfc822; gone@far.test\r\n"
                                + "Action: failed\r\nStatus: 5.1.1\r\n"
                                + "Diagnostic-Code: smtp; 550 5.1.1 No such user\r\n")
                .doesNotContain("jo@far.test: ", "ann@far.test: ", "Dear all");
        // What a report has for programs is what our own reading of reports finds in it.
        Report.Delivery read = (Report.Delivery) read(report);
        assertThat(read.recipients()).singleElement().satisfies(one -> {
            assertThat(one.address()).isEqualTo("Gone@far.test");
            assertThat(one.status()).hasToString("5.1.1");
        });
        assertThat(read.original().messageId()).startsWith("<");
        // it is in the conversation, as reports of other servers are
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/threads").is(200).list("threads"))
                .hasSize(1);

        // RFC 3461 §5.2: who has no reverse-path is told nothing, and nobody is asked to
        try (SubmissionProbe probe = program(inbox)) {
            assertThat(probe.command("MAIL FROM:<> ENVID=x")).startsWith("250");
            assertThat(probe.command("RCPT TO:<jo@far.test> NOTIFY=SUCCESS")).startsWith("250");
            assertThat(probe.command("DATA")).startsWith("354");
            assertThat(probe.command(content(inbox))).startsWith("250");
        }
        FakeMx.Received left = mx.nextMail();
        assertThat(left.mail()).doesNotContain("ENVID");
        assertThat(left.recipients()).containsExactly("RCPT TO:<jo@far.test>");
    }

    @Test
    @Proves("P2g")
    void whereTheNextServerDoesNotReportWeDoAndNeverToWhoWantsNone() throws Exception {
        mx.answerRecipient("gone@far.test", "550 5.1.1 No such user")
                .answerRecipient("never@far.test", "550 5.1.1 Nor he")
                .answerRecipient("silent@far.test", "550 5.1.1 Nor she")
                .answerRecipient("only@far.test", "550 5.1.1 Nor it");
        String inbox = world.inbox("asks");
        submit(
                inbox,
                " RET=FULL",
                List.of(
                        "jo@far.test> NOTIFY=SUCCESS",
                        "gone@far.test> NOTIFY=FAILURE,SUCCESS",
                        "never@far.test> NOTIFY=NEVER",
                        "silent@far.test>",
                        "only@far.test> NOTIFY=SUCCESS,DELAY",
                        "fine@far.test> NOTIFY=FAILURE"));
        for (FakeMx.Received left : List.of(mx.nextMail(), mx.nextMail())) {
            assertThat(left.mail() + left.recipients()).doesNotContain("NOTIFY").doesNotContain("RET=");
        }

        assertThat(reports(inbox, 2)).containsExactlyInAnyOrder("failed", "relayed");
        String others = "never@, silent@, only@, fine@, Original-Envelope-Id, Original-Recipient";
        assertThat(report(inbox, "relayed"))
                .contains("Final-Recipient: rfc822; jo@far.test\r\nAction: relayed\r\nStatus: 2.0.0\r\n")
                .doesNotContain(others.split(", "))
                .doesNotContain("gone@");
        assertThat(report(inbox, "failed"))
                .contains(
                        "Final-Recipient: rfc822; gone@far.test\r\nAction: failed\r\nStatus: 5.1.1\r\n",
                        "Content-Type: message/rfc822\r\n",
                        "\r\n\r\nDear all") // RET=FULL
                .doesNotContain(others.split(", "));
        // the record says how all of them fared, whoever is told by mail
        await(() -> states().equals(Map.of(
                "jo@far.test",
                "delivered",
                "gone@far.test",
                "bounced",
                "never@far.test",
                "bounced",
                "silent@far.test",
                "bounced",
                "only@far.test",
                "bounced",
                "fine@far.test",
                "delivered",
                inbox,
                "delivered")));
    }

    @Test
    @Proves("P2g")
    void whatIsDeliveredHereIsReportedWithItsHeaderAlone() throws Exception {
        String inbox = world.inbox("asks");
        String other = world.inbox("other");
        String third = world.inbox("third");
        submit(inbox, " RET=FULL ENVID=local", List.of(other + "> NOTIFY=SUCCESS,FAILURE", third + ">"));
        assertThat(reports(inbox, 1)).containsExactly("delivered");
        String report = report(inbox, "delivered");
        assertThat(report)
                .contains(
                        "Final-Recipient: rfc822; " + other + "\r\nAction: delivered\r\nStatus: 2.0.0\r\n",
                        "Original-Envelope-Id: local\r\n",
                        "Content-Type: text/rfc822-headers\r\n",
                        "\r\nSubject: Hello\r\n",
                        "From: Mail Delivery System <postmaster@mail.localhost>",
                        "Auto-Submitted: auto-replied")
                .doesNotContain("Dear all", third);
        // no machine has answered in that conversation: the sender may go on with it
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/threads").is(200).list("threads"))
                .hasSize(2);
        assertThat(world.http()
                        .get("/v0/inboxes/" + other + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
        // what it quotes is kept in the inbox alone, where it can be deleted
        await(() ->
                count("select count(*) as n from submission s where s.message_id is null and s.raw is not null") == 0);
    }

    @Test
    @Proves("P2g")
    void directDeliveryPassesOnWhatIsWantedToo() throws Exception {
        mx.close();
        mx = new FakeMx("PIPELINING", "DSN");
        world.close();
        world = World.start(
                Map.of("INBOXD_DELIVERY", "direct", "INBOXD_OUTBOUND_SMTP_PORT", String.valueOf(mx.port())));
        world.dns().mailExchangers("far.test", "10 mx1.far.test").addresses("mx1.far.test", "127.0.0.1");
        String inbox = world.inbox("asks");
        submit(inbox, " ENVID=x", List.of("a@nowhere.test> NOTIFY=FAILURE", "jo@far.test> NOTIFY=NEVER"));
        FakeMx.Received left = mx.nextMail();
        assertThat(left.mail()).endsWith("> ENVID=x");
        assertThat(left.recipients()).containsExactly("RCPT TO:<jo@far.test> NOTIFY=NEVER");
        assertThat(reports(inbox, 1)).containsExactly("failed");
        assertThat(report(inbox, "failed"))
                .contains("Final-Recipient: rfc822; a@nowhere.test\r\nAction: failed\r\nStatus: 5.1.2\r\n")
                .doesNotContain("jo@far.test");
    }

    @Test
    @Proves("P2g")
    void aDomainThatWantsNoReportsInItsInboxesGetsNone() throws Exception {
        world.http()
                .post("/v0/domains", json("domain", "quiet.example", "feedback_enabled", false))
                .is(200);
        PublishedZone.publish(
                world.dns(), world.http().get("/v0/domains/quiet.example").is(200));
        world.http().post("/v0/domains/quiet.example/verify", "").is(200);
        world.advance(Duration.ofSeconds(61));
        world.http().post("/v0/domains/quiet.example/verify", "").is(200);
        String quiet = world.http()
                .post("/v0/inboxes", json("username", "q", "domain", "quiet.example"))
                .is(200)
                .text("inbox_id");
        String loud = world.inbox("loud");
        submit(quiet, "", List.of(loud + "> NOTIFY=SUCCESS"));
        await(() -> states().containsValue("delivered"));
        submit(loud, "", List.of(quiet + "> NOTIFY=SUCCESS"));
        assertThat(reports(loud, 1)).containsExactly("delivered");
        assertThat(reports(quiet)).isEmpty();
        assertThat(count("select count(*) as n from submission s where s.message_id is null"))
                .isEqualTo(1);
    }

    @Test
    @Proves("P2g")
    void aDelayIsToldOnceAndOnlyWhenItLasts() throws Exception {
        mx.answerRecipient("slow@far.test", "451 4.3.0 Not now");
        String inbox = world.inbox("asks");
        submit(inbox, "", List.of("slow@far.test> NOTIFY=DELAY,FAILURE", "fast@far.test> NOTIFY=DELAY"));
        await(() -> attempts() == 1);
        for (int attempt = 2; attempt <= 4; attempt++) {
            int next = attempt;
            world.advance(Duration.ofHours(3));
            await(() -> attempts() == next);
        }
        assertThat(reports(inbox, 1)).containsExactly("delayed");
        assertThat(report(inbox, "delayed"))
                .contains("Action: delayed\r\nStatus: 4.3.0\r\n", "\r\nWill-Retry-Until: ")
                .doesNotContain("fast@");
        world.advance(Duration.ofDays(5));
        assertThat(reports(inbox, 2)).containsExactly("delayed", "failed");
        assertThat(report(inbox, "failed"))
                .contains("Action: failed\r\nStatus: 4.4.7\r\n")
                .doesNotContain("Will-Retry");
    }

    @Test
    @Proves("P2g")
    void aReportOfAServerThatDoesNotKnowIsKeptFromWhoWantsNone() throws Exception {
        String inbox = world.inbox("asks");
        for (String wanted : List.of("NEVER", "SUCCESS", "FAILURE")) {
            submit(inbox, "", List.of("x" + wanted + "@far.test> NOTIFY=" + wanted));
            String path = mx.nextMail().mail().replaceAll("MAIL FROM:<([^>]*)>.*", "$1");
            await(() -> "delivered".equals(states().get("x" + wanted + "@far.test")));
            assertThat(world.mail("", path, """
                    From: MAILER-DAEMON@far.test
                    Subject: Far away %1$s
                    Content-Type: multipart/report; report-type=delivery-status; boundary="b"

                    --b
                    Content-Type: message/delivery-status

                    Reporting-MTA: dns; far.test

                    Final-Recipient: rfc822; x%1$s@far.test
                    Action: failed
                    Status: 5.2.2

                    --b--
                    """.formatted(wanted))).startsWith("250");
        }
        await(() -> states().entrySet().stream()
                        .filter(each -> each.getValue().equals("bounced"))
                        .count()
                == 3);
        assertThat(subjects(inbox)).contains("Far away FAILURE").doesNotContain("Far away NEVER", "Far away SUCCESS");
        assertThat(reports(inbox, 1))
                .as("that it was passed on was told before")
                .containsExactly("relayed");
    }

    @Test
    @Proves("P2g")
    void whatTheInterfaceSendsIsReportedByEventsAlone() throws Exception {
        mx.answerRecipient("gone@far.test", "550 5.1.1 No such user");
        String inbox = world.inbox("asks");
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "gone@far.test", "text", "x"))
                .is(200);
        submit(inbox, "", List.of("gone2@far.test> NOTIFY=SUCCESS"));
        assertThat(reports(inbox, 1)).containsExactly("relayed");
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/events").is(200).text())
                .contains("\"bounced\"");
    }

    private SubmissionProbe program(String inbox) {
        SubmissionProbe probe = new SubmissionProbe(world.submissionPort());
        assertThat(probe.login(inbox, world.key())).startsWith("235");
        return probe;
    }

    private static String content(String inbox) {
        return SubmissionProbe.content("From: " + inbox + "\nSubject: Hello\n\nDear all");
    }

    /** Submits a message; each recipient without its first bracket, with its parameters. */
    private void submit(String inbox, String parameters, List<String> recipients) {
        try (SubmissionProbe probe = program(inbox)) {
            assertThat(probe.command("MAIL FROM:<" + inbox + ">" + parameters)).startsWith("250");
            recipients.forEach(
                    each -> assertThat(probe.command("RCPT TO:<" + each)).startsWith("250"));
            assertThat(probe.command("DATA")).startsWith("354");
            assertThat(probe.command(content(inbox))).startsWith("250");
        }
    }

    private List<String> subjects(String inbox) {
        return world.http().get("/v0/inboxes/" + inbox + "/messages?ascending=true").is(200).list("messages").stream()
                .map(each -> String.valueOf(((Map<?, ?>) each).get("subject")))
                .toList();
    }

    /** What was reported, oldest first, once it is so much. */
    private List<String> reports(String inbox, int count) {
        await(() -> reports(inbox).size() >= count);
        return reports(inbox);
    }

    private List<String> reports(String inbox) {
        return subjects(inbox).stream()
                .filter(each -> each.startsWith(SUBJECT))
                .map(each -> each.substring(SUBJECT.length()))
                .toList();
    }

    /** That report, as it was stored. */
    private String report(String inbox, String action) {
        Map<?, ?> found = world.http().get("/v0/inboxes/" + inbox + "/messages").is(200).list("messages").stream()
                .map(each -> (Map<?, ?>) each)
                .filter(each -> (SUBJECT + action).equals(each.get("subject")))
                .findFirst()
                .orElseThrow();
        URI link = URI.create(world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(String.valueOf(found.get("message_id")), StandardCharsets.UTF_8) + "/raw")
                .is(200)
                .text("download_url"));
        return world.anonymous().get(link.getRawPath()).is(200).text();
    }

    private static Report read(String raw) {
        byte[] octets = raw.getBytes(StandardCharsets.UTF_8);
        ParsedMessage message = MessageParser.parse(new ByteArrayInputStream(octets));
        return ReportReader.read(message, index -> PartReader.open(new ByteArrayInputStream(octets), index))
                .orElseThrow();
    }

    private Map<String, String> states() {
        return world
                .database()
                .read(tx -> tx.sqlAcrossTenants("select r.recipient, r.state from submission_recipient r")
                        .list(row -> Map.entry(row.text("recipient"), row.text("state"))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (_, last) -> last));
    }

    private int count(String query) {
        return world.database().read(tx -> tx.sqlAcrossTenants(query).single(row -> row.integer("n")));
    }

    /** How often the slow recipient was tried and put off. */
    private int attempts() {
        return count("select max(r.attempts) as n from submission_recipient r"
                + " where r.recipient = 'slow@far.test' and r.state = 'queued'");
    }
}
