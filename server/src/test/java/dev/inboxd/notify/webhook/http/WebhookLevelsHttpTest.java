package dev.inboxd.notify.webhook.http;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.delivery.TestKeys;
import dev.inboxd.notify.delivery.TestMail;
import dev.inboxd.notify.delivery.TestWebhook;
import dev.inboxd.notify.webhook.WebhookSecrets;
import dev.inboxd.notify.webhook.WebhookSignature;
import dev.inboxd.server.World;
import dev.inboxd.testing.JsonText;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks of an organization, a pod and an inbox, and what can be changed of each (events.md §1). */
class WebhookLevelsHttpTest {
    private static final String BODY = "{\"url\":\"https://agent.example/hook\",\"event_types\":[\"message.received\"]";

    @RegisterExtension
    private static final World world = World.start();

    private static String pod;
    private static String inbox;
    private static String other;

    @BeforeAll
    static void start() {
        pod = world.pod("team");
        inbox = inbox("own");
        other = inbox("other");
    }

    private static String inbox(String name) {
        return world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", name))
                .is(200)
                .text("inbox_id");
    }

    private static HttpProbe.Answer made(String level, String... members) {
        return world.http()
                .post(level + "/webhooks", BODY + (members.length == 0 ? "" : ",") + String.join(",", members) + "}")
                .is(200);
    }

    private static String podLevel() {
        return "/v0/pods/" + pod;
    }

    private static String inboxLevel() {
        return "/v0/inboxes/" + inbox;
    }

