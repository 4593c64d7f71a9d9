package dev.inboxd.mcp;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The tool that waits for a message: events meanwhile, its end, and clients that give up or go away. */
class McpWaitHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        world.dns().text("example.com", "v=spf1 ip4:127.0.0.1 -all");
        threads = Executors.newVirtualThreadPerTaskExecutor();
    }

    @AfterAll
    static void stop() {
        threads.close();
    }

    private static boolean areWaiting(int count) {
        return world.anonymous().get("/metrics").is(200).text().contains("\ninboxd_waits " + count + ".0\n");
    }

    private static void mail(String inbox, String text) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: Your code\n\n" + text + "\n"))
                .startsWith("250");
    }

    private static String call(String inbox, String arguments, String meta) {
        return Json.text(JsonObject.of("jsonrpc", "2.0")
                .with("id", 9)
                .with("method", "tools/call")
                .with(
                        "params",
                        JsonObject.of("name", "wait_for_message")
                                .with("arguments", Json.stored("""
                {"inboxId":"%s"%s}""".formatted(inbox, arguments)))
                                .with("_meta", Json.stored(meta))));
    }

    /** The messages of an answer of server-sent events. */
    private static List<String> events(Answer answer) {
        return answer.text()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring(6))
                .toList();
    }

    @Test
    void progressIsToldUntilTheMessageComesWithItsCode() {
        String inbox = world.inbox("progress");
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(
                () -> world.http()
                        .with("Accept", "application/json, text/event-stream")
                        .post(
                                "/mcp",
                                call(
                                        inbox,
                                        "," + members("extract", List.of("code"), "timeout", 25),
                                        json("progressToken", "p"))),
                threads);
        Eventually.await(() -> areWaiting(1));
        mail(inbox, "Your code is 481516");
        Answer answer = waiting.join().is(200);
        assertThat(answer.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(answer.header("X-Accel-Buffering")).isEqualTo("no");
        List<String> events = events(answer);
        assertThat(events.getFirst())
                .contains(
                        members("method", "notifications/progress"),
                        members("progressToken", "p"),
                        members("total", 25));
        assertThat(events.getLast())
                .contains(
                        members("id", 9),
                        members("code", "481516"),
                        members("isError", false),
                        members("fromAddress", "jo@example.com"));
        Eventually.await(() -> areWaiting(0));
    }

    @Test
    void aClientThatTakesJsonAloneGetsJson() {
        String inbox = world.inbox("json");
        Answer answer = world.http()
                .with("Accept", "application/json")
                .post("/mcp", call(inbox, "," + members("timeout", 1), json("progressToken", 1)))
                .is(200);
        assertThat(answer.at("result.structuredContent.message")).isNull();
        assertThat(answer.text("result.structuredContent.nextCursor")).isNotEmpty();
    }

    @Test
    void whatIsThereAlreadyIsAnsweredAtOnce() {
        String inbox = world.inbox("there");
        mail(inbox, "Your code is 271828");
        Answer answer = world.http()
                .with("Accept", "application/json, text/event-stream")
                .post(
                        "/mcp",
                        call(inbox, "," + members("since", "2000-01-01T00:00:00Z", "extract", List.of("code")), "{}"))
                .is(200);
        assertThat(answer.at("result.structuredContent.message.extracted.code")).isEqualTo("271828");
    }

    @Test
    @Tag("long")
    void aClientThatGoesAwayEndsTheWait() throws IOException {
        String inbox = world.inbox("gone");
        byte[] body = call(inbox, "," + members("timeout", 300), "{}").getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.httpPort())) {
            socket.getOutputStream()
                    .write(("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + world.key()
                                    + "\r\nAccept: application/json, text/event-stream\r\nContent-Length: "
                                    + body.length + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            InputStream in = socket.getInputStream();
            assertThat(new String(in.readNBytes(15), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200 OK");
            Eventually.await(() -> areWaiting(1));
        }
        Eventually.await(() -> areWaiting(0));
    }

    @Test
    void anOlderClientCancelsByTheIdOfItsRequest() {
        String inbox = world.inbox("cancel");
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(
                () -> world.http().post("/mcp", call(inbox, "," + members("timeout", 29), "{}")), threads);
        Eventually.await(() -> areWaiting(1));
        String cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}";
        world.http().post("/mcp", cancel.formatted("8")).is(202);
        world.as(world.inboxKey(inbox)).post("/mcp", cancel.formatted("9")).is(202);
        assertThat(areWaiting(1)).isTrue();
        world.http().post("/mcp", cancel.formatted("9")).is(202);
        assertThat(waiting.join().is(200).at("result.structuredContent.message"))
                .isNull();
        Eventually.await(() -> areWaiting(0));
    }

    @Test
    @Tag("long")
    void aKeyThatIsDeletedMeanwhileEndsTheWait() {
        String inbox = world.inbox("revoked");
        Answer made = world.http()
                .post("/v0/api-keys", json("name", "short", "permissions", object("message_read", true)))
                .is(200);
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(
                () -> world.as(made.text("api_key"))
                        .with("Accept", "text/event-stream, application/json")
                        .post("/mcp", call(inbox, "," + members("timeout", 20), "{}")),
                threads);
        Eventually.await(() -> areWaiting(1));
        world.http().delete("/v0/api-keys/" + made.text("api_key_id")).is(200);
        mail(inbox, "Not for that key");
        String last = events(waiting.join().is(200)).getLast();
        assertThat(last).contains(members("isError", true), "unknown_api_key").doesNotContain("Not for that key");
        Eventually.await(() -> areWaiting(0));
    }

    @Test
    void aWaitInABatchIsRefused() {
        String inbox = world.inbox("batch");
        Answer refused = world.http().post("/mcp", "[" + call(inbox, "," + members("timeout", 20), "{}") + "]");
        assertThat(refused.is(400).at("error.code")).isEqualTo(-32_600L);
        Eventually.await(() -> areWaiting(0));
    }
}
