package dev.inboxd.chaos;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestPostgres;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of two processes, of which one is killed while it walks (sandbox.md §1). */
class ClockProcessesHttpTest {
    private static final int DRAFTS = 60;

    @TempDir
    private static Path folder;

    @Test
    @Tag("long")
    void aWalkThatIsKilledGoesOnWhereItCameAndEverythingIsDoneOnce() throws Exception {
        NodeCluster cluster = new NodeCluster(folder, TestPostgres.setting(TestPostgres.database()));
        Service one = cluster.start("one", Map.of());
        Service doomed = cluster.start("doomed", Map.of());
        try {
            HttpProbe http = HttpProbe.of(one.httpPort(), one.key());
            String inbox =
                    http.post("/v0/inboxes", json("username", "walk")).is(200).text("inbox_id");
            Instant begun = now(http);
            for (int hour = 1; hour <= DRAFTS; hour++) {
                String at = begun.plus(Duration.ofHours(hour)).toString();
                http.post(
                                "/v0/inboxes/" + inbox + "/drafts",
                                json("to", "jo@elsewhere.example", "text", "Hi", "send_at", at))
                        .is(200);
            }
            killedOnTheWay(doomed, http, begun);
            Instant came = now(http);
            assertThat(came).isAfter(begun.plus(Duration.ofHours(2))).isBefore(begun.plus(Duration.ofDays(3)));
            HttpProbe.Answer end = http.post(
                            "/sandbox/clock",
                            json("set", begun.plus(Duration.ofDays(3)).toString()))
                    .is(200);
            assertThat(end.at("settled")).isEqualTo(true);
            assertThat(http.get("/v0/inboxes/" + inbox + "/messages?limit=100")
                            .is(200)
                            .list("messages"))
                    .hasSize(DRAFTS);
            assertThat(http.get("/v0/inboxes/" + inbox + "/drafts").is(200).list("drafts"))
                    .isEmpty();
            Service again = cluster.start("again", Map.of());
            try {
                assertThat(now(HttpProbe.of(again.httpPort(), null))).isAfterOrEqualTo(begun.plus(Duration.ofDays(3)));
            } finally {
                again.kill();
            }
        } finally {
            doomed.kill();
            one.kill();
        }
    }

    private static Instant now(HttpProbe http) {
        return Instant.parse(http.get("/sandbox/clock").is(200).text("now"));
    }

    private static void killedOnTheWay(Service doomed, HttpProbe other, Instant begun) throws Exception {
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            HttpProbe walker = HttpProbe.of(doomed.httpPort(), null);
            Future<?> walk = threads.submit(() -> {
                try {
                    walker.post("/sandbox/clock", json("advance", "P3D"));
                } catch (UncheckedIOException killed) {
                    // as it should be
                }
            });
            Eventually.await(Duration.ofMinutes(1), () -> now(other).isAfter(begun.plus(Duration.ofHours(2))));
            doomed.kill();
            walk.get();
        }
    }
}