    private static String ids(String name, String... ids) {
        return members(name, List.of(ids));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(HttpProbe.Answer answer) {
        return (Map<String, Object>) Objects.requireNonNull(answer.at(""));
    }

    /** The table of §1.1: who owns it, and what it listens to. */
    @Test
    void eachLevelOwnsAndListensAsTheTableSays() {
        assertThat(object(made("/v0"))).doesNotContainKeys("pod_id", "inbox_id", "pod_ids", "inbox_ids");
        Map<?, ?> filtered = object(made("/v0", ids("pod_ids", pod), ids("inbox_ids", inbox)));
        assertThat(filtered.get("pod_ids")).isEqualTo(List.of(pod));
        assertThat(filtered.get("inbox_ids")).isEqualTo(List.of(inbox));
        assertThat(filtered.containsKey("pod_id") || filtered.containsKey("inbox_id"))
                .isFalse();
        Map<?, ?> whole = object(made(podLevel()));
        assertThat(whole.get("pod_id")).isEqualTo(pod);
        assertThat(whole.get("pod_ids")).isEqualTo(List.of(pod));
        assertThat(whole.containsKey("inbox_ids") || whole.containsKey("inbox_id"))
                .isFalse();
        Map<?, ?> narrowed = object(made(podLevel(), ids("inbox_ids", inbox)));
        assertThat(narrowed.get("pod_id")).isEqualTo(pod);
        assertThat(narrowed.get("inbox_ids")).isEqualTo(List.of(inbox));
        assertThat(narrowed.containsKey("pod_ids")).isFalse();
        Map<?, ?> own = object(made(inboxLevel()));
        assertThat(own.get("pod_id")).isEqualTo(pod);
        assertThat(own.get("inbox_id")).isEqualTo(inbox);
        assertThat(own.get("inbox_ids")).isEqualTo(List.of(inbox));
        assertThat(own.containsKey("pod_ids")).isFalse();
    }

    @Test
    void aKeyReachesWhatItsScopeOwnsAndNothingAbove() {
        String organizations = made("/v0", ids("inbox_ids", inbox)).text("webhook_id");
        String pods = made(podLevel()).text("webhook_id");
        String inboxes = made(inboxLevel()).text("webhook_id");
        HttpProbe ofPod = TestKeys.ofPod(world, pod);
        HttpProbe ofInbox = TestKeys.ofInbox(world, inbox);
        for (String id : List.of(organizations, pods, inboxes)) {
            world.http().get("/v0/webhooks/" + id).is(200);
        }
        for (String base : List.of("/v0/webhooks/", podLevel() + "/webhooks/")) {
            ofPod.get(base + organizations).is(404);
            ofPod.patch(base + organizations, json("enabled", false)).is(404);
            ofPod.get(base + pods).is(200);
            ofPod.get(base + inboxes).is(200);
        }
        for (String base : List.of("/v0/webhooks/", inboxLevel() + "/webhooks/")) {
            ofInbox.get(base + organizations).is(404);
            ofInbox.get(base + pods).is(404);
            ofInbox.delete(base + pods).is(404);
            ofInbox.get(base + inboxes).is(200);
        }
        assertThat(webhookIds(ofInbox.get("/v0/webhooks?limit=100")))
                .contains(inboxes)
                .doesNotContain(organizations, pods);
        assertThat(webhookIds(world.http().get("/v0/webhooks?limit=100"))).contains(organizations, pods, inboxes);
        // A scoped key on the plain path makes a webhook of its own scope.
        assertThat(ofInbox.post("/v0/webhooks", BODY + "}").is(200).text("inbox_id"))
                .isEqualTo(inbox);
        assertThat(ofPod.post("/v0/webhooks", BODY + "," + ids("pod_ids", pod) + "}")
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("pod_ids");
        assertThat(ofPod.post("/v0/webhooks", BODY + "," + ids("inbox_ids", world.inbox("elsewhere")) + "}")
                        .is(404)
                        .text("message"))
                .isEqualTo("Inbox not found");
    }

    private static List<String> webhookIds(HttpProbe.Answer list) {
        return list.is(200).list("webhooks").stream()
                .map(webhook -> String.valueOf(((Map<?, ?>) webhook).get("webhook_id")))
                .toList();
    }

    @Test
    void anUpdateReplacesTypesAndAddsAndRemovesTargets() {
        String id = made("/v0", ids("inbox_ids", inbox)).text("webhook_id");
        String path = "/v0/webhooks/" + id;
        assertThat(object(world.http().patch(path, "{}").is(200)))
                .isEqualTo(object(world.http().get(path)));
        HttpProbe.Answer changed = world.http()
                .sloppy()
                .patch(path, """
                        {"event_types":["message.sent","message.security.review"],%s,%s,%s,
                        "url":"https://evil.example/","secret":"x"}""".formatted(
                        ids("add_inbox_ids", other), ids("add_pod_ids", pod), ids("remove_inbox_ids", inbox, "no@x.y")))
                .is(200);
        assertThat(changed.at("event_types")).isEqualTo(List.of("message.sent", "message.security.review"));
        assertThat(changed.at("inbox_ids")).isEqualTo(List.of(other));
        assertThat(changed.at("pod_ids")).isEqualTo(List.of(pod));
        assertThat(changed.text("url")).isEqualTo("https://agent.example/hook");
        assertThat(object(world.http().get(path))).isEqualTo(object(changed));
        // An organization's webhook without a target listens to the organization.
        HttpProbe.Answer wide = world.http()
                .patch(path, "{" + ids("remove_inbox_ids", other) + "," + ids("remove_pod_ids", pod) + "}")
                .is(200);
        assertThat(object(wide)).doesNotContainKeys("pod_ids", "inbox_ids");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"event_types":[]} | event_types
                    {"event_types":["label.added"]} | event_types
                    {"enabled":"yes"} | enabled
                    {"catch_up":true} | catch_up
                    {"add_inbox_ids":["a@x.y"],"remove_inbox_ids":["A@x.y"]} | remove_inbox_ids
                    {"add_pod_ids":["1","2","3","4","5","6","7","8","9","10","11"]} | add_pod_ids""")
    void aFaultyUpdateIsRefusedWithItsPath(String body, String path) {
        String id = made("/v0").text("webhook_id");
        assertThat(world.http().patch("/v0/webhooks/" + id, body).is(400).text("errors.0.path.0"))
                .isEqualTo(path);
    }

    @Test
    void whatALevelDoesNotHaveIsRefused() {
        String ofInbox = inboxLevel() + "/webhooks/" + made(inboxLevel()).text("webhook_id");
        assertThat(world.http()
                        .patch(ofInbox, "{" + ids("add_inbox_ids", other) + "}")
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("add_inbox_ids");
        assertThat(world.http()
                        .patch(ofInbox, "{" + ids("remove_pod_ids", pod) + "}")
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("remove_pod_ids");
        world.http()
                .patch(ofInbox, json("enabled", false, "event_types", List.of("message.sent")))
                .is(200);
        String ofPod = podLevel() + "/webhooks/"
                + made(podLevel(), ids("inbox_ids", inbox)).text("webhook_id");
        assertThat(world.http()
                        .patch(ofPod, "{" + ids("add_pod_ids", pod) + "}")
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("add_pod_ids");
        assertThat(world.http()
                        .patch(ofPod, "{" + ids("remove_inbox_ids", inbox) + "}")
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("remove_inbox_ids");
        assertThat(world.http()
                        .patch(ofPod, "{" + ids("add_inbox_ids", other) + "," + ids("remove_inbox_ids", inbox) + "}")
                        .is(200)
                        .at("inbox_ids"))
                .isEqualTo(List.of(other));
        assertThat(world.http()
                        .patch(ofPod, "{" + ids("add_inbox_ids", world.inbox("stranger")) + "}")
                        .is(404)
                        .text("message"))
                .isEqualTo("Inbox not found");
    }

    /** The limit counts pods and inboxes together (events.md §1.4). */
    @Test
    void tenTargetsTogetherAreTheLimitOfUpdatesToo() {
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            many.add(inbox("limit" + i));
        }
        String path = "/v0/webhooks/"
                + made("/v0", ids("inbox_ids", many.toArray(new String[0]))).text("webhook_id");
        world.http().patch(path, "{" + ids("add_pod_ids", pod) + "}").is(200);
        assertThat(world.http()
                        .patch(path, "{" + ids("add_inbox_ids", inbox) + "}")
                        .is(403)
                        .text("code"))
                .isEqualTo("limit_exceeded");
        world.http()
                .patch(path, "{" + ids("add_inbox_ids", inbox) + "," + ids("remove_pod_ids", pod) + "}")
                .is(200);
    }

    @ParameterizedTest
    @Proves("P11")
    @ValueSource(
            strings = {
                "message.received.spam",
                "message.received.blocked",
                "message.received.unauthenticated",
                "message.security.review",
                "calendar.event.created"
            })
    void aRestrictedTypeNeedsItsFlagOnUpdateAndOnEnablingAgain(String type) {
        Permission flag = Objects.requireNonNull(
                Objects.requireNonNull(dev.inboxd.event.EventType.ofWire(type)).subscriber());
        String path = "/v0/webhooks/" + made("/v0").text("webhook_id");
        String body = json("event_types", List.of(type));
        HttpProbe without = TestKeys.with(world, Permission.WEBHOOK_UPDATE);
        HttpProbe.Answer refused = without.patch(path, body).is(403);
        assertThat(refused.text("code")).isEqualTo("missing_permission");
        assertThat(refused.text("message")).isEqualTo(flag.wireName() + " is forbidden");
        TestKeys.with(world, Permission.WEBHOOK_UPDATE, flag).patch(path, body).is(200);
        without.patch(path, json("enabled", false)).is(200);
        without.patch(path, json("enabled", true)).is(403);
        TestKeys.with(world, Permission.WEBHOOK_UPDATE, flag)
                .patch(path, json("enabled", true))
                .is(200);
    }

    @Test
    @Proves("P22")
    void headersAreSetReplacedAndRemovedTogetherAndNeverShown() {
        String path = "/v0/webhooks/"
                + made("/v0", members("headers", JsonText.object("X-One", "1", "X-Two", "2")))
                        .text("webhook_id");
        assertThat(world.http().get(path + "/headers").is(200).at("header_names"))
                .isEqualTo(List.of("X-One", "X-Two"));
        HttpProbe.Answer changed = world.http().patch(path + "/headers", """
                {"headers":{"x-one":"canary-value","X-Three":"3"},
                "remove_headers":["x-two","X-None"]}""");
        assertThat(changed.is(204).body()).isEmpty();
        HttpProbe.Answer names = world.http().get(path + "/headers").is(200);
        assertThat(names.at("header_names")).isEqualTo(List.of("x-one", "X-Three"));
        assertThat(names.text() + world.http().get(path).text()).doesNotContain("canary-value");
        // All or nothing: the good half of a bad request is not done.
        world.http()
                .patch(path + "/headers", json("headers", JsonText.object("X-Four", "4", "Host", "x")))
                .is(400);
        for (String body : List.of(
                "{}",
                json("headers", Map.of()),
                json("remove_headers", List.of()),
                json("headers", JsonText.object("X-A", "1"), "remove_headers", List.of("x-a")),
                json("headers", JsonText.object("X-A", "1", "x-a", "2")))) {
            world.http().patch(path + "/headers", body).is(400);
        }
        assertThat(world.http().get(path + "/headers").at("header_names")).isEqualTo(List.of("x-one", "X-Three"));
        StringBuilder many = new StringBuilder("{\"headers\":{");
        for (int i = 0; i < 19; i++) {
            many.append(i == 0 ? "" : ",").append("\"X-M").append(i).append("\":\"v\"");
        }
        world.http().patch(path + "/headers", many + "}}").is(400);
    }

    @Test
    void changedHeadersAndARotatedSecretGoWithTheNextDelivery() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String address = world.inbox("rotates");
            TestWebhook hook =
                    TestWebhook.of(world, endpoint, address, members("headers", JsonText.object("X-Env", "one")));
            world.mail("jo@example.com", address, TestMail.of("<r1@x.test>", "One.\n"));
            assertThat(endpoint.take().fields()).containsEntry("X-Env", "one");
            world.http()
                    .patch("/v0/webhooks/" + hook.id() + "/headers", json("headers", JsonText.object("X-Env", "two")))
                    .is(204);
            String secret = world.http()
                    .post("/v0/webhooks/" + hook.id() + "/secret/rotate", "")
                    .is(200)
                    .text("secret");
            assertThat(secret).matches("whsec_[A-Za-z0-9+/]{32}").isNotEqualTo(hook.secret());
            world.mail("jo@example.com", address, TestMail.of("<r2@x.test>", "Two.\n"));
            FakeEndpoint.Received both = endpoint.take();
            assertThat(both.fields()).containsEntry("X-Env", "two");
            assertThat(TestWebhook.field(both, "svix-signature"))
                    .isEqualTo(signed(both, secret) + " " + signed(both, hook.secret()));
            // What is on its way when a lease ends is posted again, and would be taken for the next one.
            hook.settled();
            world.advance(WebhookSecrets.OVERLAP.plusMinutes(1));
            world.http()
                    .patch("/v0/webhooks/" + hook.id() + "/headers", json("remove_headers", List.of("x-env")))
                    .is(204);
            world.mail("jo@example.com", address, TestMail.of("<r3@x.test>", "Three.\n"));
            FakeEndpoint.Received later = endpoint.take();
            assertThat(later.fields()).doesNotContainKey("X-Env");
            assertThat(TestWebhook.field(later, "svix-signature")).isEqualTo(signed(later, secret));
        }
    }

    @Test
    void eachFormerSecretSignsForADayOfItsOwnAndASixthIsRefused() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String address = world.inbox("several");
            TestWebhook hook = TestWebhook.of(world, endpoint, address);
            String rotation = "/v0/webhooks/" + hook.id() + "/secret/rotate";
            List<String> secrets = new ArrayList<>(List.of(hook.secret()));
            for (int i = 0; i < 3; i++) {
                secrets.addFirst(world.http().post(rotation, "").is(200).text("secret"));
                world.advance(Duration.ofHours(1));
            }
            HttpProbe once = world.http().with("Idempotency-Key", "rotation-4");
            secrets.addFirst(once.post(rotation, "").is(200).text("secret"));
            assertThat(once.post(rotation, "").is(200).text("secret")).isEqualTo(secrets.getFirst());
            HttpProbe.Answer sixth = world.http().post(rotation, "").is(403);
            assertThat(sixth.text("code")).isEqualTo("limit_exceeded");
            assertThat(sixth.text("fix")).contains("Rotate again after ");
            world.http()
                    .with("Idempotency-Key", "with a blank")
                    .post(rotation, "")
                    .is(400);
            world.mail("jo@example.com", address, TestMail.of("<s1@x.test>", "One.\n"));
            FakeEndpoint.Received all = endpoint.take();
            assertThat(TestWebhook.field(all, "svix-signature").split(" "))
                    .containsExactlyElementsOf(
                            secrets.stream().map(secret -> signed(all, secret)).toList());
            hook.settled();
            world.advance(WebhookSecrets.OVERLAP.minus(Duration.ofMinutes(150)));
            assertThat(once.post(rotation, "").is(200).text("secret")).isEqualTo(secrets.getFirst());
            secrets.addFirst(world.http().post(rotation, "").is(200).text("secret"));
            world.mail("jo@example.com", address, TestMail.of("<s2@x.test>", "Two.\n"));
            FakeEndpoint.Received later = endpoint.take();
            assertThat(TestWebhook.field(later, "svix-signature").split(" "))
                    .as("the first of all has signed for its day")
                    .containsExactlyElementsOf(secrets.subList(0, 5).stream()
                            .map(secret -> signed(later, secret))
                            .toList());
        }
    }

    /** What people write of one inbox, and of one address (ruling 151). */
    @Test
    void idsAreASetAndAUrlHasOneForm() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String address = world.inbox("spelled");
            List<String> spelled = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                spelled.add(i % 2 == 0 ? " " + address + " " : address.toUpperCase(Locale.ROOT));
            }
            String url = endpoint.url("/spelled").replace("http://", "HTTP://");
            String ids = String.join("\",\"", spelled);
            String body = """
                    {"url":" %s ","event_types":["message.received"],"inbox_ids":["%s"]}""".formatted(url, ids);
            HttpProbe.Answer made = world.http().post("/v0/webhooks", body).is(200);
            assertThat(made.at("inbox_ids")).isEqualTo(List.of(address));
            assertThat(made.text("url")).isEqualTo(endpoint.url("/spelled"));
            String broken = """
                    {"url":"%s/a b","event_types":["message.received"]}""".formatted(endpoint.url("/spelled"));
            world.http().post("/v0/webhooks", broken).is(400);
            world.http().delete("/v0/webhooks/" + made.text("webhook_id")).is(200);
        }
    }

    private static String signed(FakeEndpoint.Received post, String secret) {
        return new WebhookSignature(secret)
                .of(
                        TestWebhook.field(post, "svix-id"),
                        Long.parseLong(TestWebhook.field(post, "svix-timestamp")),
                        post.content());
    }

    /** What waits when a webhook is disabled is cancelled, and not resumed later (events.md §2.2). */
    @Test
    @Proves("P8")
    void whatWaitsWhenAWebhookIsDisabledIsNeverDelivered() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            endpoint.always(FakeEndpoint.status(500));
            String address = world.inbox("paused-hook");
            TestWebhook hook = TestWebhook.of(world, endpoint, address);
            world.mail("jo@example.com", address, TestMail.of("<p1@x.test>", "One.\n"));
            endpoint.take();
            hook.line(line -> line.attempts() == 1);
            endpoint.always(FakeEndpoint.status(200));
            world.http()
                    .patch("/v0/webhooks/" + hook.id(), json("enabled", false))
                    .is(200);
            world.http()
                    .patch("/v0/webhooks/" + hook.id(), json("enabled", true))
                    .is(200);
            world.advance(java.time.Duration.ofSeconds(10));
            hook.settled();
            world.mail("jo@example.com", address, TestMail.of("<p2@x.test>", "Two.\n"));
            assertThat(endpoint.take().text()).contains("<p2@x.test>");
            assertThat(endpoint.received()).isEmpty();
        }
    }

    @Test
    void aDeletedInboxTakesItsOwnWebhooksAlong() {
        String address = inbox("leaving");
        String id = made("/v0/inboxes/" + address).text("webhook_id");
        String polling = world.http()
                .post(
                        "/v0/inboxes/" + address + "/webhooks/polling",
                        json("client_id", "leaving", "event_types", List.of("message.received")))
                .is(200)
                .text("webhook_id");
        world.http().delete("/v0/inboxes/" + address).is(200);
        world.http().get("/v0/webhooks/" + id).is(404);
        world.http().get("/v0/webhooks/" + polling).is(404);
    }
}
