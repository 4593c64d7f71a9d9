package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.StatementRecorder;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.delivery.TestMail;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node with nothing to do asks the database at most twice a second in all, its own sign of life included, however
 * many organizations there are and whatever they have planned (decision 0074).
 */
@Tag("alone")
class IdleNodeDbTest {
    private static final Duration WATCH = Duration.ofSeconds(20);
    private static final int ORGANIZATIONS = 30;

    private StatementRecorder recorder;
    private World world;

    @BeforeEach
    void start() {
        recorder = StatementRecorder.start();
        world = World.start(Map.of(), recorder::before);
    }

    @AfterEach
    void stop() {
        world.close();
        recorder.close();
    }

    @Test
    void anIdleNodeAsksAtMostTwiceASecondHoweverManyOrganizationsThereAre() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            for (int i = 0; i < ORGANIZATIONS; i++) {
                plan(world.as(world.otherOrganization()), i, endpoint);
            }
            for (int i = 0; i < ORGANIZATIONS; i++) {
                world.mail(
                        "jo@example.com", "plan" + i + "@mail.localhost", TestMail.of("<i" + i + "@x.test>", "Hi\n"));
                endpoint.take();
            }
            Eventually.await(Duration.ofMinutes(2), this::isQuiet);
            recorder.forget();
            Instant end = Instant.now().plus(WATCH);
            Eventually.await(Duration.ofMinutes(1), () -> Instant.now().isAfter(end));
            List<String> asked = recorder.texts();
            Map<String, Long> by = asked.stream()
                    .map(text -> text.replaceAll("\\s+", " "))
                    .collect(Collectors.groupingBy(text -> text, TreeMap::new, Collectors.counting()));
            assertThat(asked.size()).as("statements in %s: %s", WATCH, by).isPositive();
            assertThat(asked).as("statements in %s: %s", WATCH, by).hasSizeLessThanOrEqualTo((int)
                    (2 * WATCH.toSeconds()));
        }
    }

    /** An inbox with a webhook, a draft for tomorrow, and an event in a calendar. */
    private static void plan(HttpProbe http, int number, FakeEndpoint endpoint) {
        String inbox = http.post("/v0/inboxes", json("username", "plan" + number))
                .is(200)
                .text("inbox_id");
        http.post("/v0/webhooks", """
                {"url":"%s","event_types":["message.received",
                "message.received.unauthenticated"]}""".formatted(endpoint.url("/"))).is(200);
        Instant tomorrow = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
        http.post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json("to", List.of("ann@elsewhere.test"), "text", "Hi", "send_at", tomorrow.toString()))
                .is(200);
        http.post(
                        "/v0/inboxes/" + inbox + "/calendar/events",
                        json("title", "Call", "start", "2040-01-02T09:00:00", "end", "2040-01-02T09:30:00"))
                .is(201);
    }

    /** Nothing has changed since the last look at any organization, and nothing is due within the watch. */
    private boolean isQuiet() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select 1 as one from due_work d where d.kind = 'change'"
                                + " or d.due_at < {now} + interval '1 hour' limit 1")
                        .first(row -> row.integer("one")))
                .isEmpty();
    }
}
