package dev.inboxd.sending.draft;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mail that waits for approval (approvals.md §1 to §4). */
class DraftApprovalHttpTest {
    private static final String ALL = "?include_unauthenticated=true&include_spam=true";

    @RegisterExtension
    private static final World world = World.start();

    private static HttpProbe human;

    @BeforeAll
    static void start() {
        human = world.as(world.session());
    }

    private static String inbox(String name) {
        String inbox = world.inbox(name);
        Answer answer = human.patch("/v0/inboxes/" + inbox, json("send_approval", "required"))
                .is(200);
        assertThat(answer.text("send_approval")).isEqualTo("required");
        return inbox;
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private static String mail(String subject) {
        return json("to", "bob@example.org", "subject", subject, "text", "Hello");
    }

    private static Answer decide(HttpProbe who, String inbox, String draft, String verb, String more) {
        String path = "/v0/inboxes/" + inbox + "/drafts/" + draft;
        String read = human.get(path).is(200).text("updated_at");
        return who.post(path + "/" + verb, """
                {"updated_at":"%s"%s}""".formatted(read, more));
    }

    private static String key(Set<Permission> named, boolean needsApproval) {
        return world.database()
                .write(
                        world.organization(),
                        tx -> ApiKeys.issue(
                                        tx,
                                        world.organization(),
                                        new ApiKeys.KeySpec(
                                                "test",
                                                ApiKey.Owner.ORGANIZATION,
                                                new ApiKey.Grant(null, named, needsApproval),
                                                null,
                                                false),
                                        tx.next().at())
                                .secret());
    }

    @Test
    void aSendWaitsAndLeavesUnderThePromisedIds() {
        String inbox = inbox("waits");
        Answer asked = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", mail("One"))
                .is(200);
        assertThat(asked.text("status")).isEqualTo("awaiting_approval");
        String name = asked.text("message_id");
        Answer missing = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + encoded(name))
                .is(404);
        assertThat(missing.text("fix")).contains(asked.text("draft_id"));
        Answer draft = world.http()
                .get("/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id"))
                .is(200);
        assertThat(draft.text("send_status")).isEqualTo("awaiting_approval");
        assertThat(draft.text("approval.message_id")).isEqualTo(name);
        assertThat(human.get("/v0/drafts?send_status=awaiting_approval").is(200).text())
                .contains(asked.text("draft_id"));
        Answer approved =
                decide(human, inbox, asked.text("draft_id"), "approve", "").is(200);
        assertThat(approved.text("message_id")).isEqualTo(name);
        assertThat(approved.text("thread_id")).isEqualTo(asked.text("thread_id"));
        Answer sent = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + encoded(name))
                .is(200);
        assertThat(sent.text("thread_id")).isEqualTo(asked.text("thread_id"));
        assertThat(sent.list("labels").toString()).contains("sent");
        world.http()
                .get("/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id"))
                .is(404);
    }

    @Test
    void theSameKeyGivesTheSameAnswerBeforeAndAfter() {
        String inbox = inbox("same");
        String path = "/v0/inboxes/" + inbox + "/messages/send";
        HttpProbe named = world.http().with("Idempotency-Key", "order-1");
        Answer first = named.post(path, mail("Same")).is(200);
        assertThat(named.post(path, mail("Same")).is(200).text()).isEqualTo(first.text());
        decide(human, inbox, first.text("draft_id"), "approve", "").is(200);
        assertThat(named.post(path, mail("Same")).is(200).text()).isEqualTo(first.text());
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/drafts").is(200).list("drafts"))
                .isEmpty();
    }

    @Test
    void severalApprovalsAtOnceAreOneMail() throws Exception {
        String inbox = inbox("once");
        Answer asked = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", mail("Once"))
                .is(200);
        String path = "/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id");
        String read = human.get(path).is(200).text("updated_at");
        List<Future<Answer>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 5; i++) {
                HttpProbe who = i % 2 == 0 ? human : world.as(key(Set.of(Permission.DRAFT_APPROVE), false));
                answers.add(threads.submit(() -> who.post(path + "/approve", json("updated_at", read))));
            }
        }
        for (Future<Answer> answer : answers) {
            assertThat(answer.get().status()).isIn(200, 404, 409);
        }
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    @Test
    void onlyWhoMayApprovesAndNobodyWhatHeWrote() {
        String inbox = inbox("roles");
        String writer = key(Set.of(Permission.DRAFT_APPROVE), false);
        Answer asked = world.as(writer)
                .post("/v0/inboxes/" + inbox + "/messages/send", mail("Mine"))
                .is(200);
        String draft = asked.text("draft_id");
        assertThat(decide(world.http(), inbox, draft, "approve", "").is(403).text("fix"))
                .contains("draft_approve");
        assertThat(decide(world.as(writer), inbox, draft, "approve", "").is(403).text("code"))
                .isEqualTo("forbidden");
        assertThat(decide(world.as(writer), inbox, draft, "reject", "").is(403).text("code"))
                .isEqualTo("forbidden");
        String wish = json("permissions", object("draft_approve", true, "draft_read", true));
        world.as(writer).post("/v0/api-keys", wish).is(403);
        String given = human.post("/v0/api-keys", wish).is(200).text("api_key");
        world.http().patch("/v0/inboxes/" + inbox, json("send_approval", null)).is(403);
        world.as(writer)
                .patch("/v0/inboxes/" + inbox + "/drafts/" + draft, json("text", "Other"))
                .is(409);
        decide(world.as(given), inbox, draft, "approve", "").is(200);
    }

    @Test
    void aRejectedDraftSaysWhyAndIsSentAgain() {
        String inbox = inbox("reject");
        Answer asked = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", mail("No"))
                .is(200);
        String path = "/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id");
        Answer rejected = decide(human, inbox, asked.text("draft_id"), "reject", "," + members("note", "Too blunt"))
                .is(200);
        assertThat(rejected.text("send_status")).isEqualTo("failed");
        assertThat(rejected.text("approval.note")).isEqualTo("Too blunt");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages/" + encoded(asked.text("message_id")))
                        .is(404)
                        .text("fix"))
                .contains("refused");
        decide(human, inbox, asked.text("draft_id"), "approve", "").is(409);
        world.http().patch(path, json("text", "Softer")).is(200);
        Answer again = world.http().post(path + "/send", "{}").is(200);
        assertThat(again.text("draft_id")).isEqualTo(asked.text("draft_id"));
        Answer approved =
                decide(human, inbox, asked.text("draft_id"), "approve", "").is(200);
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages/" + encoded(approved.text("message_id")))
                        .is(200)
                        .text("text"))
                .contains("Softer");
        String feed = world.http().get("/v0/events?limit=100").text();
        assertThat(feed).contains("draft.approval.requested", "draft.approval.rejected", "draft.approval.approved");
        assertThat(feed).contains("Too blunt").doesNotContain("Softer");
    }

    @Test
    void webhooksThatNameThemHearOfApprovalsWithoutTheText() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = inbox("told");
            world.http()
                    .post("/v0/webhooks", """
                    {"url":"%s","inbox_ids":["%s"],"event_types":["draft.approval.requested",
                    "draft.approval.approved"]}""".formatted(endpoint.url("/hook"), inbox))
                    .is(200);
            Answer asked = world.http()
                    .post("/v0/inboxes/" + inbox + "/messages/send", mail("Private"))
                    .is(200);
            String requested = endpoint.take().text();
            assertThat(requested)
                    .contains("draft.approval.requested", asked.text("draft_id"))
                    .doesNotContain("Private")
                    .doesNotContain("Hello");
            decide(human, inbox, asked.text("draft_id"), "approve", "").is(200);
            assertThat(endpoint.take().text()).contains("draft.approval.approved", asked.text("draft_id"));
        }
    }

    @Test
    void whatChangedSinceItWasReadIsNotApproved() {
        String inbox = inbox("stale");
        Answer asked = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", mail("Stale"))
                .is(200);
        String path = "/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id");
        String read = human.get(path).is(200).text("updated_at");
        human.patch(path, json("text", "Edited by a person")).is(200);
        human.post(path + "/approve", json("updated_at", read)).is(409);
        human.post(path + "/approve", "{}").is(400);
        decide(human, inbox, asked.text("draft_id"), "approve", "").is(200);
        assertThat(human.get("/v0/inboxes/" + inbox + "/messages/" + encoded(asked.text("message_id")))
                        .is(200)
                        .text("text"))
                .contains("Edited by a person");
    }

    @Test
    void aRecipientWhoIsAlwaysAllowedGetsTheNextOneAtOnce() {
        String inbox = inbox("allow");
        String path = "/v0/inboxes/" + inbox + "/messages/send";
        Answer asked = world.http().post(path, mail("First")).is(200);
        decide(
                        human,
                        inbox,
                        asked.text("draft_id"),
                        "approve",
                        "," + members("always_allow", List.of("Bob@example.org")))
                .is(200);
        assertThat(world.http().post(path, mail("Second")).is(200).at("status")).isNull();
        String two = json("to", List.of("bob@example.org", "eve@example.org"), "text", "x");
        assertThat(world.http().post(path, two).is(200).text("status")).isEqualTo("awaiting_approval");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/approval-exemptions")
                        .is(200)
                        .text("exemptions.0.address"))
                .isEqualTo("bob@example.org");
        human.delete("/v0/inboxes/" + inbox + "/approval-exemptions/bob@example.org")
                .is(200);
        assertThat(world.http().post(path, mail("Third")).is(200).text("status"))
                .isEqualTo("awaiting_approval");
    }

    @Test
    void aKeyThatNeedsApprovalPassesItOn() {
        String inbox = world.inbox("passes");
        Answer made =
                human.post("/v0/api-keys", json("send_approval", "required")).is(200);
        assertThat(made.text("send_approval")).isEqualTo("required");
        HttpProbe agent = world.as(made.text("api_key"));
        String child = agent.post("/v0/api-keys", "{}").is(200).text("api_key");
        String path = "/v0/inboxes/" + inbox + "/messages/send";
        assertThat(world.as(child).post(path, mail("Child")).is(200).text("status"))
                .isEqualTo("awaiting_approval");
        agent.patch("/v0/api-keys/" + made.text("api_key_id"), json("send_approval", null))
                .is(403);
        assertThat(world.http().post(path, mail("Free")).is(200).at("status")).isNull();
        human.patch("/v0/api-keys/" + made.text("api_key_id"), json("send_approval", null))
                .is(200);
        assertThat(agent.post(path, mail("Freed")).is(200).at("status")).isNull();
    }

    @Test
    void draftsRepliesAndForwardsWaitToo() {
        String inbox = inbox("kinds");
        String received = world.mail(
                "ann@example.org",
                inbox,
                "From: ann@example.org\r\nTo: " + inbox + "\r\nSubject: Q\r\nMessage-ID: <" + Uuid7.next()
                        + "@example.org>\r\n\r\nQuestion\r\n");
        assertThat(received).isNotNull();
        await(() -> !world.http()
                .get("/v0/inboxes/" + inbox + "/messages" + ALL)
                .list("messages")
                .isEmpty());
        Answer first =
                world.http().get("/v0/inboxes/" + inbox + "/messages" + ALL).is(200);
        String id = first.text("messages.0.message_id");
        String thread = first.text("messages.0.thread_id");
        for (String verb : List.of("reply", "reply-all", "forward")) {
            Answer asked = world.http()
                    .post(
                            "/v0/inboxes/" + inbox + "/messages/" + encoded(id) + "/" + verb,
                            verb.equals("forward")
                                    ? json("to", "bob@example.org", "text", "see")
                                    : json("text", "answer"))
                    .is(200);
            assertThat(asked.text("status")).isEqualTo("awaiting_approval");
            assertThat(asked.text("thread_id")).isEqualTo(thread);
            Answer approved =
                    decide(human, inbox, asked.text("draft_id"), "approve", "").is(200);
            assertThat(approved.text("thread_id")).isEqualTo(thread);
        }
        Answer draft = world.http()
                .post("/v0/inboxes/" + inbox + "/drafts", mail("Draft"))
                .is(200);
        Answer asked = world.http()
                .post("/v0/inboxes/" + inbox + "/drafts/" + draft.text("draft_id") + "/send", "{}")
                .is(200);
        assertThat(asked.text("draft_id")).isEqualTo(draft.text("draft_id"));
        Answer due = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        mail("Due")
                                .replace(
                                        "}",
                                        ",\"send_at\":\""
                                                + world.clock().instant().plusSeconds(3_600) + "\"}"))
                .is(200);
        world.advance(Duration.ofHours(1));
        await(() -> "awaiting_approval"
                .equals(world.http()
                        .get("/v0/inboxes/" + inbox + "/drafts/" + due.text("draft_id"))
                        .at("send_status")));
        human = world.as(world.session()); // the former one is over by now
        decide(human, inbox, due.text("draft_id"), "approve", "").is(200);
    }
}
