package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.ANY_KEY;
import static dev.inboxd.base.access.Gate.PUBLIC;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes on the wire: what is not HTTP, what is too much of it, and what must stay open or close. */
class ProtocolHttpTest {
    private static final String KEY = "Authorization: Bearer organization\r\n";
    private static final BlockingQueue<Boolean> ANSWERED = new LinkedBlockingQueue<>();
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(table -> {
            Routes organization = table.at(Level.ORGANIZATION);
            organization.get(PUBLIC, "/open", request -> Response.ok(Map.of("open", true)));
            organization.post(
                    ANY_KEY,
                    "/echo",
                    request -> Response.ok(JsonObject.of("names", request.body().names())));
            organization.post(ANY_KEY, "/ids/{id}", request -> Response.ok(JsonObject.of("id", request.path("id"))));
            organization.post(ANY_KEY, "/send", BodyLimit.ATTACHMENTS, request -> {
                request.body();
                return Response.ok();
            });
            organization.get(
                    PUBLIC,
                    "/stream",
                    request -> Response.stream(
                                    "application/octet-stream", 300_000, new ByteArrayInputStream(new byte[300_000]))
                            .header("X-More", "yes"));
            organization.get(
                    PUBLIC,
                    "/short",
                    request -> Response.stream(
                            "application/octet-stream", 300_000, new ByteArrayInputStream(new byte[100_000])));
            organization.get(PUBLIC, "/hook", request -> {
                request.onAnswered(ANSWERED::add);
                return Response.ok();
            });
        });
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Map<String, String> broken() {
        String host = "Host: x\r\n";
        return Map.ofEntries(
                Map.entry("garbage", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"),
                Map.entry("no version", "GET /v0/open\r\n\r\n"),
                Map.entry("a version that does not exist", "GET /v0/open HTTP/1.7\r\n" + host + "\r\n"),
                Map.entry("a space in the target", "GET /v0/ open HTTP/1.1\r\n" + host + "\r\n"),
                Map.entry("no Host", "GET /v0/open HTTP/1.1\r\n\r\n"),
                Map.entry("two Hosts", "GET /v0/open HTTP/1.1\r\n" + host + host + "\r\n"),
                Map.entry("a folded field", "GET /v0/open HTTP/1.1\r\n" + host + "X-A: 1\r\n 2\r\n\r\n"),
                Map.entry("a bare LF", "GET /v0/open HTTP/1.1\n" + host + "\r\n"),
                Map.entry("bare LFs only", "GET /v0/open HTTP/1.1\nHost: x\n\n"),
                Map.entry("a field without a colon", "GET /v0/open HTTP/1.1\r\n" + host + "X-A\r\n\r\n"),
                Map.entry("a space before the colon", "GET /v0/open HTTP/1.1\r\n" + host + "X-A : 1\r\n\r\n"),
                Map.entry("a NUL in a field", "GET /v0/open HTTP/1.1\r\n" + host + "X-A: a\u0000b\r\n\r\n"),
                Map.entry(
                        "two lengths",
                        "POST /v0/echo HTTP/1.1\r\n" + host + KEY
                                + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x"),
                Map.entry(
                        "a negative length", "POST /v0/echo HTTP/1.1\r\n" + host + KEY + "Content-Length: -1\r\n\r\n"),
                Map.entry(
                        "a length beside chunks",
                        "POST /v0/echo HTTP/1.1\r\n" + host + KEY
                                + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                Map.entry(
                        "chunks that are not last",
                        "POST /v0/echo HTTP/1.1\r\n" + host + KEY
                                + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n"),
                Map.entry(
                        "a broken chunk size",
                        "POST /v0/echo HTTP/1.1\r\n" + host + KEY
                                + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
                Map.entry(
                        "a chunk that ends in LF",
                        "POST /v0/echo HTTP/1.1\r\n" + host + KEY + "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n"),
                Map.entry(
                        "a body that is cut",
                        "POST /v0/echo HTTP/1.1\r\n" + host + KEY + "Content-Length: 9\r\n\r\n{}"));
    }

    @ParameterizedTest
    @Proves("A39")
    @MethodSource("brokenNames")
    void whatIsNotHttpIsAnsweredInOurFormAndTheConnectionCloses(String name) throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send(String.valueOf(broken().get(name)));
            if (name.equals("a body that is cut")) {
                socket.end();
            }
            RawSocket.Answer answer = socket.answer();
            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.header())
                    .contains("application/json", "X-Request-Id: req_", "Connection: close")
                    .doesNotContain("Jetty");
            assertThat(answer.body())
                    .contains(members("code", "validation_error"), "\"docs\":")
                    .doesNotContain("jetty");
            assertThat(Json.parse(answer.body().getBytes(StandardCharsets.UTF_8)))
                    .isNotNull();
            assertThat(socket.rest()).isEmpty();
        }
    }

    static List<String> brokenNames() {
        return broken().keySet().stream().sorted().toList();
    }

    @Test
    @Proves("A39")
    void aHeaderBeyondTwentyFourKibibytesIsRefused() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("GET /v0/open HTTP/1.1\r\nHost: x\r\nX-A: " + "a".repeat(30_000) + "\r\n\r\n");
            RawSocket.Answer answer = socket.answer();
            assertThat(answer.status()).isEqualTo(431);
            assertThat(answer.body()).contains("validation_error", "24576");
        }
    }

