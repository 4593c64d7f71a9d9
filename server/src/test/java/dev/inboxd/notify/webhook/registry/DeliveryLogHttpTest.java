package dev.inboxd.notify.webhook.registry;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.event.EventType;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.delivery.RetrySchedule;
import dev.inboxd.notify.delivery.TestKeys;
import dev.inboxd.notify.delivery.TestMail;
import dev.inboxd.notify.delivery.TestWebhook;
import dev.inboxd.notify.webhook.WebhookSignature;
import dev.inboxd.server.World;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the owner of a webhook sees of its deliveries, and delivering again. */
class DeliveryLogHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static void mail(String inbox, String id) {
        assertThat(world.mail("jo@example.com", inbox, TestMail.of("<" + id + "@x.test>", "Hello.\n")))
                .startsWith("250");
    }

    private static HttpProbe.Answer log(TestWebhook hook, String query) {
        return world.http()
                .get("/v0/webhooks/" + hook.id() + "/deliveries" + query)
                .is(200);
    }

    private static String names(FakeEndpoint endpoint, int count) {
        Set<String> names = new HashSet<>();
        while (names.size() < count) {
            names.add(String.valueOf(((Map<?, ?>) Objects.requireNonNull(((Map<?, ?>) Objects.requireNonNull(
                                    Json.parse(endpoint.take().content())))
                            .get("message")))
                    .get("message_id")));
        }
        return String.join(" ", names.stream().sorted().toList());
    }

    /** What is asked for while an attempt runs, or before its result is written, comes behind it (ruling 144). */
    @Test
    @Tag("long")
    void aDeliveryThatIsAskedForAgainWhileItRunsComesOnceMore() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("asked.again");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            for (int i = 0; i < 3; i++) {
                if (i == 1) {
                    endpoint.then(FakeEndpoint.respond(503, "", "not now"));
                }
                mail(inbox, "again" + i);
                String id = TestWebhook.field(endpoint.take(), "svix-id");
                world.http()
                        .post("/v0/webhooks/" + hook.id() + "/deliveries/" + id + "/redeliver", "")
                        .is(200);
                assertThat(TestWebhook.field(endpoint.take(), "svix-id")).isEqualTo(id);
                hook.settled();
            }
        }
    }

    @Test
    void everyAttemptIsInTheLogWithItsAnswer() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            endpoint.then(FakeEndpoint.respond(503, "", "not now\u0007 é" + "x".repeat(2_000)));
            String inbox = world.inbox("logged");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            mail(inbox, "one");
            FakeEndpoint.Received first = endpoint.take();
            hook.line(line -> line.attempts() == 1);
            HttpProbe.Answer pending = log(hook, "");
            assertThat(pending.at("count")).isEqualTo(1L);
            assertThat(pending.text("deliveries.0.status")).isEqualTo("pending");
            assertThat(Instant.parse(pending.text("deliveries.0.next_attempt_at")))
                    .isAfter(world.clock().instant());
            assertThat(pending.text("deliveries.0.svix_id")).isEqualTo(TestWebhook.field(first, "svix-id"));
            assertThat(pending.text("deliveries.0.event_id")).startsWith("evt_");
            assertThat(pending.text("deliveries.0.event_type")).isEqualTo("message.received.unauthenticated");
            assertThat(pending.at("deliveries.0.attempts.0.status")).isEqualTo(503L);
            assertThat(pending.text("deliveries.0.attempts.0.error")).isEqualTo("status 503");
            assertThat(pending.text("deliveries.0.attempts.0.answer"))
                    .startsWith("not now é")
                    .hasSizeBetween(1_000, 1_024);
            assertThat((Long) pending.at("deliveries.0.attempts.0.latency_ms")).isBetween(0L, 15_000L);
            world.advance(Duration.ofSeconds(6));
            endpoint.take();
            hook.settled();
            HttpProbe.Answer delivered = log(hook, "");
            assertThat(delivered.text("deliveries.0.status")).isEqualTo("delivered");
            assertThat(delivered.at("deliveries.0.attempt_count")).isEqualTo(2L);
            assertThat(delivered.at("deliveries.0.attempts.1.attempt")).isEqualTo(2L);
            assertThat(delivered.at("deliveries.0.attempts.1.error")).isNull();
            assertThat(delivered.at("deliveries.0.next_attempt_at")).isNull();
            mail(inbox, "two");
            endpoint.take();
            hook.settled();
            HttpProbe.Answer page = log(hook, "?limit=1");
            assertThat(page.text("deliveries.0.event_id")).isNotEqualTo(delivered.text("deliveries.0.event_id"));
            assertThat(log(hook, "?limit=1&page_token=" + page.text("next_page_token"))
                            .text("deliveries.0.event_id"))
                    .isEqualTo(delivered.text("deliveries.0.event_id"));
            assertThat(log(hook, "?ascending=true").text("deliveries.0.event_id"))
                    .isEqualTo(delivered.text("deliveries.0.event_id"));
            world.advance(RetrySchedule.RETENTION.plusHours(1));
            world.sweepAfter(Duration.ZERO);
            assertThat(log(hook, "").at("count")).isEqualTo(0L);
        }
    }

    @Test
    @Tag("long")
    void aDeliveryIsMadeAgainWithTheSameIds() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("again");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            mail(inbox, "again");
            FakeEndpoint.Received first = endpoint.take();
            hook.settled();
            String path = "/v0/webhooks/" + hook.id() + "/deliveries/";
            String id = TestWebhook.field(first, "svix-id");
            assertThat(world.http().post(path + id + "/redeliver", "").is(200).text("status"))
                    .isEqualTo("pending");
            FakeEndpoint.Received second = endpoint.take();
            assertThat(TestWebhook.field(second, "svix-id")).isEqualTo(id);
            assertThat(second.text()).isEqualTo(first.text());
            hook.settled();
            world.http()
                    .post(path + log(hook, "").text("deliveries.0.event_id") + "/redeliver", "")
                    .is(200);
            assertThat(TestWebhook.field(endpoint.take(), "svix-id")).isEqualTo(id);
            hook.settled();
            for (String unknown : List.of("msg_nobodys", "x", id.substring(0, id.length() - 1) + "!")) {
                world.http().post(path + unknown + "/redeliver", "").is(404);
            }
            String otherInbox = world.inbox("again-other");
            TestWebhook other = TestWebhook.of(world, endpoint, otherInbox);
            world.http()
                    .post("/v0/webhooks/" + other.id() + "/deliveries/" + id + "/redeliver", "")
                    .is(404);
            world.http()
                    .patch("/v0/webhooks/" + hook.id(), json("enabled", false))
                    .is(200);
            assertThat(world.http().post(path + id + "/redeliver", "").is(409).text("code"))
                    .isEqualTo("conflict");
            world.http()
                    .patch("/v0/webhooks/" + hook.id(), json("enabled", true))
                    .is(200);
            world.http()
                    .delete("/v0/inboxes/" + inbox + "/messages/%3Cagain@x.test%3E")
                    .is(200);
            world.http().post(path + id + "/redeliver", "").is(404);
        }
    }

    @Test
    @Tag("long")
    void aStretchOfTimeIsReplayedAndNothingBesideIt() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("replay");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            mail(inbox, "before");
            names(endpoint, 1);
            hook.settled();
            world.advance(Duration.ofMinutes(1));
            Instant start = world.clock().instant();
            mail(inbox, "during-1");
            mail(inbox, "during-2");
            names(endpoint, 2);
            hook.settled();
            world.advance(Duration.ofMinutes(1));
            Instant end = world.clock().instant();
            world.advance(Duration.ofMinutes(1));
            mail(inbox, "after");
            names(endpoint, 1);
            hook.settled();
            world.http()
                    .post(
                            "/v0/webhooks/" + hook.id() + "/replay",
                            json("after", start.toString(), "before", end.toString()))
                    .is(200);
            assertThat(names(endpoint, 2)).isEqualTo("<during-1@x.test> <during-2@x.test>");
            hook.settled();
            assertThat(endpoint.received()).isEmpty();
            for (String body : List.of(
                    "{}",
                    json("after", "x"),
                    json("after", end.toString(), "before", start.toString()),
                    json("after", world.clock().instant().plusSeconds(60).toString()))) {
                assertThat(world.http()
                                .post("/v0/webhooks/" + hook.id() + "/replay", body)
                                .is(400)
                                .text("errors.0.path.0"))
                        .isEqualTo("after");
            }
            TestKeys.with(world, Permission.WEBHOOK_UPDATE)
                    .post("/v0/webhooks/" + hook.id() + "/replay", json("after", start.toString()))
                    .is(403);
        }
    }

    @Test
    void aWebhookThatIsEnabledAgainIsToldWhatItMissedWhenItAsks() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("missed");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            mail(inbox, "heard");
            names(endpoint, 1);
            hook.settled();
            String path = "/v0/webhooks/" + hook.id();
            world.http().patch(path, json("enabled", false)).is(200);
            mail(inbox, "missed-1");
            world.http().patch(path, json("enabled", true)).is(200);
            mail(inbox, "heard-2");
            assertThat(names(endpoint, 1)).isEqualTo("<heard-2@x.test>");
            world.http().patch(path, json("enabled", false)).is(200);
            mail(inbox, "missed-2");
            mail(inbox, "missed-3");
            world.http().patch(path, json("enabled", true, "catch_up", true)).is(200);
            assertThat(names(endpoint, 2)).isEqualTo("<missed-2@x.test> <missed-3@x.test>");
            hook.settled();
            assertThat(endpoint.received()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void anEndpointIsTriedWithAnyEvent(EventType type) throws IOException {
        if (!type.isSubscribable()) {
            return;
        }
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("tried-" + type.wireName().replace('.', '-'));
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            endpoint.then(FakeEndpoint.respond(201, "", "thanks"));
            HttpProbe.Answer answer = world.http()
                    .post("/v0/webhooks/" + hook.id() + "/test", json("event_type", type.wireName()))
                    .is(200);
            assertThat(answer.at("delivered")).isEqualTo(true);
            assertThat(answer.at("status")).isEqualTo(201L);
            assertThat(answer.text("answer")).isEqualTo("thanks");
            FakeEndpoint.Received post = endpoint.take();
            Map<?, ?> payload = (Map<?, ?>) Objects.requireNonNull(Json.parse(post.content()));
            assertThat(payload.get("event_type")).isEqualTo(type.wireName());
            assertThat(payload.get("event_id")).isEqualTo(answer.at("event_id"));
            assertThat(Stream.of(
                                    "message",
                                    "send",
                                    "delivery",
                                    "bounce",
                                    "complaint",
                                    "reject",
                                    "open",
                                    "domain",
                                    "calendar_event",
                                    "draft")
                            .filter(payload::containsKey))
                    .hasSize(1);
            assertThat(TestWebhook.field(post, "svix-signature"))
                    .isEqualTo(new WebhookSignature(hook.secret())
                            .of(
                                    answer.text("svix_id"),
                                    Long.parseLong(TestWebhook.field(post, "svix-timestamp")),
                                    post.content()));
        }
    }

    @Test
    void aTriedEndpointThatFailsSaysWhyAndIsNotCounted() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            endpoint.always(FakeEndpoint.hangUp());
            TestWebhook hook = TestWebhook.of(world, endpoint, world.inbox("fails"));
            HttpProbe.Answer answer =
                    world.http().post("/v0/webhooks/" + hook.id() + "/test", "").is(200);
            assertThat(answer.at("delivered")).isEqualTo(false);
            assertThat(answer.text("error")).startsWith("reset");
            assertThat(answer.text("event_type")).isEqualTo("message.received");
            assertThat(log(hook, "").at("count")).isEqualTo(0L);
            assertThat(world.http()
                            .post("/v0/webhooks/" + hook.id() + "/test", json("event_type", "label.added"))
                            .is(400)
                            .text("errors.0.path.0"))
                    .isEqualTo("event_type");
        }
    }
}
