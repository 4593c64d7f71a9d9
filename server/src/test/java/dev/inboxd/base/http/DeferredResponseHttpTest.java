package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.ANY_KEY;
import static dev.inboxd.base.access.Gate.PUBLIC;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests that are answered later, and hold no thread until then. */
class DeferredResponseHttpTest {
    private static final ConnectionLimits.Limits HASTY =
            new ConnectionLimits.Limits(Duration.ofSeconds(1), 10, Duration.ofSeconds(30), Duration.ofSeconds(1));
    private static final String GET = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n";

    private final BlockingQueue<Rest> resting = new LinkedBlockingQueue<>();
    private final CompletableFuture<Thread> handled = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private volatile Supplier<Response> answer = () -> Response.ok(Map.of("late", true));

    private record Rest(Runnable resume) {}

    private final class Later implements DeferredResponse {
        @Override
        public void park(Runnable resume) {
            resting.add(new Rest(resume));
        }

        @Override
        public Response poll() {
            assertThat(Thread.currentThread().isVirtual()).isTrue();
            @Nullable Response found = answer.get();
            return found == null ? Response.later(this) : found;
        }

        @Override
        public void disconnected() {
            gone.complete(null);
        }
    }

    private TestServer server(ConnectionLimits.Limits limits) {
        return new TestServer(
                table -> {
                    table.at(Level.ROOT).get(PUBLIC, "/later", _ -> {
                        handled.complete(Thread.currentThread());
                        return Response.later(new Later());
                    });
                    table.at(Level.ROOT).get(PUBLIC, "/open", _ -> Response.ok(Map.of("open", true)));
                },
                limits);
    }

    private void resume() throws InterruptedException {
        Rest rest = resting.poll(20, TimeUnit.SECONDS);
        assertThat(rest).isNotNull();
        if (rest != null) {
            rest.resume.run();
        }
    }

    /** How many requests were answered so. */
    private static void assertAnswered(TestServer server, int status, int times) {
        new OperatorHttp(new OperatorHttp.Health(() -> null, () -> null), server.metrics)
                .mountMetrics(server.table.at(Level.ROOT));
        assertThat(server.as(null).get("/metrics").is(200).text())
                .contains("inboxd_http_requests_seconds_count{method=\"GET\"," + "route=\"/later\",status=\"" + status
                        + "\"} " + times + "\n");
    }

    /** Thousands wait at the same time, and what each path names would be as many times in memory. */
    @Test
    void whatThePathNamesIsThereUntilTheRequestRests() throws Exception {
        BlockingQueue<String> found = new LinkedBlockingQueue<>();
        try (TestServer server = new TestServer(
                        table -> table.at(Level.INBOX).get(ANY_KEY, "/later", request -> {
                            found.add(request.resolved(String.class) + " " + request.resolved(Integer.class));
                            answer = () -> {
                                found.add(request.view().inbox() + " " + request.resolved(String.class));
                                request.replay();
                                found.add(request.view().inbox() + " " + request.resolved(String.class));
                                return Response.ok();
                            };
                            return Response.later(new Later());
                        }),
                        ConnectionLimits.Limits.USUAL);
                RawSocket socket = new RawSocket(server.port())) {
            socket.send(
                    "GET /v0/inboxes/a@b.c/later HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer organization\r\n\r\n");
            resume();
            assertThat(socket.answer().header()).startsWith("HTTP/1.1 200");
            assertThat(found).containsExactly("a@b.c null", TestServer.INBOX + " null", TestServer.INBOX + " null");
        }
    }

    @Test
    @Proves("P15a")
    void aRequestThatWaitsHoldsNoThreadAndIsAnsweredOnce() throws Exception {
        try (TestServer server = server(ConnectionLimits.Limits.USUAL);
                RawSocket socket = new RawSocket(server.port())) {
            socket.send(GET);
            Thread first = handled.get(20, TimeUnit.SECONDS);
            assertThat(first.join(Duration.ofSeconds(20)))
                    .as("its thread has ended")
                    .isTrue();
            answer = () -> null;
            resume(); // nothing was found, so it rests again
            Rest rest = resting.poll(20, TimeUnit.SECONDS);
            assertThat(rest).isNotNull();
            answer = () -> Response.ok(Map.of("late", true));
            resting.add(rest);
            resume();
            RawSocket.Answer late = socket.answer();
            assertThat(late.body()).isEqualTo(json("late", true));
            assertThat(late.header()).contains("X-Request-Id: ").doesNotContain("Connection: close");
            socket.send("GET /open HTTP/1.1\r\nHost: x\r\n\r\n"); // the connection goes on
            assertThat(socket.answer().body()).isEqualTo(json("open", true));
            assertAnswered(server, 200, 1);
        }
    }

