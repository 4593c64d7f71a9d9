package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.PUBLIC;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Stopping, and what an operator can ask. */
class StopHttpTest {
    @Test
    @Proves("P16")
    void aRequestInFlightIsAnsweredBeforeTheServerStops() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        TestServer server = new TestServer(table -> table.at(Level.ROOT).get(PUBLIC, "/slow", request -> {
            entered.countDown();
            try {
                assertThat(leave.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            return Response.ok(Map.of("slow", true));
        }));
        int port = server.port();
        CompletableFuture<HttpProbe.Answer> answer =
                CompletableFuture.supplyAsync(() -> server.as(null).get("/slow"));
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (accepts(port)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        assertThat(stopped.isDone()).isFalse();
        leave.countDown();
        assertThat(answer.get(20, TimeUnit.SECONDS).is(200).at("slow")).isEqualTo(true);
        stopped.get(20, TimeUnit.SECONDS);
        assertThatThrownBy(() -> new RawSocket(port).close()).isInstanceOf(IOException.class);
    }

    private static boolean accepts(int port) {
        try (RawSocket socket = new RawSocket(port)) {
            socket.end();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void healthTellsTheReasonAndMetricsCountByTemplate() {
        AtomicReference<String> reason = new AtomicReference<>("the database is starting");
        try (TestServer server = new TestServer(table -> {})) {
            OperatorHttp.Health health = new OperatorHttp.Health(
                    () -> reason.get().isEmpty() ? null : reason.get(), () -> "the blob store is away");
            OperatorHttp operator = new OperatorHttp(health, server.metrics);
            operator.mountHealth(server.table.at(Level.ROOT));
            operator.mountMetrics(server.table.at(Level.ROOT));
            server.table.at(Level.ROOT).get(PUBLIC, "/things/{id}", request -> Response.ok(JsonObject.of("a", 1)));
            assertThat(server.as(null).get("/healthz").is(503).at("reason")).isEqualTo("the database is starting");
            reason.set("");
            assertThat(server.as(null).get("/healthz").is(200).text()).isEqualTo(json("status", "ok"));
            for (String query : List.of("deep", "deep=", "deep=true")) {
                assertThat(server.as(null).get("/healthz?" + query).is(503).at("reason"))
                        .isEqualTo("the blob store is away");
            }
            server.as(null).get("/healthz?deep=false").is(200);
            server.as(null).get("/things/secret").is(200);
            server.as(null).get("/nowhere/secret").is(404);
            String text = server.as(null).get("/metrics").is(200).text();
            assertThat(text)
                    .contains("inboxd_http_requests_seconds_count{method=\"GET\",route=\"/things/{id}\","
                            + "status=\"200\"} 1")
                    .contains("route=\"none\",status=\"404\"")
                    .doesNotContain("secret");
        }
    }
}
