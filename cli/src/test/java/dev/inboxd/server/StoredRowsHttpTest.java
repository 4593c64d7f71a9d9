package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Scope;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.chaos.Service;
import dev.inboxd.server.AccessMatrix.Line;
import dev.inboxd.server.AccessMatrix.Target;
import dev.inboxd.testing.Proves;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
 * Every list, page and export of a service that runs in the usual heap, over rows as large and as many as callers can
 * make them, for many callers at once. A route that is neither asked nor named here as one without stored rows fails.
 */
class StoredRowsHttpTest {
    private static final String SECRET = "0123456789abcdef".repeat(3);
    private static final Path MATRIX = Path.of("server/src/test/resources/access-matrix.txt");
    /** Done, not of this level, leased to another caller, too much for one answer, later, and for want of memory. */
    private static final Set<Integer> ANSWERS = Set.of(200, 404, 409, 422, 429, 503);

    private static final int FEW = 2;
    private static final int MANY = 24;
    /** What one answer may take of memory, and as much again for escapes and frames. */
    private static final long MOST_OCTETS = 16L << 20;
    /** More than a page of any list has. */
    private static final int ROWS = 510;

    /** Routes that answer this caller with no stored rows, each with the reason. */
    private static final Map<String, String> WITHOUT_ROWS = Map.ofEntries(
            entry("GET /", "leads to the console or the reference"),
            entry("GET /sandbox/clock", "one clock"),
            entry("GET /unsubscribe/{token}", "one address"),
            entry("GET /sandbox/faults", "a hundred faults at most, in development alone"),
            entry("GET /sandbox/recipients", "four mebibytes of scripts at most, in development alone"),
            entry("GET /console/session", "one session"),
            entry("GET /console/sessions", "one human's sessions, which last a day, from sign-ins that are limited"),
            entry("GET /console/enter", "a step of signing in"),
            entry("GET /console/letters", "asks one person whether letters should end"),
            entry("GET /console/authorize", "a step of letting a program in"),
            entry("GET /console/live", "a WebSocket that says only that something changed"),
            entry("GET /console/content/{token}", "the mail of one page, which the route of a message bounds"),
            entry("GET /console/content/{token}/{attachment_id}", "one file as a stream"),
            entry("GET /console/content/{token}/remote/{place}", "one picture, of limited size"),
            entry(
                    "GET /console/inboxes/{inbox_id}/drafts/{draft_id}/attachments/{attachment_id}",
                    "leads to one file as a stream"),
            entry("GET /console/inboxes/{inbox_id}/messages/{message_id}/raw", "leads to one message as a stream"),
            entry(
                    "GET /console/inboxes/{inbox_id}/messages/{message_id}/attachments/{attachment_id}",
                    "leads to one file as a stream"),
            entry("GET /console/mail", "leads to one inbox"),
            entry("GET /console/palette", "nothing is looked for"),
            entry("GET /v0", "a WebSocket: ListenerMemoryTest"),
            entry("GET /connect", "a step of signing in"),
            entry("GET /connect/{token}", "a step of signing in"),
            entry("GET /v0/authorize", "a step of signing in"),
            entry("GET /v0/authorize/status", "a step of signing in"),
            entry("GET /v0/authorize/continue", "a step of signing in"),
            entry("GET /v0/userinfo", "one account"),
            entry("GET /v0/inboxes/{inbox_id}/messages/{message_id}/claim", "one claim"),
            entry("GET /v0/inboxes/{inbox_id}/threads/{thread_id}/claim", "one claim"),
            entry("GET /v0/payments/{payment_id}", "one payment"));

    /** Routes that list and are asked by POST. */
    private static final Set<String> POSTED = Set.of("POST /v0/inboxes/{inbox_id}/messages/batch-get", "POST /mcp");

    private static final List<String> TOOLS = List.of(
            "list_inboxes", "list_threads", "get_thread", "list_messages", "list_drafts", "list_events", "get_agenda");

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_SECRET_KEY", SECRET));

