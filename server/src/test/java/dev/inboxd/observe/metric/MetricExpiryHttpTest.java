package dev.inboxd.observe.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Old totals go, and no answer changes. */
class MetricExpiryHttpTest {
    private static int rows(World world, String table) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from " + table + " t")
                        .single(row -> row.integer("n")));
    }

    private static void mail(World world, String inbox, int number) {
        assertThat(world.mail("jo@example.com", inbox, "From: jo@example.com\nSubject: " + number + "\n\nHello.\n"))
                .startsWith("250");
    }

    /** Everything that can be asked about the oldest days and the newest. */
    private static List<Object> answers(World world, Instant now, String inbox) {
        List<Object> answers = new ArrayList<>();
        for (String scope : List.of("/v0", "/v0/inboxes/" + inbox)) {
            String range = "start=" + now.minus(Duration.ofDays(89)) + "&end=" + now;
            for (String query : List.of(
                    "events?period=86400&" + range, "usage?period=86400&" + range, "rates?period=86400&" + range)) {
                Answer answer = world.http().get(scope + "/metrics/" + query).is(200);
                answers.add(new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return answers;
    }

    /** By the organization's own totals it is found, so they go last. */
    @Test
    void aSweepThatIsStoppedAnywhereIsGoneOnWith() {
        try (World world = World.start()) {
            String inbox = world.inbox("counted");
            for (int week = 0; week < 4; week++) {
                mail(world, inbox, week);
                world.http().get("/v0/metrics/events").is(200);
                world.advance(Duration.ofDays(7));
            }
            int rows = rows(world, "metric_total");
            for (int looks = 0; looks < 10; looks++) {
                AtomicInteger left = new AtomicInteger(looks);
                sweep(world, () -> left.decrementAndGet() < 0);
            }
            sweep(world, () -> false);
            // Of the organization, its pod and its inbox the last one is left.
            assertThat(rows).isGreaterThan(3);
            assertThat(rows(world, "metric_total")).isEqualTo(3);
        }
    }

    private static void sweep(World world, BooleanSupplier stopping) {
        new MetricExpiry(world.database(), world.clock(), Duration.ofDays(1), stopping).sweep();
    }

    @Test
    void theLastTotalBeforeStaysAndWhatIsOlderGoes() {
        try (World world = World.start()) {
            String inbox = world.inbox("counted");
            String idle = world.inbox("idle");
            world.inbox("gone");
            mail(world, idle, 0);
            for (int day = 0; day < 30; day++) {
                mail(world, inbox, day);
                world.http().get("/v0/metrics/events").is(200);
                world.advance(Duration.ofDays(7));
            }
            world.http().delete("/v0/inboxes/gone@mail.localhost").is(200);
            world.http().get("/v0/metrics/events").is(200);
            Instant now = world.clock().instant();
            List<Object> before = answers(world, now, inbox);
            int rows = rows(world, "metric_total");
            MetricExpiry expiry = new MetricExpiry(world.database(), world.clock(), Duration.ofDays(125), () -> false);
            expiry.sweep();
            assertThat(answers(world, now, inbox)).isEqualTo(before);
            // 18 of 30 weeks are younger; of the inbox that is idle its only total stays.
            assertThat(rows(world, "metric_total")).isLessThan(rows - 20).isGreaterThan(3 * 18);
            assertThat(rows(world, "departure")).isOne();
            int left = rows(world, "metric_total");
            expiry.sweep();
            assertThat(rows(world, "metric_total")).isEqualTo(left);

            world.advance(Duration.ofDays(126));
            new MetricExpiry(world.database(), world.clock(), Duration.ofDays(125), () -> false).sweep();
            assertThat(rows(world, "departure")).isZero();
            assertThat(rows(world, "metric_total")).isEqualTo(4);
            assertThat(world.http()
                            .get("/v0/metrics/usage?usage_types=message_count")
                            .is(200)
                            .at("message_count.0.value"))
                    .isEqualTo(31L);
        }
    }
}
