package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.ANY_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A list walked page by page, and its tokens tried elsewhere. */
class PagingHttpTest {
    private static final Semaphore MADE = new Semaphore(0);
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(table -> {
            table.at(Level.ORGANIZATION).get(ANY_KEY, "/numbers", PagingHttpTest::numbers);
            table.at(Level.ORGANIZATION).get(ANY_KEY, "/others", PagingHttpTest::numbers);
            table.at(Level.INBOX).get(ANY_KEY, "/numbers", PagingHttpTest::numbers);
            table.at(Level.ORGANIZATION).get(ANY_KEY, "/many", PagingHttpTest::many);
            table.at(Level.ORGANIZATION).post(ANY_KEY, "/both", request -> {
                request.query().flag("flag", false);
                request.body().string("name").required();
                request.body().check();
                throw Problem.of(ErrorCode.CONFLICT, "not reached");
            });
        });
    }

    /** The numbers below ten, perhaps only the even ones. */
    private static Response numbers(Request request) {
        boolean even = request.query().flag("even", false);
        PageRequest page = request.page(PageLimit.list(5));
        Cursor after = page.after();
        List<Integer> rows = IntStream.range(0, 10)
                .map(i -> page.ascending() ? i : 9 - i)
                .filter(i -> !even || i % 2 == 0)
                .filter(i -> after == null || (page.ascending() ? i > after.number(0) : i < after.number(0)))
                .limit(page.fetch())
                .boxed()
                .toList();
        return Response.ok(page.listing("numbers", page.slice(rows, Cursor::of), i -> JsonObject.of("n", i)));
    }

    /** A page of many that is made for as long as the test likes. */
    private static Response many(Request request) {
        request.page(PageLimit.list(500));
        MADE.acquireUninterruptibly();
        return Response.ok();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void resetClock() {
        server.now.set(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    @Proves("P15")
    void largePagesAreMadeAFewAtATimeAndAllAreAnswered() throws InterruptedException {
        long room = Math.max(HeapShare.ANSWERS.octets(), BodyLimit.ATTACHMENTS.bytes());
        int most = (int) (room / (500 * 16 * 1024 - 256 * 1024));
        AtomicInteger answered = new AtomicInteger();
        List<Thread> clients = IntStream.range(0, most + 20)
                .mapToObj(_ -> Thread.startVirtualThread(() -> {
                    server.as("organization").get("/v0/many?limit=500").is(200);
                    answered.incrementAndGet();
                }))
                .toList();
        Eventually.await(() -> MADE.getQueueLength() >= most);
        server.as("organization").get("/v0/numbers?limit=3").is(200);
        assertThat(MADE.getQueueLength()).isEqualTo(most);
        assertThat(answered.get()).isZero();
        MADE.release(clients.size());
        for (Thread client : clients) {
            client.join();
        }
        assertThat(answered.get()).isEqualTo(clients.size());
    }

    @Test
    @Proves("P20")
    void aWalkGivesEverythingOnceInEitherDirection() {
        assertThat(walk("limit=3")).containsExactly(9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L, 0L);
        assertThat(walk("limit=3&ascending=true&even=1")).containsExactly(0L, 2L, 4L, 6L, 8L);
        assertThat(walk("limit=5")).hasSize(10);
    }

    private static List<Object> walk(String query) {
        List<Object> seen = new ArrayList<>();
        String token = "";
        do {
            var answer = server.as("organization")
                    .get("/v0/numbers?" + query + "&page_token=" + token)
                    .is(200);
            answer.list("numbers").forEach(item -> seen.add(((Map<?, ?>) item).get("n")));
            assertThat(answer.at("count"))
                    .isEqualTo((long) answer.list("numbers").size());
            token = String.valueOf(answer.at("next_page_token"));
        } while (!token.equals("null"));
        return seen;
    }

    @Test
    @Proves("P20")
    void aTokenOpensNothingElse() {
        String token =
                server.as("organization").get("/v0/numbers?limit=2").is(200).text("next_page_token");
        server.as("organization")
                .get("/v0/numbers?limit=4&unknown=1&page_token=" + token)
                .is(200);
        refused(server.as("organization"), "/v0/numbers?even=true&page_token=" + token);
        refused(server.as("organization"), "/v0/numbers?ascending=true&page_token=" + token);
        refused(server.as("organization"), "/v0/others?page_token=" + token);
        refused(server.as("organization"), "/v0/inboxes/a@b.c/numbers?page_token=" + token);
        refused(server.as("other"), "/v0/numbers?page_token=" + token);
        refused(server.as("inbox"), "/v0/numbers?page_token=" + token);
        refused(server.as("organization"), "/v0/numbers?page_token=x" + token);
        server.now.updateAndGet(now -> now.plus(Duration.ofHours(25)));
        refused(server.as("organization"), "/v0/numbers?page_token=" + token);
    }

    private static void refused(HttpProbe probe, String path) {
        var answer = probe.get(path).is(400);
        assertThat(answer.at("code")).isEqualTo("validation_error");
        assertThat(answer.list("errors.0.path")).isEqualTo(List.of("page_token"));
    }

    @Test
    void aLimitIsClampedAndShownOrRefused() {
        assertThat(server.as("organization")
                        .get("/v0/numbers?limit=500")
                        .is(200)
                        .at("limit"))
                .isEqualTo(5L);
        assertThat(server.as("organization").get("/v0/numbers?limit=0").is(400).list("errors.0.path"))
                .isEqualTo(List.of("limit"));
    }

    @Test
    void faultsOfQueryAndBodyAreToldTogether() {
        assertThat(server.as("organization")
                        .post("/v0/both?flag=maybe", "{}")
                        .is(400)
                        .list("errors"))
                .hasSize(2);
    }
}
