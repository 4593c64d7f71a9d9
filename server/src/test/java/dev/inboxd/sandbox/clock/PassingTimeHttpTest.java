package dev.inboxd.sandbox.clock;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.delivery.TestMail;
import dev.inboxd.notify.delivery.TestWebhook;
import dev.inboxd.server.World;
import dev.inboxd.testing.Refusal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What takes minutes to months, seen in seconds: each is due at its time, also on the way (sandbox.md §5). */
class PassingTimeHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private void mail(String inbox, String id, String body) {
        assertThat(world.mail("jo@example.com", inbox, TestMail.of("<" + id + "@x.test>", body)))
                .startsWith("250");
    }

    private String code(String human) {
        return world.letters(human)
                .getLast()
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{6}"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aKeyExpires() {
        String end = world.clock().instant().plus(Duration.ofHours(2)).toString();
        String key = world.http()
                .post("/v0/api-keys", json("expires_at", end))
                .is(200)
                .text("api_key");
        world.walk(Duration.ofHours(2).minusMinutes(1));
        world.as(key).get("/v0/auth/me").is(200);
        world.walk(Duration.ofMinutes(1));
        Refusal.of(world.as(key).get("/v0/auth/me"), ErrorCode.API_KEY_EXPIRED);
    }

    @Test
    void aCodeHasTenAttemptsInADayAndThenThereIsAFreshOne() {
        String human = "passing@people.test";
        String signUp = json("human_email", human, "username", "passing");
        String key = world.anonymous().post("/v0/agent/sign-up", signUp).is(200).text("api_key");
        String code = code(human);
        String wrong = code.equals("000000") ? "111111" : "000000";
        for (int i = 0; i < 10; i++) {
            world.as(key).post("/v0/agent/verify", json("otp_code", wrong)).is(400);
        }
        Refusal.of(world.as(key).post("/v0/agent/verify", json("otp_code", code)), ErrorCode.LIMIT_EXCEEDED);
        world.walk(Duration.ofHours(24));
        Refusal.of(world.as(key).post("/v0/agent/verify", json("otp_code", code)), ErrorCode.LIMIT_EXCEEDED);
        String renewed =
                world.anonymous().post("/v0/agent/sign-up", signUp).is(200).text("api_key");
        world.as(renewed)
                .post("/v0/agent/verify", json("otp_code", code(human)))
                .is(200);
    }

    @Test
    void aMagicLinkLivesForFiveMinutes() {
        Object app = AppFixture.register(world, """
                {"name":"App","redirect_uris":["https://app.example/cb"],\
                "initiate_login_uri":"https://app.example/start"}""");
        String inbox = world.inbox("magic");
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Answer link = world.http()
                    .post("/v0/apps/" + app + "/connect", json("inbox_id", inbox))
                    .is(202);
            String path = URI.create(link.text("magic_url")).getPath();
            tokens.add(path.substring(path.lastIndexOf('/') + 1));
            if (i == 0) {
                world.walk(Duration.ofSeconds(290));
                world.anonymous()
                        .post("/v0/sign-in/begin", json("token", tokens.getFirst()))
                        .is(200);
            }
        }
        world.walk(Duration.ofMinutes(5));
        world.anonymous()
                .post("/v0/sign-in/begin", json("token", tokens.getLast()))
                .is(404);
    }

    /** After 5 s, 5 min, 30 min, 2, 5, 10 and 10 hours, each lengthened by at most a tenth. */
    @Test
    void aFailingDeliveryIsTriedEightTimesAndThenFails() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            endpoint.always(FakeEndpoint.status(500));
            String inbox = world.inbox("eight");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            Instant begun = world.clock().instant();
            mail(inbox, "eight", "Hello.\n");
            assertThat(world.walk(Duration.ofHours(27)).at("settled")).isEqualTo(true);
            assertThat(endpoint.received()).hasSize(7);
            world.walk(Duration.ofHours(4));
            assertThat(endpoint.received()).hasSize(8);
            Answer log = world.http()
                    .get("/v0/webhooks/" + hook.id() + "/deliveries")
                    .is(200);
            assertThat(log.text("deliveries.0.status")).isEqualTo("failed");
            assertThat(log.at("deliveries.0.attempt_count")).isEqualTo(8L);
            assertThat(world.walk(Duration.ofDays(1)).at("settled")).isEqualTo(true);
            assertThat(endpoint.received()).hasSize(8);
            assertThat(Duration.between(begun, world.clock().instant())).isGreaterThan(Duration.ofHours(55));
        }
    }

    @Test
    @Tag("long")
    void fiveDaysOfFailuresDisableAWebhookAndNothingIsDeliveredAgain() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            endpoint.always(FakeEndpoint.status(500));
            String inbox = world.inbox("disabled");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            String path = "/v0/webhooks/" + hook.id();
            for (int day = 0; day < 5; day++) {
                mail(inbox, "day" + day, "Hello.\n");
                world.walk(Duration.ofDays(1));
                assertThat(world.http().get(path).is(200).at("enabled")).isEqualTo(true);
            }
            mail(inbox, "last", "Hello.\n");
            world.walk(Duration.ofMinutes(1));
            assertThat(world.http().get(path).is(200).at("enabled")).isEqualTo(false);
            endpoint.always(FakeEndpoint.status(200));
            int posts = endpoint.received().size();
            world.http().patch(path, json("enabled", true)).is(200);
            world.walk(Duration.ofDays(2));
            assertThat(endpoint.received()).hasSize(posts);
            mail(inbox, "again", "Hello.\n");
            world.walk(Duration.ofMinutes(1));
            assertThat(endpoint.received()).hasSize(posts + 1);
        }
    }

    @Test
    void theLinkToALargeBodyLivesForAnHour() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("large");
            TestWebhook.of(world, endpoint, inbox);
            mail(inbox, "large", ("z".repeat(63) + "\n").repeat(2_048));
            Map<?, ?> event = (Map<?, ?>)
                    Objects.requireNonNull(Json.parse(endpoint.take().content()));
            Map<?, ?> message = (Map<?, ?>) Objects.requireNonNull(event.get("message"));
            String link = URI.create(String.valueOf(message.get("body_url"))).getPath();
            world.walk(Duration.ofMinutes(59));
            world.anonymous().get(link).is(200);
            world.walk(Duration.ofMinutes(2));
            world.anonymous().get(link).is(403);
        }
    }

    @Test
    void metricsReachNinetyDaysBack() {
        String inbox = world.inbox("metrics");
        mail(inbox, "counted", "Hello.\n");
        Instant counted = world.clock().instant();
        world.walk(Duration.ofDays(89));
        String query = "/v0/inboxes/" + inbox + "/metrics/events?period=86400&start=" + counted.minusSeconds(3_600)
                + "&end=" + world.clock().instant();
        assertThat(world.http().get(query).is(200).text()).contains("message.received.unauthenticated");
        world.walk(Duration.ofDays(2));
        Refusal.ofMember(world.http().get(query), "start");
    }

    @Test
    @Tag("long")
    void anEventStartsAndThirtyDaysLaterItIsOver() {
        CalendarProbe calendar = new CalendarProbe(world);
        String path = "/events/" + calendar.single(calendar.soon(3_600), calendar.soon(5_400));
        world.walk(Duration.ofMinutes(61));
        assertThat(calendar.patch(path, "{'start':'" + calendar.soon(600) + "','end':'" + calendar.soon(900) + "'}")
                        .is(409)
                        .text("code"))
                .isEqualTo("event_already_started");
        String first = calendar.soon(3_600);
        String series = calendar.series(first, "FREQ=DAILY;COUNT=3");
        world.walk(Duration.ofDays(31));
        String date = "/events/" + series + "_" + CalendarProbe.slot(first);
        assertThat(calendar.patch(date, "{'title':'Late'}").is(410).text("code"))
                .isEqualTo("event_expired");
    }

    @Test
    void aDraftOfNextYearIsSentThen() {
        String inbox = world.inbox("letters");
        String at = world.clock().instant().plus(Duration.ofDays(300)).toString();
        world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json("to", "jo@elsewhere.example", "text", "Hi", "send_at", at))
                .is(200);
        Answer moved = world.walk(Duration.ofDays(400));
        assertThat(moved.at("settled")).isEqualTo(true);
        assertThat(Instant.parse(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .text("messages.0.timestamp")))
                .isCloseTo(Instant.parse(at), within(5, ChronoUnit.SECONDS));
    }
}
