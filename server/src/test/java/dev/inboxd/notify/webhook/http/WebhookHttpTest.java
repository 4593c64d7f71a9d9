package dev.inboxd.notify.webhook.http;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.notify.delivery.TestWebhook;
import dev.inboxd.server.World;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.testing.Proves;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks over HTTP: shapes and refusals. */
class WebhookHttpTest {
    private static final String URL = members("url", "https://agent.example/hook");
    private static final String TYPES = members("event_types", List.of("message.received", "message.bounced"));

    @RegisterExtension
    private static final World world = World.start();

    private static HttpProbe.Answer create(String... members) {
        return world.http().post("/v0/webhooks", "{" + String.join(",", members) + "}");
    }

    @Test
    void createAndGetAndListShowTheSameWebhook() {
        String inbox = world.inbox("shapes");
        HttpProbe.Answer made = create(
                        URL,
                        TYPES,
                        members("inbox_ids", List.of(inbox)),
                        members("client_id", "shape-1"),
                        members("headers", object("X-Env", "prod")))
                .is(200);
        Map<?, ?> webhook = (Map<?, ?>) Objects.requireNonNull(made.at(""));
        assertThat(webhook.keySet().stream().map(String::valueOf))
                .containsExactlyInAnyOrder(
                        "webhook_id",
                        "url",
                        "event_types",
                        "inbox_ids",
                        "secret",
                        "enabled",
                        "client_id",
                        "updated_at",
                        "created_at");
        assertThat(made.text("webhook_id")).matches("ep_[0-9A-Za-z]{27}");
        assertThat(made.text("secret")).matches("whsec_[A-Za-z0-9+/]{32}");
        assertThat(webhook.get("enabled")).isEqualTo(true);
        assertThat(webhook.get("inbox_ids")).isEqualTo(List.of(inbox));
        assertThat(webhook.get("event_types")).isEqualTo(List.of("message.received", "message.bounced"));
        assertThat(world.http()
                        .get("/v0/webhooks/" + made.text("webhook_id"))
                        .is(200)
                        .at(""))
                .isEqualTo(webhook);
        HttpProbe.Answer list = world.http().get("/v0/webhooks?limit=100").is(200);
        assertThat(list.list("webhooks").stream().anyMatch(webhook::equals)).isTrue();
        assertThat(list.at("count")).isEqualTo((long) list.list("webhooks").size());
    }

    @Test
    void theListGoesFromNewToOldInPages() {
        String first = create(URL, TYPES).is(200).text("webhook_id");
        String second = create(URL, TYPES).is(200).text("webhook_id");
        HttpProbe.Answer page = world.http().get("/v0/webhooks?limit=1").is(200);
        assertThat(page.text("webhooks.0.webhook_id")).isEqualTo(second);
        assertThat(world.http()
                        .get("/v0/webhooks?limit=1&page_token=" + page.text("next_page_token"))
                        .is(200)
                        .text("webhooks.0.webhook_id"))
                .isEqualTo(first);
        assertThat(world.http().get("/v0/webhooks?page_token=x").is(400).text("code"))
                .isEqualTo("validation_error");
    }

    @Test
    void aDeletedWebhookIsNotFound() {
        String id = create(URL, TYPES).is(200).text("webhook_id");
        assertThat(world.http().delete("/v0/webhooks/" + id).is(200).body()).isEmpty();
        assertThat(world.http().get("/v0/webhooks/" + id).is(404).text("message"))
                .isEqualTo("Webhook not found");
        world.http().delete("/v0/webhooks/" + id).is(404);
    }

