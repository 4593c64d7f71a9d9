package dev.inboxd.inbound;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However much others send, an organization keeps and gets no more than it may (promises.md A43). */
class InboundLimitsHttpTest {
    private static final String FULL = "452 4.2.2";
    private static final int MOST = 600_000;
    private static final String FILE =
            json("filename", "a", "content", Base64.getEncoder().encodeToString(new byte[MOST]));

    @Test
    @Proves("A43a")
    void whateverComesAtOnceOnTwoNodesAnOrganizationKeepsExactlyAsManyMessagesAsItMay() throws InterruptedException {
        Map<String, String> settings = Map.of("INBOXD_LIMITS", "stored_messages=7,requests=1000");
        try (World first = World.start(settings);
                World second = first.beside(settings)) {
            String inbox = first.inbox("flooded");
            List<String> answers = new CopyOnWriteArrayList<>();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                int number = i;
                World node = i % 2 == 0 ? first : second;
                senders.add(Thread.startVirtualThread(
                        () -> answers.add(node.mail("jo@example.com", inbox, mail("flood" + number, 10)))));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            assertThat(answers.stream().filter(answer -> answer.startsWith("250")))
                    .hasSize(7);
            assertThat(answers.stream().filter(answer -> answer.startsWith(FULL)))
                    .hasSize(23);
            assertThat(messages(first.http(), inbox)).hasSize(7);
            assertThat(kept(first)).isEqualTo(new StoredUsage(7, stored(first)));
            Answer shown = first.http().get("/v0/organizations").is(200);
            assertThat(shown.at("message_count")).isEqualTo(7L);
            assertThat(shown.at("message_limit")).isEqualTo(7L);
            assertThat(shown.at("storage_bytes")).isEqualTo(stored(first) + logged(first));
            try (SmtpProbe probe = new SmtpProbe(first.smtpPort())) {
                probe.command("MAIL FROM:<jo@example.com>");
                assertThat(probe.command("RCPT TO:<" + inbox + ">")).startsWith(FULL);
            }
            first.http()
                    .delete("/v0/inboxes/" + inbox + "/messages/"
                            + messages(first.http(), inbox).getFirst())
                    .is(200);
            assertThat(first.mail("jo@example.com", inbox, mail("again", 10))).startsWith("250");
            assertThat(first.mail("jo@example.com", inbox, mail("more", 10))).startsWith(FULL);
        }
    }

