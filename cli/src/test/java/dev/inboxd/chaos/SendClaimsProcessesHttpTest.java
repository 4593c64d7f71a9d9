package dev.inboxd.chaos;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A send with an Idempotency-Key whose process dies or freezes in the middle of it: a repeat at another process is
 * answered within ten seconds, and there is one message. The send waits for a file that it names by URL.
 */
class SendClaimsProcessesHttpTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private final FakeEndpoint files = FakeEndpoint.start();
    private final CountDownLatch held = new CountDownLatch(1);
    private Database database;
    private Service first;
    private Service second;
    private HttpProbe there;
    private HttpProbe here;
    private String path;
    private String body;

    @BeforeEach
    void start() {
        Database.Location location = TestPostgres.database();
        NodeCluster cluster = new NodeCluster(folder, TestPostgres.setting(location));
        first = cluster.start("first", Map.of());
        second = cluster.start("second", Map.of());
        database = new Database(location, null);
        String key = UUID.randomUUID().toString();
        there = HttpProbe.of(first.httpPort(), first.key()).with("Idempotency-Key", key);
        here = HttpProbe.of(second.httpPort(), first.key()).with("Idempotency-Key", key);
        String inbox = HttpProbe.of(first.httpPort(), first.key())
                .post("/v0/inboxes", json("username", "sender"))
                .is(200)
                .text("inbox_id");
        path = "/v0/inboxes/" + inbox + "/messages/send";
        body = """
                {"to":"ann@elsewhere.test","text":"Hi",\
                "attachments":[{"url":"%s"}]}""".formatted(files.url("/report.txt"));
        files.then(FakeEndpoint.after(held, FakeEndpoint.respond(200, "", "first")));
        files.always(FakeEndpoint.respond(200, "", "second"));
    }

    @AfterEach
    void stop() throws IOException {
        held.countDown();
        for (Service each : new Service[] {first, second}) {
            if (each.isAlive()) {
                each.terminate(Duration.ofSeconds(60));
            }
        }
        database.close();
        files.close();
    }

    @Test
    @Tag("long")
    @Proves({"P4", "P8b"})
    void aRepeatOfASendWhoseProcessWasKilledIsAnsweredWithinTenSeconds() {
        CompletableFuture<Integer> lost = begun();
        assertThat(here.post(path, body).status()).as("the first is at it").isEqualTo(409);
        first.kill();
        assertAnsweredInTime();
        assertThat(messages()).isOne();
        assertThat(lost).isCompletedExceptionally();
    }

    @Test
    @Proves({"P4", "P8b"})
    void aProcessThatWasFrozenInTheMiddleOfASendThatWasRepeatedElsewhereSendsNothing() {
        CompletableFuture<Integer> frozen = begun();
        first.freeze();
        try {
            assertAnsweredInTime();
            held.countDown();
        } finally {
            first.thaw();
        }
        assertThat(frozen.orTimeout(30, TimeUnit.SECONDS).join()).isNotEqualTo(200);
        assertThat(messages()).isOne();
        // And its own repeat there hears of the one message.
        assertThat(there.post(path, body).is(200).text("message_id"))
                .isEqualTo(here.post(path, body).is(200).text("message_id"));
        assertThat(messages()).isOne();
    }

    /** A send at the first process, which has claimed its key and waits for the file. */
    private CompletableFuture<Integer> begun() {
        CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
                () -> there.post(path, body).status(),
                Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory()));
        files.take();
        return status;
    }

    private void assertAnsweredInTime() {
        Instant from = Instant.now();
        AtomicReference<HttpProbe.Answer> answer = new AtomicReference<>();
        Eventually.await(Duration.ofSeconds(70), () -> {
            HttpProbe.Answer next = here.post(path, body);
            answer.set(next);
            return next.status() != 409;
        });
        answer.get().is(200);
        assertThat(Duration.between(from, Instant.now())).isLessThan(LIMIT);
    }

    private int messages() {
        return database.read(tx -> tx.sqlAcrossTenants("select count(*) as n from message m where m.outgoing")
                .single(row -> row.integer("n")));
    }
}
