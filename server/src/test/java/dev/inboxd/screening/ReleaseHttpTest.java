package dev.inboxd.screening;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who releases held mail, how often, and what is told of it then (security.md §4, rulings 43, 85 and 86). */
class ReleaseHttpTest {
    private SecuredWorld secured;

    @BeforeEach
    void start() {
        secured = SecuredWorld.start("hold");
    }

    @AfterEach
    void stop() {
        secured.close();
    }

    private HttpProbe http() {
        return secured.world().http();
    }

    @Test
    void ofSixReleasesOnTwoNodesOneWins() throws Exception {
        String held = secured.order();
        try (World other = secured.world().beside();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String key = secured.issued(new ApiKey.Grant(null, Set.of(Permission.MESSAGE_RELEASE)));
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                World node = i % 2 == 0 ? secured.world() : other;
                String reason = "Reason " + i;
                answers.add(threads.submit(() -> secured.release(node.as(key), held, reason)));
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Answer> answer : answers) {
                statuses.add(answer.get().status());
            }
            assertThat(statuses).containsExactlyInAnyOrder(200, 409, 409, 409, 409, 409);
        }
        assertThat(secured.log(held))
                .containsExactly(
                        "label.added received,unread,held",
                        "message.security.review",
                        "label.removed held",
                        "message.received",
                        "message.security.override");
    }

    @Test
    void theWinnerMayRepeatItselfAndNobodyElse() {
        String held = secured.order();
        HttpProbe releaser = secured.releaser();
        Answer first = secured.release(releaser, held, "Known\nsender").is(200);
        assertThat(secured.release(releaser, held, "Known\nsender").is(200).text())
                .isEqualTo(first.text());
        secured.release(releaser, held, "Another reason").is(409);
        Answer late = secured.release(secured.releaser(), held, "Known\nsender").is(409);
        assertThat(late.text("code")).isEqualTo("conflict");
        secured.world().restart();
        String again = secured.issued(new ApiKey.Grant(null, Set.of(Permission.MESSAGE_RELEASE)));
        secured.release(secured.world().as(again), held, "Known\nsender").is(409);
    }

    @Test
    void aRepeatedReleaseIsTheSameAfterARestart() {
        String held = secured.order();
        String key = secured.issued(new ApiKey.Grant(null, Set.of(Permission.MESSAGE_RELEASE)));
        Answer first = secured.release(secured.world().as(key), held, "fine").is(200);
        secured.world().restart();
        assertThat(secured.release(secured.world().as(key), held, "fine")
                        .is(200)
                        .text())
                .isEqualTo(first.text());
        assertThat(secured.log(held)).containsOnlyOnce("message.received");
    }

    @Test
    void aHumanReleasesInASession() {
        String held = secured.order();
        HttpProbe session = secured.world().as(secured.world().session());
        Answer released = secured.release(session, held, "I know her").is(200);
        assertThat(released.at("manual_override.actor.type")).isEqualTo("user");
        assertThat(released.text("manual_override.actor.user_id")).hasSize(36);
        assertThat(secured.release(session, held, "I know her").is(200).text()).isEqualTo(released.text());
    }

    @Test
    void noKeyThatAnAgentIsGivenReleasesOrGetsTheRight() {
        String held = secured.order();
        Answer refused = secured.release(http(), held, "mine").is(403);
        assertThat(refused.text("code")).isEqualTo("missing_permission");
        assertThat(refused.text("fix")).contains("message_release");
        for (String body : List.of(
                "{}",
                json("permissions", null),
                json("permissions", object("message_read", true, "message_update", true)))) {
            String child = http().post("/v0/api-keys", body).is(200).text("api_key");
            secured.release(secured.world().as(child), held, "mine").is(403);
            secured.world()
                    .as(child)
                    .patch("/v0/organizations", json("message_security", "off"))
                    .is(403);
        }
        String wish = json("permissions", object("message_release", true, "message_read", true));
        assertThat(http().post("/v0/api-keys", wish).is(403).text("code")).isEqualTo("permission_escalation");
        String id = http().post("/v0/api-keys", json("permissions", object("message_read", true)))
                .is(200)
                .text("api_key_id");
        http().patch("/v0/api-keys/" + id, wish).is(403);
        assertThat(secured.mode("off").is(403).text("fix")).contains("message_release");
        assertThat(secured.mode("monitor").is(403).text("code")).isEqualTo("missing_permission");
        assertThat(http().get("/v0/organizations").is(200).at("message_security"))
                .isEqualTo("hold");
    }

    @Test
    void theSignUpKeyCannotEither() {
        Answer agent = secured.world()
                .anonymous()
                .post("/v0/agent/sign-up", json("human_email", "ann@human.test", "username", "signed"))
                .is(200);
        HttpProbe key = secured.world().as(agent.text("api_key"));
        key.patch("/v0/organizations", json("message_security", "hold")).is(200);
        key.patch("/v0/organizations", json("message_security", "off")).is(403);
        SecuredWorld its = new SecuredWorld(secured.world(), agent.text("inbox_id"));
        String held = its.order();
        its.release(key, held, "mine").is(403);
    }

    @Test
    void aKeyThatWasGivenTheRightGivesItOnByName() {
        String held = secured.order();
        HttpProbe releaser = secured.releaser();
        String silent = releaser.post("/v0/api-keys", json("name", "x")).is(200).text("api_key");
        secured.release(secured.world().as(silent), held, "mine").is(403);
        String wish = """
                {"permissions":{"message_release":true,"message_read":true,"api_key_create":true}}""";
        String named = releaser.post("/v0/api-keys", wish).is(200).text("api_key");
        String unnamed =
                secured.world().as(named).post("/v0/api-keys", "{}").is(200).text("api_key");
        secured.release(secured.world().as(unnamed), held, "mine").is(403);
        secured.release(secured.world().as(named), held, "mine").is(200);
        String blind = releaser.post("/v0/api-keys", json("permissions", object("message_release", true)))
                .is(200)
                .text("api_key");
        assertThat(secured.release(secured.world().as(blind), held, "mine")
                        .is(403)
                        .text("fix"))
                .contains("message_read");
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource(delimiter = '|', textBlock = """
                    {}
                    {"reason":""}
                    {"reason":"  \\n "}
                    {"reason":7}
                    {"reason":"a\\u0000"}""")
    void aReleaseHasAReason(String body) {
        String held = secured.order();
        secured.releaser().post(secured.path(held) + "/release", body).is(400);
        String longest = "\ud83d\ude00".repeat(2_048);
        secured.release(secured.releaser(), held, longest + "x").is(400);
        secured.release(secured.releaser(), held, longest).is(200);
    }

    @Test
    void onlyMailThatIsHeldIsReleased() {
        String clear = secured.mail("Lunch", "At noon?");
        assertThat(secured.release(secured.releaser(), clear, "why not").is(409).text("code"))
                .isEqualTo("conflict");
        secured.release(secured.releaser(), "<nobody@x.test>", "why not").is(404);
    }

    @Test
    void loweringTheModeFreesNothingAndWhatIsHeldIsReleasedInEveryMode() {
        String held = secured.order();
        HttpProbe releaser = secured.releaser();
        releaser.patch("/v0/organizations", json("message_security", "off")).is(200);
        assertThat(http().get(secured.path(held)).is(200).list("labels"))
                .asString()
                .contains("held");
        assertThat(http().get(secured.path() + "/messages").is(200).list("messages"))
                .isEmpty();
        String later = secured.order();
        assertThat(http().get(secured.path(later)).is(200).at("security")).isNull();
        http().patch(secured.path(), json("status", "paused")).is(200);
        http().patch(secured.path(held), json("add_labels", List.of("trash"))).is(200);
        secured.release(releaser, held, "old").is(200);
        assertThat(http().get(secured.path(held)).is(200).at("labels"))
                .isEqualTo(List.of("received", "unread", "trash"));
    }

    @Test
    void itIsToldOfWithTheLabelsOfThen() {
        HttpProbe releaser = secured.releaser();
        String spam = secured.order();
        http().patch(secured.path(spam), json("add_labels", List.of("spam"))).is(200);
        secured.release(releaser, spam, "spam").is(200);
        assertThat(secured.log(spam)).contains("message.received.spam").doesNotContain("message.received");
        String trash = secured.order();
        http().patch(secured.path(trash), json("add_labels", List.of("trash"))).is(200);
        secured.release(releaser, trash, "trash").is(200);
        String noTrash = secured.issued(ApiKey.Grant.of(Set.of(Permission.MESSAGE_READ, Permission.INBOX_READ)));
        assertThat(secured.world()
                        .as(noTrash)
                        .get("/v0/events?limit=100")
                        .is(200)
                        .text())
                .doesNotContain(trash.substring(1, 30))
                .doesNotContain("xylophone");
        assertThat(secured.world()
                        .as(noTrash)
                        .get(secured.path() + "/messages/wait?timeout=0&since=2020-01-01T00:00:00Z")
                        .is(200)
                        .at("message"))
                .isNull();
        assertThat(http().get("/v0/events?limit=100").is(200).text()).contains(trash.substring(1, 30), "xylophone");
    }

    /** Nobody asks a webhook what it may read. */
    @Test
    void noWebhookIsToldOfWhatIsInTheTrashThen() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String types = json(List.of("message.received"));
            String hook = http().post("/v0/webhooks", json("url", endpoint.url("/hook"), "event_types", rawJson(types)))
                    .is(200)
                    .text("webhook_id");
            String trash = secured.order();
            http().patch(secured.path(trash), json("add_labels", List.of("trash")))
                    .is(200);
            secured.release(secured.releaser(), trash, "trash").is(200);
            secured.mail("Lunch", "At noon?");
            assertThat(endpoint.take().text()).contains("Lunch");
            Eventually.await(() -> waiting() == 0);
            http().post("/v0/webhooks/" + hook + "/replay", json("after", "2020-01-01T00:00:00Z"))
                    .is(200);
            assertThat(endpoint.take().text()).contains("Lunch");
            assertThat(http().get("/v0/webhooks/" + hook + "/deliveries")
                            .is(200)
                            .list("deliveries"))
                    .as("what came, and what waits")
                    .hasSize(1);
        }
    }

    private long waiting() {
        return secured.world()
                .database()
                .read(tx -> tx.sql(
                                View.of(secured.world().organization()),
                                "select count(*) as n from delivery d where {d}")
                        .single(row -> row.longer("n")));
    }

    @Test
    void noClientAddsOrRemovesTheLabel() {
        String held = secured.order();
        String clear = secured.mail("Lunch", "At noon?");
        for (String change : List.of("add_labels", "remove_labels")) {
            String body = json(change, List.of("HELD"));
            http().patch(secured.path(held), body).is(400);
            http().patch(secured.path(clear), body).is(400);
            http().post(
                            secured.path() + "/messages/batch-update",
                            Json.text(JsonObject.of("message_ids", List.of(held, clear))
                                    .with(change, List.of("held"))))
                    .is(400);
            String thread = http().get(secured.path(held)).is(200).text("thread_id");
            http().patch(secured.path() + "/threads/" + thread, body).is(400);
        }
        String labelled = json("to", List.of("x@y.test"), "text", "x", "labels", List.of("held"));
        http().post(secured.path() + "/messages/send", labelled).is(400);
        http().post(secured.path() + "/drafts", labelled).is(400);
        http().post(secured.path(clear) + "/reply", json("text", "x", "labels", List.of("held")))
                .is(400);
        http().post(secured.path(clear) + "/forward", labelled).is(400);
        assertThat(http().get(secured.path(held)).is(200).list("labels"))
                .asString()
                .contains("held");
        assertThat(http().get(secured.path(clear)).is(200).list("labels"))
                .asString()
                .doesNotContain("held");
    }

    @Test
    void aThreadIsHeldExactlyWhileOneOfItsMessagesIs() {
        HttpProbe releaser = secured.releaser();
        String first = secured.mail("Lunch", "At noon?");
        String thread = "/v0/threads/" + http().get(secured.path(first)).is(200).text("thread_id");
        check(thread, false, 1L);
        String one = secured.reply(first, SecuredWorld.ORDER);
        check(thread, true, 1L);
        String two = secured.reply(one, SecuredWorld.ORDER + " Again.");
        secured.reply(two, "Fine.");
        check(thread, true, 2L);
        http().patch(secured.path(one), json("add_labels", List.of("trash"))).is(200);
        http().delete(secured.path(two)).is(200);
        check(thread, true, 2L);
        secured.release(releaser, one, "fine").is(200);
        check(thread, false, 2L);
        String three = secured.reply(first, SecuredWorld.ORDER + " More.");
        http().patch(secured.path(first), json("add_labels", List.of("trash"))).is(200);
        check(thread, true, 1L);
        http().patch(thread, json("add_labels", List.of("seen"), "remove_labels", List.of("unread")))
                .is(200);
        check(thread, true, 1L);
        http().delete(secured.path(three)).is(200);
        check(thread, false, 1L);
        assertThat(http().get(thread).is(200).list("labels")).asString().contains("seen");
    }

    private void check(String thread, boolean held, long count) {
        Answer shown = http().get(thread).is(200);
        assertThat(shown.list("labels").contains("held")).as(shown.text()).isEqualTo(held);
        assertThat(shown.at("message_count")).as(shown.text()).isEqualTo(count);
        assertThat(shown.text()).doesNotContain("xylophone");
    }

    @Test
    void aThreadOfHeldMailAloneIsFoundWhenItIsReleased() {
        String held = secured.order();
        String second = secured.reply(held, SecuredWorld.ORDER + " Twice.");
        assertThat(http().get("/v0/threads").is(200).list("threads")).isEmpty();
        secured.release(secured.releaser(), second, "fine").is(200);
        Answer threads = http().get("/v0/threads").is(200);
        assertThat(threads.at("threads.0.message_count")).isEqualTo(1L);
        assertThat(threads.at("threads.0.subject")).isEqualTo("Re: it");
        assertThat(threads.list("threads.0.labels")).asString().contains("held");
    }
}