    @Test
    void theSameClientIdGivesTheOriginalAndAnotherUrlConflicts() {
        String id = create(URL, TYPES, members("client_id", "twice")).is(200).text("webhook_id");
        assertThat(create(URL, members("event_types", List.of("message.sent")), members("client_id", "twice"))
                        .is(200)
                        .text("webhook_id"))
                .isEqualTo(id);
        assertThat(create(members("url", "https://other.example/"), TYPES, members("client_id", "twice"))
                        .is(409)
                        .text("code"))
                .isEqualTo("idempotency_conflict");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {} | url
                    {"url":"https://a.example/"} | event_types
                    {"url":"https://a.example/","event_types":[]} | event_types
                    {"url":"https://a.example/","event_types":["message.read"]} | event_types
                    {"url":"https://a.example/","event_types":["message.security.review"]} | event_types
                    {"url":"https://a.example/","event_types":["label.added"]} | event_types
                    {"url":"ftp://a.example/","event_types":["message.sent"]} | url
                    {"url":"https://u:p@a.example/","event_types":["message.sent"]} | url
                    {"url":"https://a.example/#x","event_types":["message.sent"]} | url
                    {"url":"/hook","event_types":["message.sent"]} | url
                    {"url":"https://a.example/","event_types":["message.sent"],"client_id":"a@b"} | client_id
                    {"url":"https://a.example/","event_types":["message.sent"],"headers":{"Host":"x"}} | headers""")
    void aMalformedBodyIsRefusedWithItsPath(String body, String path) {
        HttpProbe.Answer answer = world.http().post("/v0/webhooks", body).is(400);
        assertThat(answer.text("code")).isEqualTo("validation_error");
        assertThat(answer.text("errors.0.path.0")).isEqualTo(path);
    }

    @Test
    void moreThanTenInOneListAreInvalidAndMoreThanTenTogetherAreALimit() {
        assertThat(create(URL, TYPES, members("inbox_ids", rawJson(names(11))))
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("inbox_ids");
        assertThat(create(URL, TYPES, members("inbox_ids", rawJson(names(6))), members("pod_ids", rawJson(names(6))))
                        .is(403)
                        .text("code"))
                .isEqualTo("limit_exceeded");
    }

    @Test
    void anUnknownPodOrInboxIsNamed() {
        assertThat(create(URL, TYPES, members("inbox_ids", List.of("nobody@mail.localhost")))
                        .is(404)
                        .text("message"))
                .isEqualTo("Inbox not found");
        assertThat(create(URL, TYPES, members("pod_ids", List.of(String.valueOf(new UUID(1, 2)))))
                        .is(404)
                        .text("message"))
                .isEqualTo("Pod not found");
    }

    @ParameterizedTest
    @Proves("P11")
    @ValueSource(strings = {"spam", "blocked", "unauthenticated"})
    void aRestrictedEventNeedsItsFlag(String label) {
        String flag = "label_" + label + "_read";
        Permission reader = Objects.requireNonNull(Permission.ofWire(flag));
        HttpProbe.Answer refused = world.as(key(Permission.WEBHOOK_CREATE))
                .post("/v0/webhooks", """
                {%s,"event_types":["message.received.%s"]}""".formatted(URL, label))
                .is(403);
        assertThat(refused.text("code")).isEqualTo("missing_permission");
        assertThat(refused.text("message")).isEqualTo(flag + " is forbidden");
        world.as(key(Permission.WEBHOOK_CREATE, reader))
                .post("/v0/webhooks", """
                {%s,"event_types":["message.received.%s"]}""".formatted(URL, label))
                .is(200);
    }

    @Test
    @Proves("A25")
    void theFiftyFirstWebhookOfAnOwnerIsALimit() {
        try (World limited = World.start(Map.of("INBOXD_LIMITS", "webhooks=2"))) {
            String body = "{" + URL + "," + TYPES + "}";
            limited.http().post("/v0/webhooks", body).is(200);
            limited.http().post("/v0/webhooks", body).is(200);
            assertThat(limited.http().post("/v0/webhooks", body).is(403).text("code"))
                    .isEqualTo("limit_exceeded");
        }
    }

    @Test
    @Proves("A21")
    void inProductionAPrivateTargetIsRefused() {
        try (World strict = World.start(Map.of("INBOXD_PRIVATE_TARGETS", "deny"))) {
            for (String url : List.of(
                    "http://127.0.0.1:9/",
                    "http://2130706433/",
                    "http://169.254.169.254/",
                    "http://localhost/",
                    "http://[::ffff:10.0.0.1]/")) {
                assertThat(strict.http()
                                .post("/v0/webhooks", """
                        {"url":"%s",%s}""".formatted(url, TYPES))
                                .is(400)
                                .text("errors.0.path.0"))
                        .isEqualTo("url");
            }
        }
    }

    @Test
    @Proves("P22")
    void secretsAndHeadersAreSealedAtRest() {
        HttpProbe.Answer made = create(URL, TYPES, members("headers", object("X-Key", "hunter2hunter2")))
                .is(200);
        String row = world.database()
                .read(tx -> tx.sql(
                                View.of(TestWebhook.organization(world)),
                                "select encode(w.secret, 'escape') || encode(w.headers, 'escape') as row from webhook w"
                                        + " where {w} and w.webhook_id = :id")
                        .bind("id", made.text("webhook_id"))
                        .single(found -> found.text("row")));
        assertThat(row).doesNotContain("hunter2").doesNotContain("X-Key").doesNotContain(made.text("secret"));
    }

    @Test
    void aDeletedInboxLeavesTheListsAndItsOnlyListenerIsDisabled() {
        String one = world.inbox("leaves-one");
        String two = world.inbox("leaves-two");
        String both = create(URL, TYPES, members("inbox_ids", List.of(one, two)))
                .is(200)
                .text("webhook_id");
        String only =
                create(URL, TYPES, members("inbox_ids", List.of(one))).is(200).text("webhook_id");
        world.http().delete("/v0/inboxes/" + one).is(200);
        assertThat(world.http().get("/v0/webhooks/" + both).is(200).at("inbox_ids"))
                .isEqualTo(List.of(two));
        assertThat(world.http().get("/v0/webhooks/" + both).at("enabled")).isEqualTo(true);
        assertThat(world.http().get("/v0/webhooks/" + only).is(200).at("enabled"))
                .isEqualTo(false);
        assertThat(world.http().get("/v0/webhooks/" + only).at("inbox_ids")).isNull();
        // Without a list it would look as if it listened to everything, and hear nothing.
        String enable = json("enabled", true);
        assertThat(world.http().patch("/v0/webhooks/" + only, enable).is(400).text("errors.0.path.0"))
                .isEqualTo("enabled");
        assertThat(world.http()
                        .patch("/v0/webhooks/" + only, json("enabled", true, "add_inbox_ids", List.of(two)))
                        .is(200)
                        .at("enabled"))
                .isEqualTo(true);
    }

    /** A key of the organization with these flags alone. */
    private static String key(Permission... flags) {
        UUID organization = TestWebhook.organization(world);
        return world.database()
                .write(
                        organization,
                        tx -> ApiKeys.issue(
                                tx,
                                organization,
                                new ApiKeys.KeySpec(
                                        "test", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.of(Set.of(flags)), null, false),
                                world.clock().instant()))
                .secret();
    }

    private static String names(int count) {
        StringBuilder names = new StringBuilder("[");
        for (int i = 0; i < count; i++) {
            names.append(i == 0 ? "" : ",").append("\"x").append(i).append("@mail.localhost\"");
        }
        return names.append(']').toString();
    }
}
