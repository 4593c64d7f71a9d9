package dev.inboxd.sending.feedback;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.queue.ReturnPath;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.server.World;
import dev.inboxd.tenant.domain.PublishedZone;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What comes back about mail that was sent, from a real SMTP session to what a client sees. */
class FeedbackHttpTest {
    private static final String GONE = "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user";

    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        world.dns().text("elsewhere.test", "v=spf1 ip4:127.0.0.1 -all"); // the probe says that it is elsewhere.test
        inbox = world.inbox("sender");
    }

    @Test
    @Proves("A42")
    void aBounceToARecipientsReturnPathIsToldOnceAndThatRecipientIsNotWrittenToAgain() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String hook = hook(endpoint);
            HttpProbe.Answer sent = send(inbox, "gone@victim.test", "fine@victim.test");
            String path = returnPath(sent, 1);
            assertThat(world.mail("", path, ReportSamples.status(path, "someone.else@victim.test", GONE, "X: y")))
                    .startsWith("250");

            assertThat(labels(sent)).contains("sent", "delivered", "bounced");
            assertThat(told(endpoint, "bounce"))
                    .containsOnlyKeys(
                            "inbox_id",
                            "thread_id",
                            "message_id",
                            "timestamp",
                            "type",
                            "sub_type",
                            "recipients",
                            "organization_id",
                            "pod_id")
                    .containsAllEntriesOf(Map.of(
                            "inbox_id",
                            inbox,
                            "thread_id",
                            sent.text("thread_id"),
                            "message_id",
                            sent.text("message_id"),
                            "type",
                            "Permanent",
                            "sub_type",
                            "NoEmail",
                            "recipients",
                            List.of(Map.of("address", "gone@victim.test", "status", "bounced"))));
            HttpProbe.Answer entry =
                    world.http().get("/v0/lists/send/block/gone@victim.test").is(200);
            assertThat(entry.text("reason")).isEqualTo("bounced");
            assertThat(entry.at("read_only")).isEqualTo(true);
            world.http().get("/v0/lists/send/block/fine@victim.test").is(404);
            assertThat(world.http()
                            .post(
                                    "/v0/inboxes/" + inbox + "/messages/send",
                                    json("to", "gone@victim.test", "text", "Again"))
                            .is(403)
                            .text("code"))
                    .isEqualTo("message_rejected");

            // The notice itself is in the conversation, and nobody takes it for a stranger's.
            HttpProbe.Answer thread = world.http()
                    .get("/v0/inboxes/" + inbox + "/threads/" + sent.text("thread_id"))
                    .is(200);
            assertThat(thread.at("message_count")).isEqualTo(2L);
            assertThat(thread.list("labels").stream().map(String.class::cast))
                    .contains("bounced", "received", "unread")
                    .doesNotContain("unauthenticated");

            assertThat(world.mail("", path, ReportSamples.notice(path, "gone@victim.test", "550 No such user")))
                    .startsWith("250");
            assertThat(complain(sent, 2)).startsWith("250");
            assertThat(told(endpoint, "complaint"))
                    .as("a second bounce is not told")
                    .containsEntry("recipients", List.of("fine@victim.test"));
            world.http().delete("/v0/webhooks/" + hook).is(200);
        }
    }

    /** Something in it that our rows do not take would be in its repetition too. */
    @Test
    @Proves("A42")
    void aReportThatCannotBeSettledIsPlainMailAndCostsNoOther() {
        HttpProbe.Answer sent = send(inbox, "unsettled@victim.test", "settled@victim.test");
        schema("alter table submission_recipient add constraint planted"
                + " check (recipient <> 'unsettled@victim.test' or state <> 'bounced')");
        try {
            String path = returnPath(sent, 1);
            assertThat(world.mail("", path, ReportSamples.status(path, "unsettled@victim.test", GONE, "X: y")))
                    .startsWith("250");
            HttpProbe.Answer thread = world.http()
                    .get("/v0/inboxes/" + inbox + "/threads/" + sent.text("thread_id"))
                    .is(200);
            assertThat(thread.at("message_count"))
                    .as("it is in the conversation")
                    .isEqualTo(2L);
            assertThat(labels(sent)).doesNotContain("bounced");
            String other = returnPath(sent, 2);
            assertThat(world.mail("", other, ReportSamples.status(other, "settled@victim.test", GONE, "X: y")))
                    .startsWith("250");
            assertThat(labels(sent)).contains("bounced");
        } finally {
            schema("alter table submission_recipient drop constraint planted");
        }
    }

    private static void schema(String statement) {
        world.database().writeGlobal(tx -> tx.sqlAcrossTenants(statement).run());
    }

    @Test
    void aReportOpensNoOtherInboxThatItIsAlsoAddressedTo() {
        HttpProbe.Answer sent = send(inbox, "opened@victim.test");
        String path = returnPath(sent, 1);
        String beside = world.inbox("beside");
        world.http()
                .post("/v0/inboxes/" + beside + "/lists/receive/block", json("entry", "mx.victim.test"))
                .is(200);
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            String report = ReportSamples.status(path, "opened@victim.test", GONE, "X: y");
            assertThat(probe.send("", List.of(path, beside), report)).startsWith("250");
        }
        assertThat(labels(sent)).contains("bounced");
        assertThat(world.http()
                        .get("/v0/inboxes/" + beside + "/messages")
                        .is(200)
                        .list("messages"))
                .as("there it answers nothing, and its lists are those for strangers")
                .isEmpty();
        assertThat(world.http()
                        .get("/v0/inboxes/" + beside + "/messages?include_blocked=true")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    @Test
    @Proves("A42")
    void ofSeveralAtOneDomainEachBouncesByItsOwnReturnPath() {
        HttpProbe.Answer sent = send(inbox, "one@elsewhere.test", "two@elsewhere.test");
        String path = returnPath(sent, 2);
        world.mail("", path, ReportSamples.status(path, "one@elsewhere.test", GONE, "X: y"));
        assertThat(labels(sent)).contains("bounced");
        assertThat(blocked())
                .as("whomever it names")
                .contains("two@elsewhere.test")
                .doesNotContain("one@elsewhere.test");
    }

    @Test
    void aNoticeInWordsIsUnderstoodAndAFullMailboxIsNoReasonToBlock() {
        HttpProbe.Answer sent = send(inbox, "full@victim.test", "lost@victim.test");
        String full = returnPath(sent, 1);
        world.mail("", full, ReportSamples.notice(full, "full@victim.test", "Sorry, the mailbox is full. (#5.2.2)"));
        assertThat(labels(sent)).contains("bounced");
        String lost = returnPath(sent, 2);
        world.mail(
                "",
                lost,
                ReportSamples.notice(lost, "lost@victim.test", "Sorry, no mailbox here by that name. (#5.1.1)"));
        assertThat(blocked()).contains("lost@victim.test").doesNotContain("full@victim.test");
    }

    @Test
    void aDelayIsALabelAndAFailureAfterManyAttemptsIsTransient() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String hook = hook(endpoint);
            HttpProbe.Answer sent = send(inbox, "slow@victim.test");
            String path = returnPath(sent, 1);
            String late = "Action: delayed\nStatus: 4.4.1";
            world.mail("", path, ReportSamples.status(path, "slow@victim.test", late, "X: y"));
            assertThat(labels(sent)).contains("delayed").doesNotContain("bounced");
            world.mail(
                    "", path, ReportSamples.status(path, "slow@victim.test", "Action: failed\nStatus: 4.4.7", "X: y"));
            assertThat(labels(sent)).contains("delayed", "bounced");
            assertThat(told(endpoint, "bounce"))
                    .containsAllEntriesOf(Map.of("type", "Transient", "sub_type", "General"));
            assertThat(blocked()).doesNotContain("slow@victim.test");
            world.mail(
                    "",
                    path,
                    ReportSamples.status(path, "slow@victim.test", "Action: delivered\nStatus: 2.0.0", "X: y"));
            world.http().delete("/v0/webhooks/" + hook).is(200);
        }
    }

    @Test
    void aComplaintToTheOperatorFindsItsMessageByTheReturnPathItQuotes() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String hook = hook(endpoint);
            HttpProbe.Answer sent = send(inbox, "angry@victim.test");
            assertThat(complain(sent, 1)).startsWith("250");
            assertThat(labels(sent)).contains("complained").doesNotContain("bounced");
            assertThat(told(endpoint, "complaint"))
                    .containsAllEntriesOf(Map.of(
                            "type",
                            "abuse",
                            "sub_type",
                            "spam",
                            "recipients",
                            List.of("angry@victim.test"),
                            "message_id",
                            sent.text("message_id")));
            assertThat(world.http()
                            .get("/v0/lists/send/block/angry@victim.test")
                            .is(200)
                            .text("reason"))
                    .isEqualTo("complained");
            assertThat(thread(sent).at("message_count"))
                    .as("the report is with the message")
                    .isEqualTo(2L);
            world.http().delete("/v0/webhooks/" + hook).is(200);
        }
    }

    @Test
    void feedbackThatIsNoComplaintBlocksNobody() {
        HttpProbe.Answer sent = send(inbox, "glad@victim.test");
        world.mail(
                "",
                "abuse@mail.localhost",
                ReportSamples.feedback("not-spam", "Original-Mail-From: <" + returnPath(sent, 1) + ">", "X: y"));
        assertThat(labels(sent)).doesNotContain("complained");
        assertThat(blocked()).doesNotContain("glad@victim.test");
    }

    @Test
    @Proves("A42")
    void noReportMadeByHandMarksAMessageOrBlocksAnAddress() {
        HttpProbe.Answer sent = send(inbox, "victim@victim.test", "other@elsewhere.test");
        String quoted = "Message-ID: " + sent.text("message_id") + "\nTo: victim@victim.test";
        String right = returnPath(sent, 1);
        int at = right.indexOf('+') + 9;
        String wrong = right.substring(0, at) + (right.charAt(at) == 'a' ? 'b' : 'a') + right.substring(at + 1);

        assertThat(world.mail("", wrong, ReportSamples.status(wrong, "victim@victim.test", GONE, quoted)))
                .startsWith("550 5.1.1");
        // The Message-ID is known to every recipient, and to whomever they answered.
        String abuse = "abuse@mail.localhost";
        forge("", inbox, ReportSamples.status(inbox, "victim@victim.test", GONE, quoted));
        forge("", inbox, ReportSamples.notice(inbox, "victim@victim.test", "550 5.1.1 No such user") + quoted);
        forge("jo@elsewhere.test", inbox, ReportSamples.status(inbox, "victim@victim.test", GONE, quoted));
        forge("", abuse, ReportSamples.feedback("abuse", "Original-Mail-From: <" + wrong + ">", quoted));
        forge("", abuse, ReportSamples.feedback("abuse", "Original-Rcpt-To: victim@victim.test", quoted));
        forge("", inbox, ReportSamples.feedback("abuse", "Original-Rcpt-To: victim@victim.test", quoted));
        assertThat(labels(sent)).doesNotContain("bounced", "complained");
        // What one recipient knows says nothing about another.
        String other = returnPath(sent, 2);
        forge("", other, ReportSamples.status(other, "victim@victim.test", GONE, quoted));

        assertThat(blocked()).doesNotContain("victim@victim.test");
        String state = world.database()
                .read(tx -> tx.sqlAcrossTenants("select r.state from submission_recipient r"
                                + " where r.recipient = 'victim@victim.test'")
                        .single(row -> row.text("state")));
        assertThat(state).isEqualTo("captured");
    }

    @Test
    void anAutomaticAnswerToAReturnPathIsMailForTheInbox() {
        HttpProbe.Answer sent = send(inbox, "away@victim.test");
        String path = returnPath(sent, 1);
        assertThat(world.mail(
                        "",
                        path,
                        "From: away@victim.test\nTo: " + path + "\nSubject: Away until Monday\n"
                                + "Auto-Submitted: auto-replied\nIn-Reply-To: " + sent.text("message_id")
                                + "\n\nI am away and have failed to read this.\n"))
                .startsWith("250");
        assertThat(labels(sent)).doesNotContain("bounced", "delayed");
        HttpProbe.Answer messages = world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&limit=1")
                .is(200);
        assertThat(messages.text("messages.0.subject")).isEqualTo("Away until Monday");
        assertThat(messages.text("messages.0.thread_id")).isEqualTo(sent.text("thread_id"));
    }

    @Test
    void aDomainWithoutFeedbackKeepsReportsOutOfItsInboxesAndStillHeedsThem() {
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
        HttpProbe.Answer sent = send(quiet, "hushed@victim.test");
        String path = returnPath(sent, 1).replace("@mail.localhost", "@mail.quiet.example");
        assertThat(world.mail("", path, ReportSamples.status(path, "hushed@victim.test", GONE, "X: y")))
                .startsWith("250");
        assertThat(labels(sent)).contains("bounced");
        assertThat(blocked()).contains("hushed@victim.test");
        assertThat(world.http()
                        .get("/v0/inboxes/" + quiet + "/messages?include_unauthenticated=true")
                        .is(200)
                        .list("messages"))
                .hasSize(1);

        world.http()
                .patch("/v0/domains/quiet.example", json("feedback_enabled", true))
                .is(200);
        HttpProbe.Answer next = send(quiet, "loud@victim.test");
        String other = returnPath(next, 1);
        world.mail("", other, ReportSamples.status(other, "loud@victim.test", GONE, "X: y"));
        assertThat(world.http()
                        .get("/v0/inboxes/" + quiet + "/messages?include_unauthenticated=true")
                        .is(200)
                        .list("messages"))
                .hasSize(3);
    }

    @Test
    void aReportAboutMailOfTheServiceItselfIsTakenAndKeptByNobody() {
        byte[] raw = "Subject: Code\r\n\r\n123456\r\n".getBytes(StandardCharsets.US_ASCII);
        world.database().write(world.organization(), tx -> {
            RoundTrip trip = tx.roundTrip();
            new SubmissionQueue()
                    .appendTo(
                            tx,
                            trip,
                            world.organization(),
                            new SubmissionQueue.NewSubmission(
                                    null, null, "postmaster@mail.localhost", raw, List.of("human@victim.test")));
            trip.run();
            return inbox;
        });
        UUID submission = world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select s.submission_id from submission s" + " where s.message_id is null")
                        .single(row -> row.uuid("submission_id")));
        String path = path(submission, 1);
        assertThat(world.mail("", path, ReportSamples.status(path, "human@victim.test", GONE, "X: y")))
                .startsWith("250");
        assertThat(blocked()).doesNotContain("human@victim.test");
        String state = world.database()
                .read(tx -> tx.sqlAcrossTenants("select r.state from submission_recipient r"
                                + " where r.recipient = 'human@victim.test'")
                        .single(row -> row.text("state")));
        assertThat(state).isEqualTo("bounced");
        try (SmtpProbe callback = new SmtpProbe(world.smtpPort())) { // others ask so whether a sender exists
            callback.command("MAIL FROM:<>");
            assertThat(callback.command("RCPT TO:<" + path + ">")).startsWith("250");
            assertThat(callback.command("RCPT TO:<bounce+0@mail.localhost>")).startsWith("550 5.1.1");
        }
    }

    /** It is taken as the mail that it is. */
    private static void forge(String from, String to, String message) {
        assertThat(world.mail(from, to, message)).startsWith("250");
    }

    private static String hook(FakeEndpoint endpoint) {
        return world.http()
                .post("/v0/webhooks", """
                {"url":"%s","event_types":["message.bounced",
                "message.complained"]}""".formatted(endpoint.url("/hook")))
                .is(200)
                .text("webhook_id");
    }

    private static Map<String, Object> told(FakeEndpoint endpoint, String member) {
        Map<?, ?> event =
                (Map<?, ?>) Objects.requireNonNull(Json.parse(endpoint.take().content()));
        Map<String, Object> told = new HashMap<>();
        ((Map<?, ?>) Objects.requireNonNull(event.get(member)))
                .forEach((name, value) -> told.put((String) name, value));
        return told;
    }

    private static HttpProbe.Answer send(String from, String... to) {
        String recipients = Stream.of(to).map(each -> "\"" + each + "\"").collect(Collectors.joining(","));
        HttpProbe.Answer sent = world.http()
                .post("/v0/inboxes/" + from + "/messages/send", """
                {"to":[%s],"subject":"Hello","text":"Hi"}""".formatted(recipients))
                .is(200);
        Eventually.value(FeedbackHttpTest::queued, left -> left == 0);
        return sent;
    }

    private static int queued() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from submission_recipient r"
                                + " where r.state in ('queued', 'sending')")
                        .single(row -> row.integer("n")));
    }

    private static String complain(HttpProbe.Answer sent, int position) {
        return world.mail(
                "",
                "abuse@mail.localhost",
                ReportSamples.feedback(
                        "abuse",
                        "Original-Rcpt-To: redacted@victim.test",
                        "Return-Path: <" + returnPath(sent, position) + ">"));
    }

    private static String returnPath(HttpProbe.Answer sent, int position) {
        return path(
                world.database()
                        .read(tx -> tx.sqlAcrossTenants("select s.submission_id from submission s join message m"
                                        + " on m.organization_id = s.organization_id"
                                        + " and m.message_id = s.message_id where m.name = :name")
                                .bind("name", sent.text("message_id"))
                                .single(row -> row.uuid("submission_id"))),
                position);
    }

    private static String path(UUID submission, int position) {
        return new ReturnPaths(world.vault().deriveAll("return paths"))
                        .sign(new ReturnPath(world.organization(), submission, position))
                + "@mail.localhost";
    }

    private static HttpProbe.Answer thread(HttpProbe.Answer sent) {
        return world.http().get("/v0/threads/" + sent.text("thread_id")).is(200);
    }

    private static List<String> labels(HttpProbe.Answer sent) {
        String sender = world.database()
                .read(tx -> tx.sqlAcrossTenants("select i.address from message m join inbox i"
                                + " on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id"
                                + " where m.name = :name")
                        .bind("name", sent.text("message_id"))
                        .single(row -> row.text("address")));
        return world
                .http()
                .get("/v0/inboxes/" + sender + "/messages/"
                        + URLEncoder.encode(sent.text("message_id"), StandardCharsets.UTF_8))
                .is(200)
                .list("labels")
                .stream()
                .map(String.class::cast)
                .toList();
    }

    private static List<String> blocked() {
        return world.http().get("/v0/lists/send/block?limit=100").is(200).list("entries").stream()
                .map(entry -> (String) ((Map<?, ?>) entry).get("entry"))
                .toList();
    }
}