    @Test
    void aLongRequestLineIsRefused() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("GET /v0/open?a=" + "a".repeat(30_000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
            RawSocket.Answer answer = socket.answer();
            assertThat(answer.status()).isIn(414, 431);
            assertThat(answer.body()).contains("validation_error", "24576");
        }
    }

    @Test
    void aConnectionServesManyRequestsAlsoPipelinedOnes() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            String request = "GET /v0/open HTTP/1.1\r\nHost: x\r\n\r\n";
            socket.send(request.repeat(5));
            for (int i = 0; i < 5; i++) {
                assertThat(socket.answer().status()).isEqualTo(200);
            }
            socket.send("GET /v0/nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(socket.answer().status()).isEqualTo(404);
            socket.send(request);
            assertThat(socket.answer().body()).isEqualTo(json("open", true));
        }
    }

    @Test
    @Proves("A29")
    void aKeyIsNotTakenForTheOneBeforeItThatDiffersOnlyByCase() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            String request = "POST /v0/ids/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nAuthorization: ";
            for (String other : List.of("Bearer ORGANIZATION", "bearer organization")) {
                socket.send(request + "Bearer organization\r\n\r\n");
                assertThat(socket.answer().status()).isEqualTo(200);
                socket.send(request + other + "\r\n\r\n");
                assertThat(socket.answer().status()).isEqualTo(401);
            }
        }
    }

    @Test
    void aBodyAnnouncedTooLargeIsRefusedUnread() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\n" + KEY + "Content-Length: 1048577\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            RawSocket.Answer answer = socket.answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body()).contains("payload_too_large", "1048576");
        }
    }

    @Test
    void theKeyIsAskedForBeforeTheSize() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n");
            assertThat(socket.answer().status()).isEqualTo(401);
        }
    }

    @Test
    void aBodyThatComesBehindItsAnswerDoesNotEndTheConnection() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            for (int i = 0; i < 3; i++) {
                socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n");
                RawSocket.Answer refused = socket.answer();
                assertThat(refused.status()).isEqualTo(401);
                assertThat(refused.header()).doesNotContain("Connection: close");
                socket.send("{\"a\":1} ");
            }
            socket.send("POST /v0/nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");
            assertThat(socket.answer().status()).isEqualTo(404);
            socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\n" + KEY + "Content-Length: 7\r\n\r\n{\"a\":1}");
            assertThat(socket.answer().body()).isEqualTo(json("names", List.of("a")));
        }
    }

    @Test
    void aBodyThatIsNotWaitedForEndsTheConnectionAndTheAnswerSaysSo() throws IOException {
        for (String announced : List.of(
                "Content-Length: 900000", "Transfer-Encoding: chunked", "Content-Length: 8\r\nExpect: 100-continue")) {
            try (RawSocket socket = new RawSocket(server.port())) {
                socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\n" + announced + "\r\n\r\n");
                RawSocket.Answer refused = socket.answer();
                assertThat(refused.status()).isEqualTo(401);
                assertThat(refused.header()).as(announced).contains("Connection: close");
                assertThat(socket.rest()).isEmpty();
            }
        }
    }

    @Test
    @Tag("long")
    void aRouteForAttachmentsRefusesWithTheBareBody() {
        String large = json("a", "x".repeat(7 << 20));
        var answer = server.as("organization").post("/v0/send", large).is(413);
        assertThat(answer.text()).isEqualTo(json("message", "Request Entity Too Large"));
        server.as("organization")
                .post("/v0/send", json("a", "x".repeat(5 << 20)))
                .is(200);
    }

    @Test
    void chunksAreCutAtTheLimit() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\n" + KEY + "Transfer-Encoding: chunked\r\n\r\n");
            String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
            for (int i = 0; i < 17; i++) {
                socket.send(chunk);
            }
            socket.send("0\r\n\r\n");
            RawSocket.Answer answer = socket.answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.header()).contains("Connection: close");
        }
    }

    @Test
    @Tag("long")
    void aBodyOfExactlyTheLimitIsTakenWholeOrInChunks() throws IOException {
        String body = json("a", "x".repeat((1 << 20) - 8));
        server.as("organization").post("/v0/echo", body).is(200);
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\n" + KEY + "Transfer-Encoding: chunked\r\n\r\n"
                    + "100000\r\n" + body + "\r\n0\r\n\r\n");
            assertThat(socket.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void noBodyAndNoContentTypeReadAsTheEmptyObject() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\n" + KEY + "Content-Length: 0\r\n\r\n");
            assertThat(socket.answer().body()).isEqualTo(json("names", List.of()));
            socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\n" + KEY + "\r\n");
            assertThat(socket.answer().body()).isEqualTo(json("names", List.of()));
            socket.send("POST /v0/echo HTTP/1.1\r\nHost: x\r\n" + KEY + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
            assertThat(socket.answer().body()).isEqualTo(json("names", List.of()));
        }
    }

    @Test
    @Proves("A39")
    void whatIsNotJsonAndACompressedBodyAreRefused() {
        var probe = server.as("organization");
        probe.with("Content-Type", "text/plain").post("/v0/echo", "{}").is(200);
        assertThat(probe.with("Content-Type", "text/plain")
                        .post("/v0/echo", "a=b")
                        .is(400)
                        .list("errors.0.path"))
                .isEqualTo(List.of("headers", "content-type"));
        assertThat(probe.with("Content-Encoding", "gzip")
                        .post("/v0/echo", "{}")
                        .is(400)
                        .list("errors.0.path"))
                .isEqualTo(List.of("headers", "content-encoding"));
        probe.with("Content-Type", "Application/JSON; charset=latin1")
                .post("/v0/echo", "{}")
                .is(200);
    }

    @Test
    void aPathIsSplitBeforeItIsDecodedAndDecodedOnce() {
        assertThat(server.as("organization")
                        .post("/v0/ids/%3CCAF%2Bx%3D%2Fy%25z%40mail.gmail.com%3E", "")
                        .is(200)
                        .at("id"))
                .isEqualTo("<CAF+x=/y%z@mail.gmail.com>");
        assertThat(server.as("organization")
                        .post("/v0/ids/a+b%252F..%2e", "")
                        .is(200)
                        .at("id"))
                .isEqualTo("a+b%2F...");
        assertThat(server.as("organization").post("/v0/ids/..;x=1", "").is(200).at("id"))
                .isEqualTo("..;x=1");
    }

    @Test
    void aBrokenEscapeInThePathIsABadRequest() throws IOException {
        for (String id : List.of("%", "%4", "%zz", "%c0%af", "%ed%a0%80", "a%00b", "\u00e4")) {
            try (RawSocket socket = new RawSocket(server.port())) {
                socket.send("POST /v0/ids/" + id + " HTTP/1.1\r\nHost: x\r\n" + KEY + "\r\n");
                RawSocket.Answer answer = socket.answer();
                assertThat(answer.status()).as(id).isEqualTo(400);
                assertThat(answer.body()).contains("validation_error", members("path", List.of()));
            }
        }
    }

    @Test
    void aStreamIsSentWholeWithItsHeaders() {
        var answer = server.as(null).get("/v0/stream").is(200);
        assertThat(answer.body()).hasSize(300_000);
        assertThat(answer.header("Content-Length")).isEqualTo("300000");
        assertThat(answer.header("X-More")).isEqualTo("yes");
    }

    @Test
    void aStreamThatEndsEarlyCutsTheConnection() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("GET /v0/short HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(socket.rest()).hasSizeLessThan(150_000);
        }
    }

    @Test
    @Proves("P5")
    void workForAfterTheAnswerRunsWhenItIsOut() throws Exception {
        server.as(null).get("/v0/hook").is(200);
        assertThat(ANSWERED.poll(20, TimeUnit.SECONDS)).isEqualTo(true);
    }

    @Test
    @Tag("long")
    void manyConnectionsAreServedAtOnce() throws Exception {
        CountDownLatch done = new CountDownLatch(200);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try (RawSocket socket = new RawSocket(server.port())) {
                    for (int j = 0; j < 10; j++) {
                        socket.send("GET /v0/open HTTP/1.1\r\nHost: x\r\n\r\n");
                        assertThat(socket.answer().body()).isEqualTo(json("open", true));
                    }
                    done.countDown();
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(done.getCount()).isZero();
    }
}
