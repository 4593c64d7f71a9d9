package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The queue between the commit of a message and the relay, when something goes wrong on the way. */
class DeliveryQueueHttpTest extends RelayService {
    @Test
    @Tag("long")
    @Proves("P2")
    void whatIsBeingCarriedIsNotTakenBackWhenAClaimIsInDoubt() {
        mx.answerRecipient("busy@elsewhere.test", "450 4.2.1 later");
        send("busy@elsewhere.test");
        await(() -> count("r.state = 'queued' and r.attempts = 1") == 1);
        mx.answerRecipient("busy@elsewhere.test", "250 2.1.5 now");
        CountDownLatch held = holdTheFirstMessage();
        send(many(20));
        await(() -> mx.commands().contains("DATA"));

        world.database().writeGlobal(tx -> {
            tx.sqlAcrossTenants("lock table submission_recipient in share mode").run(); // no claim can be written
            world.advance(Duration.ofMinutes(6)); // the first message is due
            await(() -> waiting() > 0);
            await(() -> waiting() == 0); // a claim has failed, and nobody knows what became of it
            return true;
        });
        await(() -> attempts("busy@elsewhere.test") == 2);
        held.countDown();
        await(() -> open() == 0);

        assertThat(mx.mails().stream().flatMap(mail -> mail.recipients().stream()))
                .doesNotHaveDuplicates()
                .hasSize(21);
        assertThat(attempts("r0@elsewhere.test")).isEqualTo(1);
        assertThat(attempts("r19@elsewhere.test")).isEqualTo(1);
    }

    @Test
    @Proves("P2")
    void whatIsBeingCarriedIsNotClaimedAgainWhenItsLeaseRunsOut() throws Exception {
        CountDownLatch held = holdTheFirstMessage();
        send("slow@elsewhere.test");
        await(() -> mx.commands().contains("DATA"));
        world.advance(DeliveryQueueSql.LEASE.plusMinutes(1));
        send("other@elsewhere.test");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<other@elsewhere.test>");
        await(() -> open() == 1);
        held.countDown();
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<slow@elsewhere.test>");
        await(() -> open() == 0);
        assertThat(attempts("slow@elsewhere.test")).isEqualTo(1);
        assertThat(mx.mails()).isEmpty();
    }