    @Test
    void whatIsThrownLaterIsAnsweredAsAtOnce() throws Exception {
        try (TestServer server = server(ConnectionLimits.Limits.USUAL);
                RawSocket socket = new RawSocket(server.port())) {
            answer = () -> {
                throw Problem.of(ErrorCode.FORBIDDEN, "Not any more");
            };
            socket.send(GET);
            resume();
            assertThat(socket.answer().status()).isEqualTo(403);
            answer = () -> {
                throw new IllegalStateException("broken");
            };
            socket.send(GET);
            resume();
            assertThat(socket.answer().status()).isEqualTo(500);
            assertAnswered(server, 403, 1);
        }
    }

    @Test
    @Tag("long")
    @Proves("P15a")
    void aConnectionWhoseRequestWaitsIsNotIdle() throws Exception {
        try (TestServer server = server(HASTY);
                RawSocket socket = new RawSocket(server.port())) {
            socket.send(GET);
            handled.get(20, TimeUnit.SECONDS);
            outlast(server);
            resume();
            assertThat(socket.answer().body()).isEqualTo(json("late", true));
        }
    }

    @Test
    @Tag("long")
    @Proves("P15a")
    void aStreamWhoseRequestWaitsIsNotIdle() throws Exception {
        try (TestServer server = server(HASTY);
                RawHttp2 client = new RawHttp2(server.port())) {
            client.get(1, "/later");
            handled.get(20, TimeUnit.SECONDS);
            outlast(server);
            resume();
            assertThat(client.data()).isEqualTo(json("late", true));
        }
    }

    /** Until several connections that began later were closed because nothing was said on them. */
    private static void outlast(TestServer server) throws IOException {
        for (int i = 0; i < 2; i++) {
            try (RawSocket silent = new RawSocket(server.port())) {
                assertThat(silent.rest()).isEmpty();
            }
        }
    }

    @Test
    void whoseStreamIsResetIsToldOf() throws Exception {
        try (TestServer server = server(ConnectionLimits.Limits.USUAL);
                RawHttp2 client = new RawHttp2(server.port())) {
            client.get(1, "/later");
            handled.get(20, TimeUnit.SECONDS).join();
            client.cancel(1);
            gone.get(20, TimeUnit.SECONDS);
            resume(); // into nothing
            client.get(3, "/open");
            assertThat(client.data()).isEqualTo(json("open", true));
        }
    }

    @Test
    void whoseConnectionIsCutIsToldOf() throws Exception {
        try (TestServer server = server(ConnectionLimits.Limits.USUAL)) {
            try (RawHttp2 client = new RawHttp2(server.port())) {
                client.get(1, "/later");
                handled.get(20, TimeUnit.SECONDS).join();
            }
            gone.get(20, TimeUnit.SECONDS);
            resume();
            server.as(null).get("/open").is(200);
        }
    }

    @Test
    @Proves("P16")
    void theServerStopsOnlyWhenItIsAnswered() throws Exception {
        TestServer server = server(ConnectionLimits.Limits.USUAL);
        int port = server.port();
        CompletableFuture<HttpProbe.Answer> late =
                CompletableFuture.supplyAsync(() -> server.as(null).get("/later"));
        handled.get(20, TimeUnit.SECONDS).join();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);
        Eventually.await(() -> !isOpen(port));
        assertThat(stopped.isDone()).isFalse();
        resume();
        assertThat(late.get(20, TimeUnit.SECONDS).is(200).at("late")).isEqualTo(true);
        stopped.get(20, TimeUnit.SECONDS);
    }

    private static boolean isOpen(int port) {
        try (RawSocket _ = new RawSocket(port)) {
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
