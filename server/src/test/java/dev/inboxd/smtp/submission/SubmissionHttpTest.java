package dev.inboxd.smtp.submission;

import static dev.inboxd.smtp.submission.SubmissionProbe.content;
import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.TestZone;
import dev.inboxd.mail.dkim.DkimCheck;
import dev.inboxd.mail.dkim.VerificationInput;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Mail that users' programs submit is mail that the interface would have sent (identity.md §18). */
class SubmissionHttpTest {
    private static final List<String> JO = List.of("jo@elsewhere.test");

    private static final FakeMx MX = new FakeMx();
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start(
                Map.of("INBOXD_RELAY", "smtp://127.0.0.1:" + MX.endpoint().port()));
    }

    @AfterAll
    static void stop() {
        world.close();
        MX.close();
    }

    @Test
    @Proves("P2f")
    void whatIsSubmittedLeavesSignedAndIsRecordedLikeWhatTheInterfaceSends() throws Exception {
        String inbox = world.inbox("program");
        String reply;
        try (SubmissionProbe probe = program(world, inbox)) {
            reply = probe.send(
                    inbox,
                    List.of("jo@elsewhere.test", "secret@elsewhere.test"),
                    "From: Pro Gram <" + inbox
                            + ">\nTo: Jo <jo@elsewhere.test>\nBcc: secret@elsewhere.test,\n other@elsewhere.test\n"
                            + "Return-Path: <x@y.test>\n"
                            + "X-Order:  42\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\nHi\n..there\nörtlich");
        }
        assertThat(reply).startsWith("250 2.0.0 Queued as <");
        String name = reply.substring(reply.indexOf('<'));
        List<FakeMx.Received> both = List.of(left(inbox), left(inbox));
        assertThat(both)
                .extracting(FakeMx.Received::recipients)
                .containsExactlyInAnyOrder(
                        List.of("RCPT TO:<jo@elsewhere.test>"), List.of("RCPT TO:<secret@elsewhere.test>"));
        FakeMx.Received left = both.getFirst();
        assertThat(both.getLast().content()).isEqualTo(left.content());
        assertThat(left.mail()).doesNotContain("BODY=8BITMIME");
        assertThat(left.content())
                .contains(
                        "\r\nMessage-ID: " + name + "\r\n",
                        "\r\nDate: ",
                        "\r\nX-Order:  42\r\n",
                        "\r\nReceived: by ",
                        " with ESMTPSA id ",
                        "\r\n\r\nHi\r\n=2E.there\r\n=C3=B6rtlich\r\n")
                .doesNotContain("Bcc", "secret@", "other@", "Return-Path", "127.0.0.1");
        assertThat(signature(world, left.content(), inbox)).isEqualTo(AuthResult.PASS);

        await(() -> List.of("sent", "delivered").equals(message(inbox, name).at("labels")));
        Answer message = message(inbox, name);
        assertThat(message.text("from")).isEqualTo("Pro Gram <" + inbox + ">");
        assertThat(message.at("to")).isEqualTo(List.of("Jo <jo@elsewhere.test>"));
        assertThat(message.at("bcc")).isEqualTo(List.of("secret@elsewhere.test"));
        assertThat(message.text("subject")).isEqualTo("Grüße");
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/events").is(200).text())
                .contains("\"sent\"", "\"delivered\"");
    }

    @Test
    @Proves("P2f")
    void itsOwnMessageIdAndDateStayAndAnAnswerJoinsItsThread() throws InterruptedException {
        String inbox = world.inbox("answers");
        world.mail("jo@elsewhere.test", inbox, "From: jo@elsewhere.test\nSubject: Q\nMessage-ID: <q@x.test>\n\n?\n");
        try (SubmissionProbe probe = program(world, inbox)) {
            String mail =
                    "Date: Fri, 20 Nov 2026 10:00:00 +0100\nMessage-ID: <a@x.test>\nIn-Reply-To: <q@x.test>\nFrom: "
                            + inbox + "\n\nOne";
            assertThat(probe.send(inbox, JO, mail)).isEqualTo("250 2.0.0 Queued as <a@x.test>");
            assertThat(left(inbox).content())
                    .contains("Message-ID: <a@x.test>", "Date: Fri, 20 Nov 2026 10:00:00 +0100")
                    .containsOnlyOnce("\r\nMessage-ID:")
                    .containsOnlyOnce("\r\nDate:");
            // the same name again is another message, and is found under another name
            String again = probe.send("", JO, mail);
            assertThat(again).startsWith("250").doesNotContain("<a@x.test>");
            assertThat(left(inbox).content()).contains("Message-ID: <a@x.test>");
        }
        assertThat(message(inbox, "<a@x.test>").text("thread_id"))
                .isEqualTo(message(inbox, "<q@x.test>").text("thread_id"));
    }

    @Test
    @Proves("A38")
    void aNulNeverLeaves() {
        String inbox = world.inbox("nul");
        String multipart = "\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n";
        try (SubmissionProbe probe = program(world, inbox)) {
            for (String rest : List.of(
                    "\n\na\0b",
                    "\n\n\0",
                    "\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n\u00e9\0",
                    multipart + "\0\n--b\n\nx\n--b--",
                    multipart + "--b\nContent-Type: image/png\nContent-Transfer-Encoding: binary\n\n\0\n--b--",
                    multipart + "--b\nX: a\0b\n\nx\n--b--",
                    multipart + "--b\n\nx\n--b--\n\0")) {
                assertThat(probe.send(inbox, JO, "From: " + inbox + rest))
                        .startsWith("554 5.6.0 The message has a NUL");
            }
            assertThat(probe.send(inbox, JO, "From: " + inbox + "\n\nwithout")).startsWith("250");
        }
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    @Test
    @Proves("P2f")
    void nobodyWritesInAnothersNameOrWithADoubtfulHeader() {
        String inbox = world.inbox("names");
        String other = world.inbox("others");
        try (SubmissionProbe probe = program(world, inbox)) {
            for (String from : List.of(
                    "From: " + other,
                    "From: " + inbox + ", " + other,
                    "Subject: none",
                    "From: " + inbox + "\nSender: " + other,
                    "From: \"" + inbox + "\" <" + other + ">")) {
                assertThat(probe.send(inbox, JO, from + "\n\nx"))
                        .as(from)
                        .startsWith("550-5.7.1 Sender not authorized");
            }
            for (String header : List.of(
                    "From: " + inbox + "\nFrom: " + inbox,
                    "From: " + inbox + "\nno field",
                    "From: " + inbox + "\nSubject: a\nSubject: b",
                    "From: " + inbox + "\nX: " + "x\n ".repeat(60_000))) {
                assertThat(probe.send(inbox, JO, header + "\n\nx")).startsWith("554 5.6.0");
            }
            assertThat(probe.send(inbox, JO, "From: <" + inbox.replace("names", "NAMES") + ">\n\nx"))
                    .startsWith("250");
        }
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    @Test
    @Proves("P2f")
    void theRulesOfTheInterfaceHold() {
        String inbox = world.inbox("ruled");
        world.http()
                .post("/v0/inboxes/" + inbox + "/lists/send/block", json("entry", "bad@elsewhere.test"))
                .is(200);
        String mail = "From: " + inbox + "\n\nx";
        try (SubmissionProbe probe = program(world, inbox)) {
            assertThat(probe.send(inbox, List.of("bad@elsewhere.test"), mail))
                    .startsWith("550-5.7.1 Message rejected: Recipient(s) blocked: bad@elsewhere.test")
                    .contains("DELETE");
            assertThat(probe.send(inbox, List.of("a@xn--a.example"), mail)).startsWith("553 5.1.3");
            assertThat(probe.send(inbox, List.of("Postmaster"), mail)).startsWith("553 5.1.3");
            world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
            assertThat(probe.send(inbox, JO, mail)).startsWith("550-5.7.1 The inbox is paused");
            world.http().delete("/v0/inboxes/" + inbox).is(200);
            assertThat(probe.send(inbox, JO, mail)).startsWith("421 4.7.0 Inbox not found");
        }
    }

    @Test
    void withoutRoomForItsRecordWhatIsSubmittedIsRefused() {
        try (World limited = World.start(Map.of("INBOXD_LIMITS", "stored_messages=1,requests=1000"))) {
            String inbox = limited.inbox("small");
            try (SubmissionProbe probe = new SubmissionProbe(limited.submissionPort())) {
                assertThat(probe.login(inbox, limited.key())).startsWith("235");
                String mail = "From: " + inbox + "\n\nx";
                assertThat(probe.send(inbox, JO, mail)).startsWith("250");
                assertThat(probe.send(inbox, JO, mail + "y"))
                        .startsWith("550-5.7.1 The organization keeps its 1 messages");
            }
        }
    }

    @Test
    @Proves("P2f")
    void quotasHoldAndAnUnverifiedOrganizationWritesToItsHumanOnly() {
        try (World limited = World.start(Map.of("INBOXD_LIMITS", "sends_per_day_unverified=1,requests=1000"))) {
            Answer welcome = limited.anonymous()
                    .post("/v0/agent/sign-up", json("human_email", "ann@human.test", "username", "ann"))
                    .is(200);
            String inbox = welcome.text("inbox_id");
            try (SubmissionProbe probe = new SubmissionProbe(limited.submissionPort())) {
                assertThat(probe.login(inbox, welcome.text("api_key"))).startsWith("235");
                String mail = "From: " + inbox + "\n\nx";
                assertThat(probe.send(inbox, JO, mail)).startsWith("550-5.7.1 Message rejected");
                assertThat(probe.send(inbox, List.of("ann@human.test"), mail)).startsWith("250");
                assertThat(probe.send(inbox, List.of("ann@human.test"), mail)).startsWith("451 4.7.1");
            }
        }
    }

    @Test
    @Proves("P10b")
    void aKeyOpensTheInboxesOfItsScopeAloneAndOnlyIfItMaySend() {
        String inbox = world.inbox("scoped");
        String reader = key(json("name", "r", "permissions", object("message_read", true)))
                .text("api_key");
        String narrow = world.inboxKey(world.inbox("elsewhere"));
        for (String wrong : List.of("", "inb_wrong", narrow, world.otherOrganization(), "a.b.c")) {
            assertThat(login(inbox, wrong)).isEqualTo("535 5.7.8 Authentication failed");
        }
        assertThat(login(inbox, reader)).startsWith("535 5.7.8").contains("message_send");
        assertThat(login("nobody@mail.localhost", world.key())).isEqualTo("535 5.7.8 Authentication failed");
        assertThat(login("scoped", world.key())).isEqualTo("535 5.7.8 Authentication failed");
        assertThat(login(inbox.toUpperCase(Locale.ROOT), world.inboxKey(inbox))).startsWith("235");
    }

    @Test
    @Proves("P10b")
    void whoGuessesKeysIsRefusedByAddressLikeWhoSendsBadRequests() {
        try (World limited = World.start(Map.of("INBOXD_LIMITS", "refusals=6"))) {
            String inbox = limited.inbox("guessed");
            for (int i = 0; i < 4; i++) {
                try (SubmissionProbe probe = new SubmissionProbe(limited.submissionPort())) {
                    assertThat(probe.login(inbox, "inb_guess" + i)).startsWith("535 5.7.8");
                }
            }
            try (SubmissionProbe probe = new SubmissionProbe(limited.submissionPort())) {
                assertThat(probe.login(inbox, "inb_guess")).startsWith("454 4.7.0");
                assertThat(probe.login(inbox, limited.key())).startsWith("235");
            }
        }
    }

    @Test
    @Proves("P2f")
    void aProgramThatDidNotHearOurAnswerAndRepeatsSendsOnce() {
        String inbox = world.inbox("unheard");
        String mail = "Message-ID: <once@x.test>\nFrom: " + inbox + "\n\nOnce";
        SubmissionProbe lost = program(world, inbox);
        world.database().writeGlobal(tx -> {
            tx.sqlAcrossTenants("lock table message_content in share mode").run(); // which a send waits for
            assertThat(lost.begin(inbox, JO)).startsWith("354");
            lost.say(content(mail));
            await(() -> tx.sqlAcrossTenants("select count(*) as n from pg_locks l where not l.granted"
                                    + " and l.relation = 'message_content'::regclass")
                            .single(row -> row.integer("n"))
                    > 0);
            lost.cut();
            return inbox;
        });
        try (SubmissionProbe probe = program(world, inbox)) {
            assertThat(probe.send(inbox, JO, mail)).isEqualTo("250 2.0.0 Queued as <once@x.test>");
            assertThat(world.http()
                            .get("/v0/inboxes/" + inbox + "/messages")
                            .is(200)
                            .list("messages"))
                    .hasSize(1);
            // this time it was heard
            assertThat(probe.send(inbox, JO, mail)).startsWith("250").doesNotContain("<once@x.test>");
        }
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(2);
    }

    @Test
    @Proves("P2f")
    void aLargeMessageGoesToItsEndAndATooLargeOneDoesNot() throws InterruptedException {
        String inbox = world.inbox("large");
        String line = "0123456789012345678901234567890123456789012345678901234567890123456789\n";
        try (SubmissionProbe probe = program(world, inbox)) {
            String reply =
                    probe.send(inbox, List.of("large@elsewhere.test"), "From: " + inbox + "\n\n" + line.repeat(10_000));
            assertThat(reply).startsWith("250");
            assertThat(probe.command("MAIL FROM:<" + inbox + "> SIZE=10485761")).startsWith("552 5.3.4");
            assertThat(probe.send(inbox, JO, "From: " + inbox + "\n\n" + line.repeat(150_000)))
                    .startsWith("552 5.3.4");
        }
        FakeMx.Received left = left(inbox);
        assertThat(left.content()).endsWith(line.replace("\n", "\r\n"));
        assertThat(signature(world, left.content(), inbox)).isEqualTo(AuthResult.PASS);
    }

    /** Attack A9d: everybody whom a message went to knows its Message-ID. */
    @Test
    @Proves("A9d")
    void mailOfAnotherInboxUnderTheIdOfOurOwnMessageIsMailOfThatInbox() {
        String inbox = world.inbox("author");
        String other = world.inbox("copyist");
        String name = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", other, "text", "Mine"))
                .is(200)
                .text("message_id");
        try (SubmissionProbe probe = program(world, other)) {
            assertThat(probe.send(
                            other,
                            List.of(inbox),
                            "Message-ID: " + name + "\nFrom: " + other + "\nSubject: Not mine\n\nOther words"))
                    .startsWith("250");
        }
        await(() -> world.http()
                .get("/v0/inboxes/" + inbox + "/messages?labels=received")
                .is(200)
                .text()
                .contains("Not mine"));
        assertThat(message(inbox, name).text()).contains("Mine").doesNotContain("received");
    }

    private static SubmissionProbe program(World at, String inbox) {
        SubmissionProbe probe = new SubmissionProbe(at.submissionPort());
        assertThat(probe.login(inbox, at.key())).startsWith("235 2.7.0");
        return probe;
    }

    /** The next mail of that inbox that left. */
    private static FakeMx.Received left(String inbox) throws InterruptedException {
        FakeMx.Received left = MX.nextMail();
        while (!left.content().contains(inbox)) {
            left = MX.nextMail();
        }
        return left;
    }

    private static String login(String user, String password) {
        try (SubmissionProbe probe = new SubmissionProbe(world.submissionPort())) {
            return probe.login(user, password);
        }
    }

    private static Answer key(String body) {
        return world.http().post("/v0/api-keys", body).is(200);
    }

    private static Answer message(String inbox, String name) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8))
                .is(200);
    }

    /** Whether the first signature of what left is the domain's own, and holds. */
    static AuthResult signature(World world, String message, String inbox) {
        String domain = inbox.substring(inbox.indexOf('@') + 1);
        TestZone zone = world.database()
                .read(tx -> tx.sqlAcrossTenants("select k.selector, k.dns_record from signing_key k")
                        .single(row -> new TestZone()
                                .add(row.text("selector") + "._domainkey." + domain, "TXT", row.text("dns_record"))));
        try {
            VerificationInput signed =
                    VerificationInput.read(new ByteArrayInputStream(message.getBytes(StandardCharsets.ISO_8859_1)));
            DkimCheck check = new DkimCheck(signed, world.clock().instant());
            signed.readBody();
            return check.results(zone).getFirst().outcome();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
