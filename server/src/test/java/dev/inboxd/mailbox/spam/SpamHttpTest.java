package dev.inboxd.mailbox.spam;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is spam, what becomes of it, and how an organization teaches what it is. */
class SpamHttpTest {
    private static final String TEST = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

    @RegisterExtension
    private static final World world = World.start();

    @BeforeAll
    static void start() {
        world.dns().text("friend.test", "v=spf1 ip4:127.0.0.1 -all").text("evil.test", "v=spf1 ip4:127.0.0.1 -all");
    }

    @Test
    @Proves("P11d")
    void theTestMessageIsTakenLabelledHiddenAndToldAsSpam() {
        String inbox = world.inbox("gtube");
        assertThat(send(inbox, "a test", TEST)).startsWith("250");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .isEmpty();
        assertThat(labels(inbox, "a test")).containsExactly("received", "unread", "spam");
        String feed = world.http().get("/v0/events?limit=100").is(200).text();
        assertThat(feed).contains("message.received.spam");
    }

    @Test
    @Proves("P11d")
    void factsThatMeetAreSpamAndAnAnswerIsNot() {
        String inbox = world.inbox("facts");
        String evil = "From: \"service@bank.test\" <x@evil.test>\nTo: a@b.test\nSubject: ACCOUNT LOCKED\n%s\n"
                + "See http://198.51.100.7/login\n";
        assertThat(world.mail("x@friend.test", inbox, evil.formatted(""))).startsWith("250");
        assertThat(labels(inbox, "ACCOUNT LOCKED")).contains("spam");
        String sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "x@evil.test", "subject", "q", "text", "t"))
                .is(200)
                .text("message_id");
        assertThat(world.mail(
                        "x@evil.test",
                        inbox,
                        evil.formatted("In-Reply-To: " + sent + "\n").replace("ACCOUNT LOCKED", "ACCOUNT ANSWERED")))
                .startsWith("250");
        assertThat(labels(inbox, "ACCOUNT ANSWERED")).doesNotContain("spam");
    }

    @Test
    @Proves("P11d")
    void mailOfATrustedSenderIsNeverSuspectedAndAForgedOneIs() {
        String inbox = world.inbox("trusting");
        world.http()
                .post("/v0/inboxes/" + inbox + "/lists/receive/allow", json("entry", "friend.test"))
                .is(200);
        String odd = "From: \"service@bank.test\" <jo@friend.test>\nSubject: %s\n\nSee http://198.51.100.7/login\n";
        assertThat(world.mail("jo@friend.test", inbox, odd.formatted("REALLY HIS OWN")))
                .startsWith("250");
        assertThat(labels(inbox, "REALLY HIS OWN")).doesNotContain("spam");
        assertThat(world.mail("jo@stranger.test", inbox, odd.formatted("SOMEBODY ELSES")))
                .startsWith("250");
        assertThat(labels(inbox, "SOMEBODY ELSES")).contains("spam", "unauthenticated");
    }

    /** Attack A10: a signed message is sent on to thousands, and its signature holds. */
    @Test
    @Tag("long")
    @Proves("A10")
    void aSignatureThatComesToVeryManyRecipientsSpeaksForSpam() {
        String inbox = world.inbox("replayed");
        String odd = "DKIM-Signature: v=1; a=rsa-sha256; d=evil.test; s=s; h=from; bh=AAAA;\n b=BB%sBB\n"
                + "From: \"service@bank.test\" <x@evil.test>\nSubject: Replay %d\n\nHello\n";
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            for (int i = 0; i < 101; i++) {
                assertThat(probe.send("x@friend.test", List.of(inbox), odd.formatted(i % 2 == 0 ? "" : "\n ", i)))
                        .startsWith("250");
            }
            assertThat(probe.send("x@friend.test", List.of(inbox), odd.formatted("other", 102)))
                    .startsWith("250");
        }
        assertThat(labels(inbox, "Replay 99")).doesNotContain("spam");
        assertThat(labels(inbox, "Replay 100")).contains("spam");
        assertThat(labels(inbox, "Replay 102")).as("another signature").doesNotContain("spam");
    }

    /** What is put off comes again, from the same sender and with the same signature. */
    @Test
    @Proves("A10")
    void whatItsSenderHasToRepeatIsNoReplay() {
        String inbox = world.inbox("repeated");
        String odd = "DKIM-Signature: v=1; a=rsa-sha256; d=odd.test; s=s; h=from; bh=AAAA; b=CCCC\n"
                + "From: \"service@bank.test\" <x@odd.test>\nSubject: Put off\n\nHello\n";
        schema("alter table message add constraint planted check (subject is distinct from 'Put off')");
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            for (int i = 0; i < 101; i++) {
                assertThat(probe.send("x@friend.test", List.of(inbox), odd)).startsWith("4");
            }
            schema("alter table message drop constraint planted");
            assertThat(probe.send("x@friend.test", List.of(inbox), odd)).startsWith("250");
        }
        assertThat(labels(inbox, "Put off")).doesNotContain("spam");
    }

    private static void schema(String statement) {
        world.database().writeGlobal(tx -> tx.sqlAcrossTenants(statement).run());
    }

    @Test
    @Tag("long")
    @Proves("P11d")
    void anOrganizationTeachesByLabelsForItselfAlone() {
        String inbox = world.inbox("pupil");
        String other = world.otherOrganization();
        String stranger = world.as(other)
                .post("/v0/inboxes", json("username", "stranger"))
                .is(200)
                .text("inbox_id");
        for (int i = 0; i < 42; i++) {
            send(inbox, "Order " + i, "Please send item " + i + " to our office by Thursday, as always.");
        }
        for (int i = 0; i < 21; i++) {
            send(
                    inbox,
                    "Cheap pills " + i,
                    "Buy cheap pills now, offer " + i + " at http://pills" + i + ".cheap.test/");
            relabel(inbox, "Cheap pills " + i, json("add_labels", List.of("spam")));
        }
        world.learn();
        send(inbox, "Cheap pills again", "Buy cheap pills now, offer 77 at http://pills77.cheap.test/");
        send(inbox, "Order again", "Please send item 77 to our office by Thursday, as always.");
        send(stranger, "Cheap pills again", "Buy cheap pills now, offer 77 at http://pills77.cheap.test/");
        assertThat(labels(inbox, "Cheap pills again")).contains("spam");
        assertThat(labels(inbox, "Order again")).doesNotContain("spam");
        assertThat(labels(world.as(other), stranger, "Cheap pills again")).doesNotContain("spam");

        for (int i = 0; i < 21; i++) {
            relabel(inbox, "Cheap pills " + i, json("remove_labels", List.of("spam")));
        }
        world.learn();
        send(inbox, "Cheap pills last", "Buy cheap pills now, offer 78 at http://pills78.cheap.test/");
        assertThat(labels(inbox, "Cheap pills last"))
                .as("what was taught is taken back")
                .doesNotContain("spam");
    }

    @Test
    @Proves("P11d")
    void aMessageIsLearnedOnceHoweverOftenItIsMarkedAndItsMarkGoesWithIt() {
        String inbox = world.inbox("flipping");
        send(inbox, "Flip", "Flipping words");
        for (int i = 0; i < 5; i++) {
            relabel(inbox, "Flip", json("add_labels", List.of("spam")));
            world.learn();
            relabel(inbox, "Flip", json("remove_labels", List.of("spam")));
            world.learn();
            relabel(inbox, "Flip", json("add_labels", List.of("spam")));
            relabel(inbox, "Flip", json("remove_labels", List.of("spam")));
        }
        int before = marks();
        relabel(inbox, "Flip", json("add_labels", List.of("spam")));
        world.learn();
        assertThat(marks()).isEqualTo(before);
        world.http().delete(path(inbox, find(world.http(), inbox, "Flip"))).is(200);
        assertThat(marks()).isEqualTo(before - 1);
        world.learn();
    }

    private static int marks() {
        UUID organization = world.organization();
        return world.database()
                .read(tx -> tx.sql(
                                View.of(organization), "select count(*)::integer as marks from spam_mark s where {s}")
                        .single(row -> row.integer("marks")));
    }

    private static String send(String inbox, String subject, String text) {
        return world.mail(
                "jo@friend.test",
                inbox,
                "From: Jo <jo@friend.test>\nTo: a@b.test\nMessage-ID: <" + UUID.randomUUID()
                        + "@friend.test>\nSubject: " + subject + "\n\n" + text + "\n");
    }

    private static void relabel(String inbox, String subject, String change) {
        world.http()
                .patch(path(inbox, find(world.http(), inbox, subject)), change)
                .is(200);
    }

    private static Map<?, ?> find(HttpProbe http, String inbox, String subject) {
        return http
                .get("/v0/inboxes/" + inbox + "/messages?limit=500&include_spam=true&include_unauthenticated=true"
                        + "&include_blocked=true")
                .is(200)
                .list("messages")
                .stream()
                .map(message -> (Map<?, ?>) message)
                .filter(message -> subject.equals(message.get("subject")))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> labels(String inbox, String subject) {
        return labels(world.http(), inbox, subject);
    }

    private static List<String> labels(HttpProbe http, String inbox, String subject) {
        return ((List<?>) Objects.requireNonNull(find(http, inbox, subject).get("labels")))
                .stream().map(String::valueOf).toList();
    }

    private static String path(String inbox, Map<?, ?> message) {
        return "/v0/inboxes/" + inbox + "/messages/"
                + URLEncoder.encode(String.valueOf(message.get("message_id")), StandardCharsets.UTF_8);
    }
}