    /** An attempt that never got as far as the other server is none of those that RFC 5321 §4.5.4.1 spaces out. */
    @Test
    @Proves("P18")
    void whatWeHoldUpOurselvesLeavesTheScheduleAlone() throws Exception {
        mx.answerRecipient("ann@elsewhere.test", "450 4.2.1 later");
        String file = Base64.getEncoder()
                .encodeToString(new Random(1)
                        .ints(400_000)
                        .collect(
                                ByteArrayOutputStream::new,
                                ByteArrayOutputStream::write,
                                (one, other) -> one.writeBytes(other.toByteArray()))
                        .toByteArray());
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"ann@elsewhere.test","text":"Hi",
                "attachments":[{"filename":"a.bin","content":"%s"}]}""".formatted(file))
                .is(200);
        await(() -> count("r.state = 'queued' and r.attempts = 1 and r.held = 0") == 1);
        Path blobs = world.folder().resolve("blobs");
        Path away = world.folder().resolve("away");
        Files.move(blobs, away);
        for (int i = 1; i <= 4; i++) {
            int held = i;
            world.advance(Duration.ofMinutes(6));
            await(() -> count("r.state = 'queued' and r.held = " + held + " and r.due_at < {now} + interval '1 minute'")
                    == 1);
        }
        Files.move(away, blobs);
        world.advance(Duration.ofMinutes(6));
        await(() -> count("r.state = 'queued' and r.attempts - r.held = 2") == 1);
        assertThat(count("r.due_at between {now} + interval '8 minutes' and {now} + interval '10 minutes'"))
                .isEqualTo(1);
    }

    @Test
    @Proves("P2")
    void oneUnusableRecipientKeepsTheMessageFromNobodyElse() throws Exception {
        byte[] raw = "Subject: Code\r\n\r\n123456\r\n".getBytes(StandardCharsets.US_ASCII);
        world.database().write(world.organization(), tx -> {
            RoundTrip trip = tx.roundTrip();
            new SubmissionQueue()
                    .appendTo(
                            tx,
                            trip,
                            world.organization(),
                            new SubmissionQueue.NewSubmission(
                                    null,
                                    null,
                                    "postmaster@mail.localhost",
                                    raw,
                                    List.of("\"\"@elsewhere.test", "ok@elsewhere.test", "no address")));
            trip.run();
            return inbox;
        });
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<ok@elsewhere.test>");
        await(() -> open() == 0);
        assertThat(delivered()).isEqualTo(1);
    }

    /** Whether they are alone in a message or with others, which are statements of their own. */
    @Test
    void whoWouldBeAtADomainThatSomebodyHereHoldsIsNotLookedForElsewhere() throws Exception {
        world.database().writeGlobal(tx -> {
            hold(tx, "held.test", true);
            hold(tx, "single.test", false);
            return inbox;
        });
        String tagged = world.inbox("tagged").replace("@", "+Note@");
        List<String> ours =
                List.of("nobody@held.test", "nobody@Deep.in.HELD.test", "nobody@single.test", "nobody@mail.localhost");
        ours.forEach(this::send);
        send(tagged);
        send("away@below.single.test");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<away@below.single.test>");
        await(() -> open() == 0);
        List<String> all = new ArrayList<>(
                ours.stream().map(each -> each.replace("nobody", "noone")).toList());
        all.add(tagged);
        all.add("away@elsewhere.test");
        all.add("away@below.single.test");
        send(all.toArray(String[]::new));
        FakeMx.Received first = mx.nextMail();
        FakeMx.Received second = mx.nextMail();
        assertThat(List.of(first.recipients(), second.recipients()))
                .containsExactlyInAnyOrder(
                        List.of("RCPT TO:<away@elsewhere.test>"), List.of("RCPT TO:<away@below.single.test>"));
        assertThat(first.mail())
                .as("through a relay too each bounces to a path of its own")
                .isNotEqualTo(second.mail());
        await(() -> open() == 0);
        assertThat(mx.mails()).isEmpty();
        assertThat(count("r.state = 'bounced' and r.last_reply like '550 5.1.1%'"))
                .isEqualTo(2 * ours.size());
        assertThat(count("r.state = 'delivered' and r.local")).isEqualTo(2);
    }

    private void hold(Tx tx, String domain, boolean subdomains) {
        tx.sql("insert into domain_holder (domain, organization_id, path, subdomains, verified, changed_at)"
                        + " values (:domain, :organization, :domain, :subdomains, true, {now})")
                .bind("domain", domain)
                .bind("organization", world.organization())
                .bind("subdomains", subdomains)
                .run();
    }

    @Test
    void aHeaderBeyondAsciiLeavesWithItsParameterOrNotAtAll() throws Exception {
        String body = json("to", "ann@elsewhere.test", "reply_to", "jörg@elsewhere.test", "text", "Hi");
        world.http().post("/v0/inboxes/" + inbox + "/messages/send", body).is(200);
        FakeMx.Received mail = mx.nextMail();
        assertThat(mail.mail()).endsWith(" SMTPUTF8");
        send("bob@elsewhere.test");
        assertThat(mx.nextMail().mail()).doesNotContain("SMTPUTF8");

        try (FakeMx old = new FakeMx("PIPELINING", "8BITMIME");
                World relayed = World.start(Map.of(
                        "INBOXD_RELAY", "smtp://127.0.0.1:" + old.endpoint().port()))) {
            String agent = relayed.inbox("agent");
            HttpProbe.Answer sent = relayed.http()
                    .post("/v0/inboxes/" + agent + "/messages/send", body)
                    .is(200);
            await(() -> relayed.http()
                    .get("/v0/threads/" + sent.text("thread_id"))
                    .is(200)
                    .list("labels")
                    .contains("bounced"));
            assertThat(old.mails()).isEmpty();
            assertThat(relayed.http().get("/v0/lists/send/block").is(200).list("entries"))
                    .isEmpty();
        }
    }

    /** ruling 24: accepted with 200, and refused by ourselves before it left. */
    @Test
    void whatTheListsForbidMeanwhileDoesNotLeaveAndIsToldAsRejected() {
        mx.answerRecipient("later@elsewhere.test", "451 4.2.1 later");
        String now = world.http().get("/v0/events?cursor=now").is(200).text("next_cursor");
        send("later@elsewhere.test", "good@elsewhere.test");
        await(() -> count("r.state = 'queued' and r.attempts = 1") == 1 && delivered() == 1);
        world.http()
                .post("/v0/lists/send/block", json("entry", "elsewhere.test", "reason", "private"))
                .is(200);
        world.advance(Duration.ofMinutes(6));
        await(() -> open() == 0);
        assertThat(count("r.state = 'rejected' and r.recipient = 'later@elsewhere.test'"))
                .isEqualTo(1);
        assertThat(mx.mails()).hasSize(1);
        HttpProbe.Answer events = world.http()
                .get("/v0/events?event_types=message.rejected&cursor=" + now)
                .is(200);
        assertThat(events.list("events")).hasSize(1);
        assertThat(events.text("events.0.event_type")).isEqualTo("message.rejected");
        assertThat(events.text("events.0.reject.inbox_id")).isEqualTo(inbox);
        assertThat(events.text("events.0.reject.reason")).isEqualTo("Recipient in block list: later@elsewhere.test");
        List<?> labels = world.http()
                .get("/v0/threads/" + events.text("events.0.reject.thread_id"))
                .is(200)
                .list("labels");
        assertThat(labels.containsAll(List.of("rejected", "delivered", "delayed")))
                .as(labels.toString())
                .isTrue();
        assertThat(world.http()
                        .get("/v0/metrics/events?event_types=message.rejected")
                        .is(200)
                        .text())
                .contains(members("count", 1));
    }

    /** The first message that arrives whole is answered when the latch opens, all others at once. */
    private CountDownLatch holdTheFirstMessage() {
        CountDownLatch latch = new CountDownLatch(1);
        AtomicInteger messages = new AtomicInteger();
        mx.at(At.CONTENT, wire -> {
            if (messages.getAndIncrement() == 0) {
                FakeMx.hold(latch, "250 2.0.0 taken").play(wire);
            } else {
                wire.reply("250 2.0.0 taken");
            }
        });
        return latch;
    }

    private void send(String... to) {
        String recipients = List.of(to).stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(","));
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":[%s],"text":"Hi"}""".formatted(recipients))
                .is(200);
    }

    private static String[] many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "r" + i + "@elsewhere.test")
                .toArray(String[]::new);
    }

    private int open() {
        return count("r.due_at is not null");
    }

    private int delivered() {
        return count("r.state = 'delivered'");
    }

    private int count(String condition) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from submission_recipient r where " + condition)
                        .single(row -> row.integer("n")));
    }

    private int attempts(String recipient) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select r.attempts from submission_recipient r" + " where r.recipient = :recipient")
                        .bind("recipient", recipient)
                        .single(row -> row.integer("attempts")));
    }

    private int waiting() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from pg_locks l where not l.granted"
                                + " and l.relation = 'submission_recipient'::regclass")
                        .single(row -> row.integer("n")));
    }
}