    private static Service service;
    private static HttpClient client;
    private static Map<String, String> ids = Map.of();
    private static Map<String, Asked> asked = Map.of();
    private static Map<String, String> headers = Map.of();

    @TempDir
    private static Path folder;

    /** A route that wants another path or other headers than a key. */
    private record Asked(String path, Map<String, String> headers) {}

    @BeforeAll
    static void start() throws Exception {
        Tenants tenants = new Tenants(world);
        Tenants.Things things = tenants.make(Scope.ORGANIZATION, Target.OWN);
        ids = things.ids();
        String key = tenants.key(things, Scope.ORGANIZATION, null);
        asked = asked(world.as(key));
        try (LargestRows rows = new LargestRows(world.location(), ROWS)) {
            rows.make(things.id("inbox_id"));
        }
        service = Service.start(new Service.Place(
                program(),
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
        headers = Map.of(
                "Authorization",
                "Bearer " + key,
                "Cookie",
                console() + "; inboxd-organization=" + world.organization());
    }

    private static Map<String, Asked> asked(HttpProbe http) {
        String inbox = "/v0/inboxes/" + ids.get("inbox_id");
        HttpProbe.Answer feed = http.post(inbox + "/calendar/feed", "").is(201);
        HttpProbe.Answer raw =
                http.get(inbox + "/messages/" + ids.get("message_id") + "/raw").is(200);
        HttpProbe.Answer queue = http.post(
                        "/v0/webhooks/polling",
                        json("client_id", "queue", "event_types", List.of("message.received.unauthenticated")))
                .is(200);
        Map<?, ?> token = (Map<?, ?>) Objects.requireNonNull(
                Json.parse(Base64.getDecoder().decode(queue.text("token").substring("auto_v1_".length()))));
        return Map.of(
                "GET /calendar-feeds/{token}",
                new Asked(URI.create(feed.text("url")).getRawPath(), Map.of()),
                "GET /download/{token}",
                new Asked(URI.create(raw.text("download_url")).getRawPath(), Map.of()),
                "GET /api/v1/app/{app_id}/polling-endpoint/{webhook_id}/consumer/{consumer_id}",
                new Asked(
                        "/api/v1/app/" + token.get("aid") + "/polling-endpoint/" + queue.text("webhook_id")
                                + "/consumer/one?lease_duration_ms=1",
                        Map.of("Authorization", "Bearer " + token.get("tok"))));
    }

    /** The cookie of the open console. */
    private static String console() throws Exception {
        String token = Files.readString(folder.resolve("data").resolve("console-token"))
                .strip();
        HttpResponse<String> opened = client.send(
                HttpRequest.newBuilder(address("/console?token=" + token)).build(),
                HttpResponse.BodyHandlers.ofString());
        String cookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
        return cookie.substring(0, cookie.indexOf(';'));
    }

    /** As {@code deploy/start.sh} starts it. */
    static List<String> program() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx208m",
                "-Xms48m",
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:MaxMetaspaceSize=128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.inboxd.Main");
    }

    @AfterAll
    static void stop() {
        client.close();
        service.terminate(Duration.ofSeconds(40));
    }

    private static Stream<Line> reading() {
        return AccessMatrix.read(MATRIX).stream()
                .filter(line -> line.method().equals("GET"))
                .filter(line -> !WITHOUT_ROWS.containsKey(line.route()));
    }

    @Test
    void whatIsNamedAsWithoutRowsIsThere() {
        Set<String> there = new HashSet<>(
                AccessMatrix.read(MATRIX).stream().map(Line::route).toList());
        assertThat(there)
                .containsAll(WITHOUT_ROWS.keySet())
                .containsAll(asked.keySet())
                .containsAll(POSTED);
    }

    /** The lists of a pod are those of its organization, narrowed. */
    @TestFactory
    @Proves("P15")
    Stream<DynamicTest> whatCallersStoredIsReadWithinTheUsualHeap() {
        return walk(line -> !line.template().startsWith("/v0/pods/{pod_id}/"), FEW);
    }

    @TestFactory
    @Tag("long")
    @Proves("P15")
    Stream<DynamicTest> whatCallersStoredIsReadByManyAtOnceWithinTheUsualHeap() {
        return walk(_ -> true, MANY);
    }

    private static Stream<DynamicTest> walk(Predicate<Line> which, int callers) {
        return Stream.concat(
                reading().filter(which).map(line -> DynamicTest.dynamicTest(line.route(), () -> check(line, callers))),
                posted().map(request -> DynamicTest.dynamicTest(
                        request.uri().getPath(), () -> check(request.uri().getPath(), request, callers))));
    }

    private static void check(Line line, int callers) throws Exception {
        Asked own = asked.getOrDefault(line.route(), new Asked(line.request(ids), headers));
        String path = own.path + (own.path.contains("?") ? "&" : "?") + "limit=" + most(line);
        check(line.route(), request(path, own.headers).build(), callers);
    }

    private static void check(String route, HttpRequest request, int callers) throws Exception {
        assertThat(service.isAlive()).as("before " + route).isTrue();
        Map<Integer, Integer> statuses = new TreeMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            Callable<Integer> call = () ->
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            for (Future<Integer> each : threads.invokeAll(
                    IntStream.range(0, callers).mapToObj(_ -> call).toList())) {
                statuses.merge(each.get(), 1, Integer::sum);
            }
        }
        assertThat(service.isAlive()).as(route).isTrue();
        assertThat(statuses.keySet()).as(route).isSubsetOf(ANSWERS);
        if (!route.contains("/webhooks/")) { // a webhook has one owner, at whose level it is
            assertThat(statuses.keySet()).as(route).containsAnyOf(200, 422);
            alone(route, request);
        }
    }

