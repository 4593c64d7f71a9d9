package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.chaos.Service;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every route that answers with Markdown, of a service that runs in the usual heap, over mails that are as hard to
 * render as a mebibyte can be, for many callers at once.
 */
@Tag("long") // a minute and a half; RenderMemoryTest and RenderQueueTest notice in the short form what bounds it
class LargeMarkdownHttpTest {
    private static final String SECRET = "0123456789abcdef".repeat(3);
    private static final int MEBIBYTE = 1 << 20;
    private static final int FEW = 4;
    private static final int MANY = 50;
    /** Copies of each mail: more than a page of a list has together. */
    private static final int COPIES = 9;

    private static final long MOST_SECONDS = 60;

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_SECRET_KEY", SECRET));

    private static Service service;
    private static HttpClient client;
    private static String inbox = "";
    private static String thread = "";
    private static String draft = "";
    private static List<String> files = List.of();

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        world.dns().text("example.com", "v=spf1 ip4:127.0.0.1 -all");
        inbox = world.inbox("large");
        int number = 0;
        for (String body : bodies()) {
            assertThat(world.mail("jo@example.com", inbox, mail(number++, body)))
                    .startsWith("250");
        }
        thread = world.http()
                .get("/v0/inboxes/" + inbox + "/messages?limit=1")
                .is(200)
                .text("messages.0.thread_id");
        try (LargestRows rows = new LargestRows(world.location(), COPIES)) {
            rows.receivedIn(inbox);
        }
        draft = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json("subject", "D", "html", repeated("<i>x</i>\n", MEBIBYTE - 100)))
                .is(200)
                .text("draft_id");
        files = files();
        service = Service.start(new Service.Place(
                StoredRowsHttpTest.program(),
                folder.resolve("data"),
                0,
                0,
                Map.of(
                        "INBOXD_DATABASE_URL",
                        world.databaseUrl(),
                        "INBOXD_SECRET_KEY",
                        SECRET,
                        "INBOXD_BLOB_URL",
                        "file:" + world.blobFolder())));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        service.terminate(Duration.ofSeconds(40));
    }

    private static String repeated(String unit, int length) {
        return unit.repeat(length / unit.length());
    }

    private static String mail(int number, String body) {
        String type = body.startsWith("<") ? "html" : "plain";
        return "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: Re: Large\nMessage-ID: <large-" + number
                + "@example.com>\nReferences: <root@example.com>\nMIME-Version: 1.0\nContent-Type: text/" + type
                + "; charset=utf-8\n\n" + body + "\n";
    }

    /** As many elements, links, cells, rules, levels or words as a mebibyte has room for. */
    private static List<String> bodies() {
        int length = MEBIBYTE - 4_000;
        String formatting = "<b><i><u><s><em><strong><tt><big><small><font color=red><code><strike>\n";
        StringBuilder rules = new StringBuilder("<style>\n");
        StringBuilder classed = new StringBuilder();
        for (int i = 0; i < 6_000; i++) {
            rules.append(".c").append(i).append(" td.d, .c").append(i).append(" > p { color: #123; opacity: .9 }\n");
            classed.append("<p class=c").append(i).append("><span class=d>x</span>\n");
        }
        return List.of(
                repeated("<i>x</i>\n", length),
                repeated("<p>x\n", length),
                formatting + repeated("<p>x\n", length),
                formatting + repeated("<p>x\n", 60_000), // as many elements in a small mail
                repeated("<div>".repeat(60) + "x\n", length),
                "<table>" + repeated("<tr><td>x<td>y<td>z\n", length) + "</table>",
                repeated("<a href=\"https://www.example.com/" + "p".repeat(60) + "?q=1\">Link</a>\n", length),
                rules + "</style>" + classed,
                "<p>" + repeated("some words that are shown to a person\n", length),
                repeated("> some words that somebody quoted\nand an answer *of* [some](words)\n", length));
    }

    private static List<String> files() {
        String html = repeated("<b>x</b>\n", 990_000);
        String id = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        Json.text(JsonObject.of("to", "jo@elsewhere.test")
                                .with("text", "See")
                                .with("attachments", List.of(file("a.html", html), file("b.txt", html)))))
                .is(200)
                .text("message_id");
        String path = "/v0/inboxes/" + inbox + "/messages/" + id.substring(1, id.length() - 1);
        Answer message = world.http().get(path).is(200);
        List<String> found = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String file = path + "/attachments/" + message.text("attachments." + i + ".attachment_id");
            Eventually.await(() -> world.http().get(file).is(200).at("text_url") != null);
            found.add(file + "?format=markdown");
            found.add(URI.create(world.http().get(file).text("text_url")).getRawPath() + "?max_chars=200000");
        }
        return found;
    }

    private static RawJson file(String name, String content) {
        return new RawJson(json(
                "filename",
                name,
                "content",
                Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8))));
    }

    private static List<String> paths() {
        String box = "/v0/inboxes/" + inbox;
        List<String> paths = new ArrayList<>(files);
        for (int i = 0; i < bodies().size(); i++) {
            String message =
                    box + "/messages/" + URLEncoder.encode("<large-" + i + "@example.com>", StandardCharsets.UTF_8);
            paths.add(message + (i % 2 == 0 ? "?format=markdown" : "?format=markdown&quotes=full&links=short"));
            if (i % 3 == 2) {
                paths.add(message + "/extracted");
            }
        }
        paths.addAll(List.of(
                box + "/threads/" + thread + "?format=markdown",
                box + "/threads/" + thread + "?format=markdown&max_chars=1000000&offset=900000",
                box + "/messages?format=markdown&limit=50",
                box + "/messages?format=markdown&limit=50&max_chars=1000000",
                box + "/threads?format=markdown&limit=50",
                "/v0/threads?format=markdown&max_chars=1000000",
                box + "/messages/wait?format=markdown&timeout=0&since=2000-01-01T00:00:00Z",
                box + "/drafts/" + draft + "?format=markdown"));
        return paths;
    }

    @TestFactory
    @Proves("P15")
    Stream<DynamicTest> theWorstMailIsReadAsMarkdownWithinTheUsualHeap() {
        return Stream.concat(
                paths().stream().map(path -> DynamicTest.dynamicTest(path, () -> check(get(path), FEW))),
                Stream.of("get_message", "list_messages", "list_threads", "get_thread", "wait_for_message")
                        .map(tool -> DynamicTest.dynamicTest(tool, () -> check(tool(tool), FEW))));
    }

    @Test
    @Proves("P15")
    void fiftyListsOfTheWorstMailsAtOnceAreAnsweredOrRefusedWithinTheUsualHeap() throws Exception {
        check(get("/v0/inboxes/" + inbox + "/messages?format=markdown&limit=50"), MANY);
    }

    private static void check(HttpRequest request, int callers) throws Exception {
        Map<Integer, Integer> statuses = new TreeMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            Callable<Integer> call = () ->
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            for (Future<Integer> each : threads.invokeAll(
                    IntStream.range(0, callers).mapToObj(_ -> call).toList())) {
                statuses.merge(each.get(), 1, Integer::sum);
            }
        }
        assertThat(service.isAlive()).isTrue();
        assertThat(statuses.keySet()).isSubsetOf(200, 503).contains(200);
        long start = System.nanoTime();
        HttpResponse<byte[]> alone = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        System.out.printf(
                "%s: %s, alone %d, %d octets in %d ms%n",
                request.uri().getPath(),
                statuses,
                alone.statusCode(),
                alone.body().length,
                (System.nanoTime() - start) / 1_000_000);
        assertThat(alone.statusCode()).isEqualTo(200);
    }

    private static HttpRequest get(String path) {
        return request(path).build();
    }

    private static HttpRequest tool(String name) {
        JsonObject arguments = JsonObject.of("inboxId", inbox)
                .with("messageId", name.equals("get_message") ? "<large-0@example.com>" : null)
                .with("extract", name.equals("get_message") ? true : null)
                .with("threadId", name.equals("get_thread") ? thread : null)
                .with("since", name.startsWith("wait") ? "2000-01-01T00:00:00Z" : null)
                .with("timeout", name.startsWith("wait") ? 0 : null)
                .with("limit", name.startsWith("list") ? 50 : null)
                .with("maxChars", 200_000);
        JsonObject call = JsonObject.of("jsonrpc", "2.0")
                .with("id", 1)
                .with("method", "tools/call")
                .with("params", JsonObject.of("name", name).with("arguments", arguments));
        return request("/mcp")
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(Json.text(call)))
                .build();
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.httpPort() + path))
                .timeout(Duration.ofSeconds(MOST_SECONDS))
                .header("Authorization", "Bearer " + world.key());
    }
}
