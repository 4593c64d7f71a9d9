package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a sender sees of a message on its way, from the first attempt to the last, on a clock that the test moves. */
class RetryHttpTest extends RelayService {
    private static final String LATER = "450 4.2.1 later";

    /** RFC 5321 §4.5.4.1: pauses that grow, and four to five days before it is given up. */
    @Test
    @Tag("long")
    @Proves("P18")
    void theWholeScheduleIsWalkedToTheBounceAndTheNextAttemptIsSeenEachTime() {
        mx.answerRecipient("ann@elsewhere.test", LATER);
        Instant queued = world.clock().instant();
        String message = send(json("to", "ann@elsewhere.test", "text", "Hi"));
        List<Long> minutes = new ArrayList<>();
        for (int attempt = 1; true; attempt++) {
            awaitAttempt(message, attempt);
            HttpProbe.Answer seen = get(message);
            assertThat(seen.text("deliveries.0.recipient")).isEqualTo("ann@elsewhere.test");
            if (seen.text("deliveries.0.status").equals("bounced")) {
                break;
            }
            assertThat(seen.text("deliveries.0.answer")).isEqualTo(LATER);
            assertThat(strings(seen, "labels")).contains("delayed").doesNotContain("bounced");
            if (attempt == 1) {
                assertThat(labelled(message)).containsExactly("delayed"); // and never again
            }
            Duration pause =
                    Duration.between(world.clock().instant(), Instant.parse(seen.text("deliveries.0.next_attempt_at")));
            minutes.add(Math.round(pause.toSeconds() / 60.0));
            world.advance(pause.minusSeconds(20));
            send(json("to", inbox, "text", "Wakes the queue"));
            assertThat(get(message).at("deliveries.0.attempt_count")).isEqualTo((long) attempt); // not before its time
            world.advance(Duration.ofSeconds(21));
            send(json("to", inbox, "text", "Wakes the queue"));
        }
        assertThat(minutes.subList(0, 7)).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 240L);
        assertThat(minutes.subList(7, minutes.size())).hasSize(28).containsOnly(240L);
        assertThat(Duration.between(queued, world.clock().instant()))
                .isBetween(Duration.ofDays(5), Duration.ofDays(5).plusHours(4));
        HttpProbe.Answer last = get(message);
        assertThat(last.text("deliveries.0.answer")).isEqualTo("451 4.4.7 Given up after 5 days: " + LATER);
        assertThat(last.text("deliveries.0.settled_at")).isNotEmpty();
        assertThat(last.text()).doesNotContain("next_attempt_at");
        assertThat(strings(last, "labels")).contains("delayed", "bounced");
        assertThat(labelled(message)).containsExactly("bounced"); // the newest page
        assertThat(world.http()
                        .get("/v0/events?event_types=message.bounced")
                        .is(200)
                        .list("events"))
                .hasSize(1);
        assertThat(world.http().get("/v0/lists/send/block").is(200).at("count")).isEqualTo(0L);
    }

    @Test
    void eachRecipientIsSeenByItselfAndOnlyByWhoMayReadWhatWasSent() {
        mx.answerRecipient("later@elsewhere.test", LATER).answerRecipient("gone@elsewhere.test", "550 5.1.1 nobody");
        String reader = world.inbox("reader");
        String message = send("""
                {"to":["ok@elsewhere.test","%s"],"cc":"gone@elsewhere.test",\
                "bcc":"later@elsewhere.test","text":"Hi"}""".formatted(reader));
        await(() -> List.of("delivered", "delivered", "bounced", "queued").equals(statuses(message)));
        HttpProbe.Answer received =
                world.http().get("/v0/inboxes/" + reader + "/messages").is(200);
        HttpProbe.Answer there = world.as(world.inboxKey(reader))
                .get("/v0/inboxes/" + reader + "/messages/" + name(received.text("messages.0.message_id")))
                .is(200);
        assertThat(there.text()).doesNotContain("deliveries").doesNotContain("later@");
        world.as(world.inboxKey(reader))
                .get("/v0/inboxes/" + inbox + "/messages/" + name(message))
                .is(404);
        mx.close(); // what is said of our own network is no sender's to read
        world.advance(Duration.ofMinutes(6));
        await(() ->
                "451 4.4.1 No session with another server".equals(get(message).at("deliveries.3.answer")));
        assertThat(get(message).at("deliveries.3.attempt_count")).isEqualTo(2L);
    }

    private List<String> statuses(String message) {
        HttpProbe.Answer seen = get(message);
        return List.of(
                seen.text("deliveries.0.status"),
                seen.text("deliveries.1.status"),
                seen.text("deliveries.2.status"),
                seen.text("deliveries.3.status"));
    }

    private void awaitAttempt(String message, int attempt) {
        await(() -> Objects.equals(get(message).at("deliveries.0.attempt_count"), (long) attempt)
                && !"sending".equals(get(message).text("deliveries.0.status")));
    }

    /** The labels that deliveries put on it, as far as the newest page of the feed tells. */
    private List<String> labelled(String message) {
        return world.http().get("/v0/inboxes/" + inbox + "/events?limit=100").is(200).list("events").stream()
                .map(event -> (Map<?, ?>) event)
                .filter(event -> message.equals(event.get("message_id")))
                .map(event -> String.valueOf(event.get("label")))
                .filter(List.of("delayed", "bounced")::contains)
                .toList();
    }

    private String send(String body) {
        return world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", body)
                .is(200)
                .text("message_id");
    }

    private HttpProbe.Answer get(String message) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + name(message))
                .is(200);
    }

    private static String name(String message) {
        return URLEncoder.encode(message, StandardCharsets.UTF_8);
    }

    private static List<String> strings(HttpProbe.Answer answer, String path) {
        return answer.list(path).stream().map(String::valueOf).toList();
    }
}
