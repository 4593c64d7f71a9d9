package dev.inboxd.tenant.list;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What lists do to mail. */
class ListedMailHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private String inbox;
    private String pod;

    @BeforeEach
    void start() {
        HttpProbe.Answer made =
                world.http().post("/v0/inboxes", json("username", "agent")).is(200);
        inbox = made.text("inbox_id");
        pod = made.text("pod_id");
    }

    @Test
    @Proves("P11b")
    void oneBlockedRecipientKeepsTheWholeMessage() {
        entry("/v0", "send/block", "bob@blocked.example");
        entry("/v0/pods/" + pod, "send/block", "domain.example");
        entry("/v0/inboxes/" + inbox, "send/block", "al@x.example");
        HttpProbe.Answer refused = send(json(
                        "to",
                        List.of("ok@fine.example", "Bob <BOB@Blocked.example>"),
                        "cc",
                        "any@domain.example",
                        "bcc",
                        "al@x.example",
                        "text",
                        "Hi"))
                .is(403);
        assertThat(refused.text("code")).isEqualTo("message_rejected");
        assertThat(refused.text("message"))
                .isEqualTo("Message rejected: Recipient(s) blocked: BOB@blocked.example"
                        + " (in block list), any@domain.example (in block list), al@x.example (in block list)");
        assertThat(refused.text("fix"))
                .contains(
                        "DELETE /v0/lists/send/block/bob%40blocked.example.",
                        "DELETE /v0/pods/" + pod + "/lists/send/block/domain.example.",
                        "DELETE /v0/inboxes/agent%40mail.localhost/lists/send/block/al%40x.example.");
        assertThat(messages("")).isEmpty();

        send(json("to", "any@sub.domain.example", "text", "A subdomain is another domain"))
                .is(200);
        for (String path : refused.text("fix").split("DELETE ", -1)) {
            if (path.startsWith("/")) {
                world.http()
                        .delete(path.strip().substring(0, path.strip().length() - 1))
                        .is(200);
            }
        }
        send("""
                {"to":["bob@blocked.example","any@domain.example","al@x.example"],"text":"Hi"}""").is(200);
    }

    @Test
    void anAllowListLetsNobodyElseThrough() {
        entry("/v0", "send/allow", "friends.example");
        send(json("to", "jo@friends.example", "text", "Hi")).is(200);
        HttpProbe.Answer refused = send(json("to", List.of("jo@friends.example", "bob@other.example"), "text", "Hi"))
                .is(403);
        assertThat(refused.text("message"))
                .isEqualTo("Message rejected: Recipient(s) blocked: bob@other.example (not in allow list)");
        assertThat(refused.text("fix")).contains("POST /v0/lists/send/allow ");
        entry("/v0/inboxes/" + inbox, "send/allow", "bob@other.example");
        send(json("to", List.of("jo@friends.example", "bob@other.example"), "text", "Hi"))
                .is(200);
    }

    @Test
    @Proves("P11b")
    void theNarrowestLevelWithAnEntryDecidesAndTheAddressBeforeTheDomain() {
        String here = "/v0/inboxes/" + inbox;
        entry("/v0", "send/block", "a@x.example");
        entry(here, "send/allow", "x.example");
        send(json("to", "a@x.example")).is(200);
        entry("/v0/pods/" + pod, "send/allow", "b@x.example");
        entry("/v0", "send/block", "b@x.example");
        send(json("to", "b@x.example")).is(200);
        entry(here, "send/block", "c@x.example");
        send(json("to", "c@x.example")).is(403);
        entry(here, "send/allow", "c@x.example");
        send(json("to", "c@x.example")).is(403);
        entry(here, "send/block", "y.example");
        entry(here, "send/allow", "d@y.example");
        send(json("to", "d@y.example")).is(200);
        send(json("to", "e@y.example")).is(403);
    }

    @Test
    @Proves("P11a")
    void mailOfABlockedSenderIsStoredAndHiddenAndToldToThoseWhoAsk() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            world.http()
                    .post("/v0/webhooks", """
                    {"url":"%s","event_types":["message.received","message.received.blocked",
                    "message.received.unauthenticated"]}""".formatted(endpoint.url("/hook")))
                    .is(200);
            entry("/v0", "receive/block", "bad.example");
            assertThat(world.mail("spam@bad.example", inbox, mail("<b1@x.test>", "spam@bad.example", "")))
                    .startsWith("250");
            assertThat(endpoint.take().text())
                    .contains("message.received.blocked")
                    .contains("<b1@x.test>");
        }
        assertThat(labels("<b1@x.test>")).containsExactly("received", "unread", "blocked", "unauthenticated");
        assertThat(messages("?include_unauthenticated=true")).isEmpty();
        assertThat(messages("?include_unauthenticated=true&include_blocked=true"))
                .hasSize(1);
    }

    @Test
    void theEnvelopesSenderIsLookedAtToo() {
        world.dns()
                .text("out.fine.example", "v=spf1 ip4:127.0.0.1 -all")
                .text("_dmarc.fine.example", "v=DMARC1; p=none");
        entry("/v0/inboxes/" + inbox, "receive/block", "machine@bulk.example");
        world.mail("machine@bulk.example", inbox, mail("<e1@x.test>", "jo@fine.example", ""));
        assertThat(labels("<e1@x.test>")).contains("blocked");
        entry("/v0/inboxes/" + inbox, "receive/allow", "fine.example");
        world.mail("bounces@out.fine.example", inbox, mail("<e2@x.test>", "jo@fine.example", ""));
        assertThat(labels("<e2@x.test>")).doesNotContain("blocked");
        world.mail("jo@fine.example", inbox, mail("<e3@x.test>", "jo@other.example", ""));
        assertThat(labels("<e3@x.test>")).contains("blocked");
    }

    @Test
    void aBounceFromBeforeTheAddressWasAnInboxHereCountsNoLonger() {
        String later = inbox.replaceFirst("[^@]*", "later");
        String never = inbox.replaceFirst("[^@]*", "never");
        world.database().write(world.organization(), tx -> {
            View all = View.of(world.organization());
            Lists.suppress(tx, all, List.of(later, later.replace("@", "+tag@"), never), Lists.Cause.BOUNCED);
            return all;
        });
        String both = json("to", List.of(later, later.replace("@", "+tag@")));
        send(both).is(403);
        world.inbox("later");
        send(both).is(200);
        send(json("to", List.of(later, never))).is(403);
        assertThat(world.http().get("/v0/lists/send/block").is(200).list("entries"))
                .as("what counts is left")
                .hasSize(1);
    }

    @Test
    void mailFromAnInboxHereIsNoException() {
        String other = world.inbox("other");
        entry("/v0/inboxes/" + inbox, "receive/block", other);
        String id = world.http()
                .post("/v0/inboxes/" + other + "/messages/send", json("to", inbox, "text", "Hi"))
                .is(200)
                .text("message_id");
        await(() -> messages("?include_blocked=true").size() == 1);
        assertThat(labels(id)).containsExactly("received", "unread", "blocked");
    }

    @Test
    @Proves("P11a")
    void anAnswerByWhomOurMailWentToIsSubjectToTheAllowListForReplies() {
        world.dns().text("shop.example", "v=spf1 ip4:127.0.0.1 -all");
        entry("/v0", "receive/allow", "friends.example");
        String sent = send(json("to", "Jo <jo@shop.example>", "text", "Well?"))
                .is(200)
                .text("message_id");
        String answer = "In-Reply-To: " + sent + "\n";
        world.mail("jo@shop.example", inbox, mail("<r1@x.test>", "jo+shop@SHOP.example", answer));
        assertThat(labels("<r1@x.test>")).doesNotContain("blocked");
        String references = "References: <no@x.test> " + sent + "\n";
        world.mail("x@shop.example", inbox, mail("<r2@x.test>", "Jo@shop.example", references));
        assertThat(labels("<r2@x.test>")).doesNotContain("blocked");
        world.mail("jo@shop.example", inbox, mail("<r3@x.test>", "jo@shop.example", "In-Reply-To: <r1@x.test>\n"));
        assertThat(labels("<r3@x.test>")).as("what was received is not ours").contains("blocked");
        String other = world.inbox("stranger");
        world.mail("jo@shop.example", other, mail("<r5@x.test>", "jo@shop.example", answer));
        assertThat(labels(other, "<r5@x.test>")).as("another inbox sent it").contains("blocked");
        entry("/v0", "reply/allow", "good.example");
        world.mail("jo@shop.example", inbox, mail("<r4@x.test>", "jo@shop.example", answer));
        assertThat(labels("<r4@x.test>")).contains("blocked");
    }

    @Test
    @Proves("P11b")
    void aRecipientWhoseMailBouncedIsNotWrittenToAgain() throws Exception {
        try (FakeMx mx = new FakeMx("PIPELINING", "ENHANCEDSTATUSCODES");
                World relayed = World.start(Map.of(
                        "INBOXD_RELAY", "smtp://127.0.0.1:" + mx.endpoint().port()))) {
            mx.answerRecipient("gone@elsewhere.test", "550 5.1.1 No such user");
            mx.answerRecipient("full@elsewhere.test", "552 5.2.2 Mailbox full");
            mx.answerRecipient("full2@elsewhere.test", "550 5.2.2 Mailbox full");
            mx.answerRecipient("policy@elsewhere.test", "550 5.7.1 We do not like your network");
            String path = "/v0/inboxes/" + relayed.inbox("relay") + "/messages/send";
            relayed.http().post(path, """
                    {"to":["ok@elsewhere.test","gone@elsewhere.test","full@elsewhere.test","full2@elsewhere.test",
                    "policy@elsewhere.test"]}""").is(200);
            for (String recipient : List.of("gone", "full", "full2", "policy")) {
                await(() -> isToldAsBounced(relayed, recipient + "@elsewhere.test"));
            }
            HttpProbe.Answer entries =
                    relayed.http().get("/v0/lists/send/block").is(200);
            assertThat(entries.at("count")).isEqualTo(1L);
            assertThat(entries.text("entries.0.entry")).isEqualTo("gone@elsewhere.test");
            assertThat(entries.at("entries.0.read_only")).isEqualTo(true);
            assertThat(entries.text("entries.0.reason")).isEqualTo("bounced");
            HttpProbe.Answer kept = relayed.http()
                    .delete("/v0/lists/send/block/gone%40elsewhere.test")
                    .is(409);
            assertThat(kept.text("code")).isEqualTo("cannot_delete");
            HttpProbe.Answer refused =
                    relayed.http().post(path, json("to", "GONE@elsewhere.test")).is(403);
            assertThat(refused.text("message")).endsWith("GONE@elsewhere.test (in block list, bounced)");
            assertThat(refused.text("fix")).contains("/v0/lists/send/block/gone%40elsewhere.test", "operator");
        }
    }

    @Test
    @Proves("P11b")
    void aRefusalOfTheSenderOrTheMessageIsNoRecipientsFault() throws Exception {
        try (FakeMx mx = new FakeMx("PIPELINING", "ENHANCEDSTATUSCODES");
                World relayed = World.start(Map.of(
                        "INBOXD_RELAY", "smtp://127.0.0.1:" + mx.endpoint().port()))) {
            String path = "/v0/inboxes/" + relayed.inbox("relay") + "/messages/send";
            for (FakeMx.At at : List.of(FakeMx.At.MAIL, FakeMx.At.DATA, FakeMx.At.CONTENT)) {
                mx.answer(at, "550 5.1.1 No such user"); // what it says does not matter
                relayed.http().post(path, json("to", at + "@elsewhere.test")).is(200);
                await(() -> isToldAsBounced(relayed, at + "@elsewhere.test"));
                mx.usual(at);
            }
            assertThat(relayed.http().get("/v0/lists/send/block").is(200).list("entries"))
                    .isEmpty();
            mx.answer(FakeMx.At.RCPT, "550 No such user");
            relayed.http().post(path, json("to", "rcpt@elsewhere.test")).is(200);
            await(() -> isToldAsBounced(relayed, "rcpt@elsewhere.test"));
            assertThat(relayed.http().get("/v0/lists/send/block").is(200).list("entries"))
                    .hasSize(1);
        }
    }

    @Test
    @Proves("P11b")
    void anAddressThatNobodyCanWriteToBlocksNoDomain() {
        suppress("\"\"@whole.example", Lists.Cause.BOUNCED);
        assertThat(world.http().get("/v0/lists/send/block").is(200).list("entries"))
                .isEmpty();
        send(json("to", "jo@whole.example")).is(200);
    }

    @Test
    @Proves("P11b")
    void aComplaintIsNotForgottenWhenTheAddressBecomesAnInboxHere() {
        suppress("angry@mail.localhost", Lists.Cause.COMPLAINED);
        world.inbox("angry");
        assertThat(send(json("to", "angry@mail.localhost")).is(403).text("message"))
                .endsWith("(in block list, complained)");
    }

    @Test
    void anAddressThatBouncedCanBeWrittenToOnceItIsAnInboxHere() {
        String late = "late@mail.localhost";
        send(json("to", late)).is(200);
        await(() -> !world.http().get("/v0/lists/send/block").list("entries").isEmpty());
        send(json("to", late)).is(403);
        world.inbox("late");
        send(json("to", late)).is(200);
        assertThat(world.http().get("/v0/lists/send/block").list("entries")).isEmpty();
    }

    private void suppress(String address, Lists.Cause cause) {
        View all = View.of(world.organization());
        world.database().write(all.organization(), tx -> {
            Lists.suppress(tx, all, List.of(address), cause);
            return address;
        });
    }

    private static boolean isToldAsBounced(World some, String recipient) {
        return some.database()
                        .read(tx -> tx.sqlAcrossTenants(
                                        "select count(*) as n from event e where e.type = 'message.bounced'"
                                                + " and e.details::text like :recipient")
                                .bind("recipient", "%\"" + recipient + "\"%")
                                .single(row -> row.integer("n")))
                > 0;
    }

    private void entry(String level, String list, String entry) {
        world.http().post(level + "/lists/" + list, json("entry", entry)).is(200);
    }

    private HttpProbe.Answer send(String body) {
        return world.http().post("/v0/inboxes/" + inbox + "/messages/send", body);
    }

    private List<?> messages(String query) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages" + query)
                .is(200)
                .list("messages");
    }

    private List<String> labels(String id) {
        return labels(inbox, id);
    }

    private List<String> labels(String some, String id) {
        return world.http().get("/v0/inboxes/" + some + "/messages/" + encoded(id)).is(200).list("labels").stream()
                .map(String.class::cast)
                .toList();
    }

    private static String mail(String id, String from, String more) {
        return "From: Jo <" + from + ">\nTo: agent@mail.localhost\nSubject: Hello\nMessage-ID: " + id + "\n" + more
                + "\nHello there.\n";
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
