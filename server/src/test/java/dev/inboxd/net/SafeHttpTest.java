package dev.inboxd.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.net.HttpOutcome.Failure;
import dev.inboxd.net.HttpOutcome.Response;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other servers can do to an exchange. */
final class SafeHttpTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final FakeDns dns = FakeDns.start().addresses("hook.example", "127.0.0.1");
    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private final SafeHttp http =
            new SafeHttp(TargetRules.DEVELOPMENT, new Dns(dns.servers(), Duration.ofSeconds(5)), "inboxd/test");

    @AfterEach
    void stop() throws IOException {
        http.close();
        endpoint.close();
        dns.close();
    }

    @Test
    void aPostArrivesWithItsFieldsAndNothingUnasked() {
        HttpOutcome outcome = http.post(new PostRequest(
                target("http://hook.example:" + port() + "/in?x=1"),
                List.of(new RequestHeader("Content-Type", "application/json"), new RequestHeader("X-Own", "1")),
                "{}".getBytes(UTF_8),
                LONG,
                "ep"));
        assertThat(outcome).isEqualTo(new Response(200, null, 0, false));
        FakeEndpoint.Received received = endpoint.take();
        assertThat(received.method() + " " + received.path() + " " + received.text())
                .isEqualTo("POST /in?x=1 {}");
        assertThat(received.fields().keySet())
                .containsExactlyInAnyOrder("Host", "User-Agent", "Content-Type", "Content-Length", "X-Own");
        assertThat(received.fields())
                .containsEntry("host", "hook.example:" + port())
                .containsEntry("user-agent", "inboxd/test");
    }

    @Test
    void connectionsAreKeptAndTheNameIsResolvedOncePerConnection() {
        IntStream.range(0, 20).forEach(_ -> assertThat(post("/", LONG)).isEqualTo(new Response(200, null, 0, false)));
        assertThat(endpoint.connections()).isEqualTo(1);
        assertThat(dns.questions()).containsExactlyInAnyOrder("hook.example. A", "hook.example. AAAA");
    }

    @ParameterizedTest
    @Proves("A22")
    @ValueSource(ints = {301, 302, 303, 307, 308, 401, 407, 410, 429, 500})
    void everyStatusIsAnAnswerAndNoneIsActedUpon(int status) {
        endpoint.always(FakeEndpoint.respond(
                status,
                "Location: " + endpoint.url("/elsewhere") + "\r\n"
                        + "WWW-Authenticate: Basic realm=\"x\"\r\nProxy-Authenticate: Basic realm=\"x\"\r\n",
                ""));
        assertThat(post("/", LONG)).isEqualTo(new Response(status, null, 0, false));
        assertThat(endpoint.received()).hasSize(1);
    }

    @Test
    void cookiesAreForgotten() {
        endpoint.always(FakeEndpoint.respond(200, "Set-Cookie: a=b; Path=/\r\n", ""));
        post("/", LONG);
        post("/", LONG);
        endpoint.take();
        assertThat(endpoint.take().fields()).doesNotContainKey("cookie");
    }

    @Test
    @Proves("A22")
    void theProxySettingsOfTheMachineAreIgnored() {
        ProxySelector before = ProxySelector.getDefault();
        System.setProperty("http.proxyHost", "127.0.0.1");
        System.setProperty("http.proxyPort", "1");
        ProxySelector.setDefault(ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
        try {
            assertThat(post("/", LONG)).isInstanceOf(Response.class);
        } finally {
            ProxySelector.setDefault(before);
            System.clearProperty("http.proxyHost");
            System.clearProperty("http.proxyPort");
        }
    }

    @Test
    void anEndlessBodyIsCutAndItsConnectionClosed() {
        endpoint.then(endpoint.endless(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "1000\r\n" + "x".repeat(0x1000) + "\r\n",
                Duration.ZERO));
        assertThat(post("/", LONG))
                .isEqualTo(new Response(
                        200,
                        new HttpOutcome.ResponseFields(null, null, null),
                        SafeHttp.POST_RESPONSE_LIMIT,
                        true,
                        "x".repeat(1_023)));
        assertThat(post("/", LONG)).isEqualTo(new Response(200, null, 0, false));
        assertThat(endpoint.connections()).isEqualTo(2);
    }

    @Test
    void aDrippingBodyEndsAtTheDeadline() {
        endpoint.always(
                endpoint.endless("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", "x", Duration.ofMillis(20)));
        assertFailed(post("/", SHORT), Failure.TIMEOUT);
    }

    @Test
    void slowHeadersEndAtTheDeadline() {
        endpoint.always(endpoint.endless("HTTP/1.1 200 OK\r\n", "a", Duration.ofMillis(20)));
        assertFailed(post("/", SHORT), Failure.TIMEOUT);
    }

    @Test
    void anEndpointThatHangsEndsAtTheDeadline() {
        endpoint.always(endpoint.hang());
        assertFailed(post("/", SHORT), Failure.TIMEOUT);
    }

    @Test
    void aFloodOfInterimResponsesEndsAtTheDeadline() {
        endpoint.always(endpoint.endless("", "HTTP/1.1 102 Processing\r\n\r\n", Duration.ofMillis(1)));
        assertFailed(post("/", SHORT), Failure.TIMEOUT);
    }

    @Test
    void interimResponsesAreSkipped() {
        endpoint.always(FakeEndpoint.raw("""
                HTTP/1.1 100 Continue\r
                \r
                HTTP/1.1 103 Early Hints\r
                Link: </a>\r
                \r
                HTTP/1.1 204 No Content\r
                \r
                """));
        assertThat(post("/", LONG)).isEqualTo(new Response(204, null, 0, false));
    }

    @Test
    void aSwitchOfProtocolsIsNoSuccess() {
        endpoint.then(
                FakeEndpoint.raw("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhello"));
        assertThat(post("/", SHORT))
                .matches(outcome -> !(outcome instanceof Response answered) || !answered.successful());
        assertThat(post("/", LONG)).isEqualTo(new Response(200, null, 0, false));
    }

    @Test
    void aHeaderWithoutEndIsABadResponse() {
        endpoint.always(endpoint.endless("HTTP/1.1 200 OK\r\n", "X-A: " + "a".repeat(1000) + "\r\n", Duration.ZERO));
        assertFailed(post("/", LONG), Failure.BAD_RESPONSE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SSH-2.0-OpenSSH_9.2\r\n", "220 mail.example ESMTP\r\n", "HTTP/1.1 banana\r\n\r\n", "\0\0\0\0"})
    void whatIsNotHttpIsABadResponse(String text) {
        endpoint.always(FakeEndpoint.raw(text));
        assertFailed(post("/", LONG), Failure.BAD_RESPONSE);
    }

    @Test
    void aResetIsAFailureWhereverItComes() {
        endpoint.then(
                FakeEndpoint.reset(""),
                FakeEndpoint.reset("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
                FakeEndpoint.hangUp(),
                FakeEndpoint.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"));
        for (int i = 0; i < 4; i++) {
            assertFailed(post("/", LONG), Failure.RESET);
        }
    }

    @Test
    void aClosedPortAndAnUnknownNameAreSaidApart() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        assertFailed(http.post(post(target("http://127.0.0.1:" + free + "/"), LONG)), Failure.CONNECT);
        assertFailed(http.post(post(target("http://unknown.example/"), LONG)), Failure.DNS);
    }

    @Test
    void severalAddressesAreTriedInTurn() {
        dns.addresses("two.example", "127.0.0.77", "127.0.0.1");
        assertThat(http.post(post(target(endpoint.url("two.example", "/")), LONG)))
                .isInstanceOf(Response.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2.3.4.5", "hook.8example"}) // names in which Java's URI sees no host
    void aNameUnderNoTopLevelDomainIsNotFound(String name) throws IOException {
        Target target = target(endpoint.url(name, "/"));
        assertFailed(http.post(post(target, LONG)), Failure.DNS);
        assertFailed(http.fetch(new FetchRequest(target, LONG, 100), new ByteArrayOutputStream()), Failure.DNS);
    }

    @Test
    @Proves("P9")
    void aHangingEndpointDelaysNoOther() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (FakeEndpoint slow = FakeEndpoint.start();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            slow.always(FakeEndpoint.after(release, FakeEndpoint.status(204)));
            List<Future<HttpOutcome>> hanging = IntStream.range(0, 300)
                    .mapToObj(_ -> callers.submit(() -> http.post(post(target(slow.url("/")), LONG))))
                    .toList();
            slow.take();
            IntStream.range(0, 50).forEach(_ -> assertThat(post("/", LONG)).isInstanceOf(Response.class));
            assertThat(hanging).noneMatch(Future::isDone);
            release.countDown();
            for (Future<HttpOutcome> outcome : hanging) {
                assertThat(outcome.get()).isEqualTo(new Response(204, null, 0, false));
            }
            assertThat(slow.connections()).isLessThanOrEqualTo(128);
        }
    }

    /** Many tenants post to one origin, such as an automation service. */
    @Test
    @Proves("P9")
    void aLaneThatHangsDelaysNoOtherToTheSameOrigin() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Semaphore connections = new Semaphore(128); // as many as one lane can have
            FakeEndpoint.Behaviour hang = FakeEndpoint.after(release, FakeEndpoint.status(204));
            endpoint.always(
                    connection -> (connections.tryAcquire() ? hang : FakeEndpoint.status(200)).answer(connection));
            List<Future<HttpOutcome>> hanging = IntStream.range(0, 300)
                    .mapToObj(_ -> callers.submit(() -> post("/", LONG)))
                    .toList();
            IntStream.range(0, 128).forEach(_ -> endpoint.take());
            PostRequest other = new PostRequest(
                    target("http://hook.example:" + port() + "/"), List.of(), new byte[0], LONG, "other");
            assertThat(http.post(other)).isEqualTo(new Response(200, null, 0, false));
            assertThat(hanging).noneMatch(Future::isDone);
            release.countDown();
            for (Future<HttpOutcome> outcome : hanging) {
                assertThat(outcome.get()).isInstanceOf(Response.class);
            }
        }
    }

    @Test
    void anInterruptedCallerGetsItsThreadBack() throws ExecutionException, InterruptedException {
        endpoint.always(endpoint.hang());
        try (ExecutorService caller = Executors.newSingleThreadExecutor()) {
            Future<HttpOutcome> outcome = caller.submit(() -> post("/", LONG));
            endpoint.take();
            caller.shutdownNow();
            assertFailed(outcome.get(), Failure.CANCELLED);
        }
    }

    @Test
    void aDownloadIsWrittenAsItComes() throws IOException {
        endpoint.always(FakeEndpoint.respond(200, "Content-Type: text/csv\r\n", "é".repeat(50_000)));
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        assertThat(http.fetch(new FetchRequest(target(endpoint.url("/a.csv")), LONG, 100_000), content))
                .isEqualTo(new Response(200, "text/csv", 100_000, false));
        assertThat(content.toString(UTF_8)).isEqualTo("é".repeat(50_000));
    }

    @Test
    void aDownloadStopsAtItsLimit() throws IOException {
        endpoint.then(
                FakeEndpoint.respond(200, "", "x".repeat(101)),
                endpoint.endless("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(70), Duration.ZERO));
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        FetchRequest fetch = new FetchRequest(target(endpoint.url("/")), LONG, 100);
        assertThat(http.fetch(fetch, content)).isEqualTo(new Response(200, null, 0, true));
        assertThat(http.fetch(fetch, content)).isEqualTo(new Response(200, null, 100, true));
        assertThat(content.size()).isEqualTo(100);
    }

    @Test
    void aDownloadEndsAtItsDeadlineAndOnlySuccessIsWritten() throws IOException {
        endpoint.then(
                endpoint.endless("HTTP/1.1 200 OK\r\n\r\n", "x", Duration.ofMillis(20)),
                FakeEndpoint.respond(404, "", "not this"),
                FakeEndpoint.reset("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"));
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        assertFailed(http.fetch(new FetchRequest(target(endpoint.url("/")), SHORT, 1 << 20), content), Failure.TIMEOUT);
        content.reset();
        assertThat(http.fetch(new FetchRequest(target(endpoint.url("/")), LONG, 100), content))
                .isEqualTo(new Response(404, null, 0, true));
        assertThat(content.size()).isZero();
        assertFailed(http.fetch(new FetchRequest(target(endpoint.url("/")), LONG, 100), content), Failure.RESET);
    }

    @Test
    void aFullDiskIsTheCallersExceptionAndNotTheEndpointsFault() {
        endpoint.always(FakeEndpoint.respond(200, "", "content"));
        OutputStream full = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        FetchRequest fetch = new FetchRequest(target(endpoint.url("/")), LONG, 100);
        assertThatThrownBy(() -> http.fetch(fetch, full))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("space");
    }

    private HttpOutcome post(String path, Duration deadline) {
        return http.post(post(target("http://hook.example:" + port() + path), deadline));
    }

    private static PostRequest post(Target target, Duration deadline) {
        return new PostRequest(target, List.of(), "{}".getBytes(UTF_8), deadline, "ep");
    }

    private Target target(String url) {
        return ((TargetCheck.Valid) http.check(url)).target();
    }

    private int port() {
        return URI.create(endpoint.url("/")).getPort();
    }

    private static void assertFailed(HttpOutcome outcome, Failure kind) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        HttpOutcome.NoResponse.class,
                        failed -> assertThat(failed.kind()).as(failed.detail()).isEqualTo(kind));
    }
}
