package dev.inboxd.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages in a developer's browser can do with the server beside it: nothing. */
class PageRuleHttpTest {
    private static final String KNOWN = "https://app.example.com";
    private static final String SIGN_UP = "POST /v0/agent/sign-up HTTP/1.1";
    private static World world;
    private static int admin;

    @BeforeAll
    static void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            admin = free.getLocalPort();
        }
        world = World.start(Map.of(
                "INBOXD_ADMIN_PORT",
                String.valueOf(admin),
                "INBOXD_ADMIN_HOSTS",
                "metrics.internal",
                "INBOXD_CORS_ORIGINS",
                KNOWN,
                "INBOXD_PUBLIC_URL",
                "https://mail.dev.example:8443"));
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST",
                "localhost:1",
                "localhost.",
                "console.localhost:8080",
                "127.0.0.1",
                "127.8.9.10:80",
                "[::1]",
                "[::1]:8080",
                "mail.dev.example",
                "MAIL.dev.example:8443"
            })
    void loopbackAndThePublicUrlAreServed(String host) {
        assertThat(status(world.httpPort(), "GET /healthz HTTP/1.1\r\nHost: " + host))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @Proves("A39a")
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "127.0.0.1.nip.io",
                "notlocalhost",
                "192.168.1.2",
                "0.0.0.0",
                "[fe80::1]",
                "metrics.internal",
                "dev.example",
                "x.mail.dev.example"
            })
    void anyOtherHostIsMisdirectedOnEveryPath(String host) {
        for (String line : List.of(
                "GET /healthz HTTP/1.1",
                "GET /v0/inboxes HTTP/1.1",
                "GET /nothing HTTP/1.1",
                "GET / HTTP/1.0",
                "OPTIONS /v0/inboxes HTTP/1.1\r\nOrigin: " + KNOWN + "\r\nAccess-Control-Request-Method: GET")) {
            String answer = answer(world.httpPort(), line + "\r\nHost: " + host);
            assertThat(answer)
                    .contains(" 421 ", "misdirected_request", "INBOXD_PUBLIC_URL")
                    .doesNotContain("Access-Control-Allow");
        }
    }

    @Test
    void theHostOfATargetCountsAsTheFieldDoes() {
        assertThat(status(world.httpPort(), "GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example"))
                .isEqualTo(421);
        assertThat(status(world.httpPort(), "GET http://evil.example/healthz HTTP/1.0"))
                .isEqualTo(421);
        assertThat(status(world.httpPort(), "GET http://localhost/healthz HTTP/1.1\r\nHost: localhost"))
                .isEqualTo(200);
    }

    @Test
    void aRequestThatNeedsNoHostIsServedWithoutOne() {
        assertThat(status(world.httpPort(), "GET /healthz HTTP/1.0")).isEqualTo(200);
        assertThat(status(world.httpPort(), "GET /healthz HTTP/1.1\r\nHost:")).isEqualTo(400);
    }

    @ParameterizedTest
    @Proves("A39a")
    @ValueSource(strings = {"https://evil.example", "null", "http://localhost.evil.example", "http://192.168.1.2", "x"})
    void aForeignPageGetsNothingThatNeedsNoKey(String origin) {
        for (String line : List.of(
                SIGN_UP,
                "POST /v0/agent/sign%2Dup HTTP/1.1",
                "GET /sandbox/messages HTTP/1.1",
                "GET /metrics HTTP/1.1")) {
            assertThat(status(world.httpPort(), line + "\r\nHost: localhost\r\nOrigin: " + origin))
                    .as(line)
                    .isEqualTo(403);
        }
        assertThat(status(admin, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nOrigin: " + origin))
                .isEqualTo(403);
        assertThat(status(world.httpPort(), "GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: " + origin))
                .isEqualTo(200);
        assertThat(status(
                        world.httpPort(),
                        "OPTIONS /v0/agent/sign-up HTTP/1.1\r\nHost: localhost\r\n"
                                + "Access-Control-Request-Method: POST\r\nOrigin: " + origin))
                .isEqualTo(204);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            strings = {
                KNOWN,
                "http://localhost:3000",
                "https://127.0.0.1",
                "http://[::1]:5173",
                "http://app.localhost",
                "https://mail.dev.example:8443"
            })
    void aPageOfThisMachineOrOfAKnownOriginMay(String origin) {
        String fields = "\r\nHost: localhost\r\nOrigin: " + origin;
        assertThat(status(world.httpPort(), "GET /sandbox/messages HTTP/1.1" + fields))
                .isEqualTo(200);
        assertThat(status(world.httpPort(), "GET /metrics HTTP/1.1" + fields)).isEqualTo(200);
        assertThat(status(world.httpPort(), SIGN_UP + fields + "\r\nContent-Length: 2"))
                .isEqualTo(400);
    }

    @Test
    @Tag("long")
    void theOperatorsPortIsCalledByAddressesAndByTheNamesItWasGiven() {
        for (String host : List.of(
                "localhost",
                "127.0.0.1:9090",
                "10.1.2.3",
                "[2001:db8::1]",
                "metrics.internal:9090",
                "mail.dev.example")) {
            assertThat(status(admin, "GET /metrics HTTP/1.1\r\nHost: " + host))
                    .as(host)
                    .isEqualTo(200);
        }
        for (String host : List.of("evil.example", "x.metrics.internal", "10.1.2.3.evil.example")) {
            assertThat(answer(admin, "GET /metrics HTTP/1.1\r\nHost: " + host)).contains(" 421 ", "INBOXD_ADMIN_HOSTS");
        }
        assertThat(status(admin, "GET /healthz HTTP/1.0")).isEqualTo(200);
    }

    @Test
    @Proves("A39a")
    void whatTheServerFetchesIsNeverItself() {
        List<Integer> own = List.of(world.httpPort(), world.smtpPort(), world.submissionPort(), admin);
        for (int port : own) {
            for (String host :
                    List.of("127.0.0.1", "localhost", "[::1]", "127.1", "0.0.0.0", "x.localhost", "2130706433")) {
                HttpProbe.Answer answer = world.http().post("/v0/webhooks", """
                        {"url":"http://%s:%s/v0/agent/sign-up",
                        "event_types":["message.received"]}""".formatted(host, port));
                assertThat(answer.text()).as(host + ":" + port).contains("this server itself");
                assertThat(answer.status()).isEqualTo(400);
            }
        }
    }

    private static int status(int port, String head) {
        return Integer.parseInt(answer(port, head).substring(9, 12));
    }

    private static String answer(int port, String head) {
        try (RawSocket socket = new RawSocket(port)) {
            boolean posts = head.contains("Content-Length");
            socket.send(head + "\r\nConnection: close\r\n\r\n" + (posts ? "{}" : ""));
            return socket.rest();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