    @Test
    @Tag("long")
    @Proves("A43a")
    void aFullOrganizationCostsTheOtherRecipientsOfAMessageNothing() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "stored_megabytes=1,requests=1000"))) {
            String full = world.inbox("full");
            HttpProbe other = world.as(world.otherOrganization());
            String free =
                    other.post("/v0/inboxes", json("username", "free")).is(200).text("inbox_id");
            assertThat(world.mail("jo@example.com", full, mail("first", MOST))).startsWith("250");
            String both = mail("both", MOST);
            for (int i = 0; i < 2; i++) { // nobody knows before its end that there is no room for it
                try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
                    assertThat(probe.send("jo@example.com", List.of(full, free), both))
                            .startsWith(FULL);
                }
            }
            assertThat(messages(other, free)).hasSize(1);
            assertThat(messages(world.http(), full)).hasSize(1);
            assertThat(world.mail("jo@example.com", full, mail("filling", 420_000)))
                    .startsWith("250");
            assertThat(world.mail("jo@example.com", full, mail("rest", 7_000))).startsWith("250");
            world.http()
                    .delete("/v0/inboxes/" + full + "/messages/"
                            + messages(world.http(), full).getLast())
                    .is(200);
            try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
                assertThat(probe.send("jo@example.com", List.of(full, free), both))
                        .startsWith("250");
            }
            assertThat(messages(other, free)).hasSize(1);
            assertThat(kept(world)).isEqualTo(new StoredUsage(3, stored(world)));
        }
    }

    /** RFC 1870 §6.2: a declared size is looked at before a single octet comes. */
    @Test
    @Proves("A43a")
    void whatIsDeclaredLargerThanTheRoomIsRefusedForThatRecipientAtOnce() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "stored_megabytes=1,requests=1000"))) {
            String full = world.inbox("declared");
            String free = world.as(world.otherOrganization())
                    .post("/v0/inboxes", json("username", "roomy"))
                    .is(200)
                    .text("inbox_id");
            assertThat(world.mail("jo@example.com", full, mail("first", MOST))).startsWith("250");
            assertThat(recipients(world, " SIZE=" + MOST, full, free)).containsExactly(FULL, "250 2.1.5");
            assertThat(recipients(world, " SIZE=400000", full)).containsExactly("250 2.1.5");
            assertThat(recipients(world, " SIZE=" + MOST, full))
                    .as("it had room a moment ago")
                    .containsExactly(FULL);
            assertThat(recipients(world, " SIZE=0", full)).containsExactly("250 2.1.5");
            assertThat(recipients(world, "", full)).containsExactly("250 2.1.5");
            world.http()
                    .delete("/v0/inboxes/" + full + "/messages/"
                            + messages(world.http(), full).getFirst())
                    .is(200);
            assertThat(recipients(world, " SIZE=" + MOST, full)).containsExactly("250 2.1.5");
            assertThat(world.anonymous().get("/metrics").is(200).text())
                    .contains("inboxd_recipients_refused_total{why=\"full\"} 2.0");
        }
    }

    /** How the replies to some recipients begin. */
    private static List<String> recipients(World world, String parameters, String... recipients) {
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            assertThat(probe.command("MAIL FROM:<jo@example.com>" + parameters)).startsWith("250");
            return Stream.of(recipients)
                    .map(each -> probe.command("RCPT TO:<" + each + ">"))
                    .map(reply -> reply.substring(0, FULL.length()))
                    .toList();
        }
    }

    @Test
    @Tag("long")
    @Proves("A43a")
    void whatAFullOrganizationWouldWriteItselfIsRefusedAndDeletingMakesRoom() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "stored_megabytes=1,requests=1000"))) {
            String inbox = world.inbox("writer");
            String letter = """
                    {"to":["you@example.com"],"text":"t","attachments":[%s]}""".formatted(FILE);
            String draft = world.http()
                    .post("/v0/inboxes/" + inbox + "/drafts", """
                    {"subject":"s","text":"t","attachments":[%s]}""".formatted(FILE))
                    .is(200)
                    .text("draft_id");
            assertThat(kept(world)).isEqualTo(new StoredUsage(0, MOST + 1));
            refused(world.http().post("/v0/inboxes/" + inbox + "/drafts", """
                    {"text":"t","attachments":[%s]}""".formatted(FILE)));
            refused(world.http().post("/v0/inboxes/" + inbox + "/messages/send", letter));
            refused(world.http().patch("/v0/inboxes/" + inbox + "/drafts/" + draft, json("text", "x".repeat(500_000))));
            assertThat(kept(world)).isEqualTo(new StoredUsage(0, MOST + 1));
            world.http()
                    .patch("/v0/inboxes/" + inbox + "/drafts/" + draft, json("text", "longer"))
                    .is(200);
            assertThat(kept(world)).isEqualTo(new StoredUsage(0, MOST + "longer".length()));
            world.http().delete("/v0/inboxes/" + inbox + "/drafts/" + draft).is(200);
            assertThat(kept(world)).isEqualTo(StoredUsage.NONE);
            world.http().post("/v0/inboxes/" + inbox + "/messages/send", letter).is(200);
            assertThat(kept(world)).isEqualTo(new StoredUsage(1, stored(world)));
        }
    }

    @Test
    @Proves("A43a")
    void whatIsExchangedForSomethingNoLargerIsNotRefused() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "stored_megabytes=1,requests=1000"))) {
            String inbox = world.inbox("exchange");
            Answer made = world.http()
                    .post("/v0/inboxes/" + inbox + "/drafts", """
                    {"to":["you@example.com"],"text":"t","attachments":[%s]}""".formatted(FILE))
                    .is(200);
            String draft = "/v0/inboxes/" + inbox + "/drafts/" + made.text("draft_id");
            String old = String.valueOf(((Map<?, ?>) made.list("attachments").getFirst()).get("attachment_id"));
            String add = """
                    "add_attachments":[%s]""".formatted(FILE);
            refused(world.http().patch(draft, "{" + add + "}"));
            world.http().patch(draft, """
                    {%s,"remove_attachments":["%s"]}""".formatted(add, old)).is(200);
            assertThat(kept(world)).isEqualTo(new StoredUsage(0, MOST + 1));
            world.http().post(draft + "/send", "{}").is(200); // the draft makes room for its message
            assertThat(kept(world)).isEqualTo(new StoredUsage(1, stored(world)));
        }
    }

    @Test
    @Proves("A43a")
    void whatIsCountedIsWhatIsKeptWhateverComesAndGoes() {
        try (World world = World.start()) { // without any bound it is counted all the same
            String inbox = world.inbox("come");
            String gone = world.inbox("go");
            for (int i = 0; i < 4; i++) {
                for (String each : List.of(inbox, gone)) {
                    assertThat(world.mail("jo@example.com", each, mail("n" + i, 100 * i)))
                            .startsWith("250");
                    assertThat(world.mail("jo@example.com", each, mail("n" + i, 100 * i)))
                            .startsWith("250"); // absorbed
                }
            }
            Answer sent = world.http()
                    .with("Idempotency-Key", "once")
                    .post("/v0/inboxes/" + inbox + "/messages/send", json("to", List.of(gone), "text", "to one of us"))
                    .is(200);
            world.http()
                    .with("Idempotency-Key", "once")
                    .post("/v0/inboxes/" + inbox + "/messages/send", json("to", List.of(gone), "text", "to one of us"))
                    .is(200);
            String draft = world.http()
                    .post("/v0/inboxes/" + gone + "/drafts", json("to", List.of("you@example.com"), "text", "words"))
                    .is(200)
                    .text("draft_id");
            world.http()
                    .post("/v0/inboxes/" + gone + "/drafts/" + draft + "/send", "{}")
                    .is(200);
            world.http()
                    .post("/v0/inboxes/" + gone + "/drafts", json("text", "left behind"))
                    .is(200);
            // What was sent arrives behind the answer.
            Eventually.await(() -> messages(world.http(), gone).size() >= 6);
            assertThat(kept(world)).isEqualTo(new StoredUsage(11, stored(world) + "left behind".length()));
            world.http()
                    .delete("/v0/inboxes/" + inbox + "/threads/" + sent.text("thread_id"))
                    .is(200);
            assertThat(kept(world)).isEqualTo(new StoredUsage(10, stored(world) + "left behind".length()));
            world.http().delete("/v0/inboxes/" + gone).is(200);
            world.http().delete("/v0/inboxes/" + inbox).is(200);
            Eventually.await(() -> kept(world).equals(StoredUsage.NONE)); // their mail goes slice by slice
        }
    }

    @Test
    @Tag("long")
    @Proves("A43a")
    void mailForAnOrganizationThatIsFullWaitsForRoomAlthoughItNeverLeavesTheServer() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "stored_messages=3,requests=1000"))) {
            String from = world.inbox("sender");
            HttpProbe other = world.as(world.otherOrganization());
            String to = other.post("/v0/inboxes", json("username", "crowded"))
                    .is(200)
                    .text("inbox_id");
            for (int i = 0; i < 3; i++) {
                assertThat(world.mail("jo@example.com", to, mail("c" + i, 10))).startsWith("250");
            }
            world.http()
                    .post("/v0/inboxes/" + from + "/messages/send", json("to", List.of(to), "text", "is there room?"))
                    .is(200);
            Eventually.await(() -> lastReply(world, to).startsWith(FULL));
            other.delete("/v0/inboxes/" + to + "/messages/"
                            + messages(other, to).getFirst())
                    .is(200);
            while (!lastReply(world, to).startsWith("250")) {
                world.advance(Duration.ofMinutes(5));
            }
            assertThat(messages(other, to)).hasSize(3);
        }
    }

    @Test
    @Proves("A43a")
    void tooMuchMailAMinuteIsPutOffForTheMailboxThatGetsItAlone() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "mail_per_inbox=3,mail_per_organization=5"))) {
            String busy = world.inbox("busy");
            String calm = world.inbox("calm");
            for (int i = 0; i < 3; i++) {
                assertThat(world.mail("jo@example.com", busy, mail("b" + i, 10)))
                        .startsWith("250");
            }
            assertThat(world.mail("jo@example.com", busy, mail("b3", 10))).startsWith("450 4.2.1");
            assertThat(world.mail("jo@example.com", calm, mail("c0", 10))).startsWith("250");
            assertThat(world.mail("jo@example.com", calm, mail("c1", 10))).startsWith("250");
            assertThat(world.mail("jo@example.com", calm, mail("c2", 10))).startsWith("450 4.2.1");
            world.advance(Duration.ofMinutes(1));
            assertThat(world.mail("jo@example.com", busy, mail("b3", 10))).startsWith("250");
            assertThat(world.anonymous().get("/metrics").is(200).text())
                    .contains("inboxd_recipients_refused_total{why=\"mailbox\"} 2.0");
        }
    }

    @Test
    @Proves("A43a")
    void whoSendsTooMuchAMinuteIsPutOff() {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "mail_per_address=2"))) {
            String inbox = world.inbox("target");
            assertThat(world.mail("jo@example.com", inbox, mail("a0", 10))).startsWith("250");
            assertThat(world.mail("jo@example.com", inbox, mail("a1", 10))).startsWith("250");
            assertThat(world.mail("jo@example.com", inbox, mail("a2", 10))).startsWith("450 4.7.1");
            world.advance(Duration.ofMinutes(1));
            assertThat(world.mail("jo@example.com", inbox, mail("a2", 10))).startsWith("250");
        }
    }

    private static void refused(Answer answer) {
        assertThat(answer.is(403).at("code")).isEqualTo(ErrorCode.LIMIT_EXCEEDED.wireName());
        assertThat(answer.at("resource")).isEqualTo(StorageQuota.MEGABYTES);
        assertThat(answer.at("limit")).isEqualTo(1L);
    }

    private static String mail(String name, int size) {
        return "From: jo@example.com\nSubject: s\nMessage-ID: <" + name + "@flood.test>\n\n"
                + "0123456789012345678901234567890123456789012345678901234567890123456789\n".repeat(size / 71 + 1);
    }

    private static List<String> messages(HttpProbe http, String inbox) {
        return http
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&limit=100")
                .is(200)
                .list("messages")
                .stream()
                .map(each -> String.valueOf(((Map<?, ?>) each).get("message_id"))
                        .replace("<", "%3C")
                        .replace(">", "%3E"))
                .toList();
    }

    private static String lastReply(World world, String recipient) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select coalesce(max(r.last_reply), '') as reply"
                                + " from submission_recipient r where r.recipient = :to")
                        .bind("to", recipient)
                        .single(row -> row.text("reply")));
    }

    private static StoredUsage kept(World world) {
        UUID organization = world.organization();
        StoredUsage logged = new StoredUsage(0, logged(world));
        return world.database().read(tx -> StorageQuota.usage(tx, organization)).minus(logged);
    }

    /** What the audit log takes of the storage. */
    private static long logged(World world) {
        UUID organization = world.organization();
        return world.database()
                .<Long>read(tx -> tx.sqlAcrossTenants("select coalesce(sum(a.size), 0)::bigint as bytes"
                                + " from audit_entry a where a.organization_id = :organization")
                        .bind("organization", organization)
                        .single(row -> row.longer("bytes")));
    }

    private static long stored(World world) {
        UUID organization = world.organization();
        return world.database()
                .<Long>read(tx -> tx.sqlAcrossTenants("select coalesce(sum(m.size), 0)::bigint as bytes from message m"
                                + " where m.organization_id = :organization")
                        .bind("organization", organization)
                        .single(row -> row.longer("bytes")));
    }
}
