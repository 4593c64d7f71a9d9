package dev.inboxd.event;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.notify.stream.SocketProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What readers of the log hear once its oldest events are gone. */
class EventHorizonHttpTest {
    private static final Duration KEPT = Duration.ofDays(121);

    private static void mail(World world, String inbox, String subject) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: " + subject + "\n\nHello.\n"))
                .startsWith("250");
    }

    private static String now(World world) {
        return world.http().get("/v0/events?cursor=now").is(200).text("next_cursor");
    }

    private static void sweep(World world) {
        Eventually.await(world::isIndexed);
        world.http().get("/v0/metrics/events").is(200);
        new EventExpiry(world.database(), world.clock(), KEPT, () -> false).sweep();
        world.advance(Duration.ofMinutes(11));
        new EventExpiry(world.database(), world.clock(), KEPT, () -> false).sweep();
    }

    private static List<String> types(Answer page) {
        return ((List<?>) Objects.requireNonNull(page.at("events")))
                .stream()
                        .map(event -> String.valueOf(((Map<?, ?>) event).get("event_type")))
                        .toList();
    }

    private static void refused(HttpProbe http, String path, String member) {
        Answer refusal = http.get(path).is(400);
        assertThat(refusal.text("code")).isEqualTo("validation_error");
        assertThat(refusal.text("errors.0.path.0")).isEqualTo(member);
        assertThat(refusal.body()).contains("older than events are kept".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aCursorOfBeforeIsRefusedAndEveryOtherGoesOn() {
        try (World world = World.start()) {
            String inbox = world.inbox("old");
            mail(world, inbox, "First");
            String feed = "/v0/inboxes/" + inbox + "/events?ascending=true&limit=1";
            String page =
                    URLEncoder.encode(world.http().get(feed).is(200).text("next_page_token"), StandardCharsets.UTF_8);
            String first = world.http().get("/v0/events?limit=1").is(200).text("events.0.event_id");
            String last = now(world);
            world.advance(Duration.ofDays(130));
            String recent = now(world);
            mail(world, inbox, "Second");
            sweep(world);

            String wait = "/v0/inboxes/" + inbox + "/messages/wait?include_unauthenticated=true&timeout=0&cursor=";
            refused(world.http(), "/v0/events?cursor=" + first, "cursor");
            refused(world.http(), wait + first, "cursor");
            refused(world.http(), feed + "&page_token=" + page, "page_token");
            try (SocketProbe socket = SocketProbe.open(world.httpPort(), world.key())) {
                socket.say(json("type", "subscribe", "cursor", first));
                assertThat(socket.next().json().get("code")).isEqualTo("validation_error");
            }
            // Behind these nothing is missing.
            for (String cursor : List.of(last, recent)) {
                Answer rest = world.http().get("/v0/events?cursor=" + cursor).is(200);
                assertThat(rest.text("events.0.message.subject")).isEqualTo("Second");
                assertThat(world.http().get(wait + cursor).is(200).text("message.subject"))
                        .isEqualTo("Second");
            }
            // The beginning is the oldest event that is there.
            assertThat(world.http().get("/v0/events").is(200).text("events.0.message.subject"))
                    .isEqualTo("Second");
            assertThat(types(world.http()
                            .get(feed.replace("limit=1", "limit=100"))
                            .is(200)))
                    .containsExactly("label.added", "label.added", "label.added");
        }
    }

    @Test
    void nothingButTheLogForgetsOldMail() {
        try (World world = World.start()) {
            String inbox = world.inbox("old");
            mail(world, inbox, "Kept");
            world.advance(Duration.ofDays(130));
            mail(world, inbox, "Later");
            sweep(world);

            String messages = "/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true";
            Answer list = world.http().get(messages).is(200);
            assertThat(list.at("count")).isEqualTo(2L);
            String name = URLEncoder.encode(list.text("messages.1.message_id"), StandardCharsets.UTF_8);
            String message = "/v0/inboxes/" + inbox + "/messages/" + name;
            world.http()
                    .patch(message, json("remove_labels", List.of("unauthenticated")))
                    .is(200);
            assertThat(world.http().get(message).is(200).text("subject")).isEqualTo("Kept");
            assertThat(world.http()
                            .get("/v0/inboxes/" + inbox + "/messages/search?q=hello")
                            .is(200)
                            .list("messages"))
                    .hasSize(1);
            List<?> usage = world.http()
                    .get("/v0/metrics/usage?usage_types=message_count")
                    .is(200)
                    .list("message_count");
            assertThat(((Map<?, ?>) usage.getLast()).get("value")).isEqualTo(2L);
            world.http().delete(message).is(200);
            world.http().delete(message + "?permanent=true");
            assertThat(world.http().get(messages).is(200).text("messages.0.subject"))
                    .isEqualTo("Later");
        }
    }
}