    /** One caller who is alone is answered, within the budget; 500 long messages by their ids are too much. */
    private static void alone(String route, HttpRequest request) throws Exception {
        HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            long octets = body.transferTo(OutputStream.nullOutputStream());
            System.out.printf("%s: %d, %d octets%n", route, answer.statusCode(), octets);
            assertThat(octets).as(route).isLessThan(MOST_OCTETS);
        }
        assertThat(answer.statusCode()).as(route).isIn(route.endsWith("/batch-get") ? List.of(422) : List.of(200, 404));
    }

    private static Stream<HttpRequest> posted() {
        String path = "/v0/inboxes/" + ids.get("inbox_id") + "/messages/batch-get";
        String messages = IntStream.rangeClosed(1, 500)
                .mapToObj(i -> "\"<copy-" + i + "@x.test>\"")
                .collect(Collectors.joining(",", "{\"message_ids\":[", "]}"));
        return Stream.concat(Stream.of(post(path, messages)), TOOLS.stream().map(StoredRowsHttpTest::tool));
    }

    private static HttpRequest tool(String name) {
        String inbox = URLDecoder.decode(String.valueOf(ids.get("inbox_id")), StandardCharsets.UTF_8);
        return post("/mcp", """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "%s",
                 "arguments": {"inboxId": "%s", "threadId": "%s", "limit": 100}}}
                """.formatted(name, inbox, ids.get("thread_id")));
    }

    private static HttpRequest post(String path, String body) {
        return request(path, headers)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** A search and a thread refuse more. */
    private static int most(Line line) {
        boolean refuses =
                Stream.of("/search", "/threads/{thread_id}", "/v0/events").anyMatch(line.template()::endsWith);
        return refuses ? 100 : 500;
    }

    private static HttpRequest.Builder request(String path, Map<String, String> with) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(path)).timeout(Duration.ofSeconds(90));
        with.forEach(request::header);
        return request;
    }

    private static URI address(String path) {
        return URI.create("http://127.0.0.1:" + service.httpPort() + path);
    }
}
