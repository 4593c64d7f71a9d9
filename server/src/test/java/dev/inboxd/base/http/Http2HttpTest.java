package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.PUBLIC;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** HTTP/2 in the clear, and those who make it work for nothing (promises.md A39). */
class Http2HttpTest {
    private static final AtomicInteger HANDLED = new AtomicInteger();
    private static final CountDownLatch HELD = new CountDownLatch(1);
    private static final int REFUSED_STREAM = 7;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(table -> {
            table.at(Level.ROOT).get(PUBLIC, "/open", _ -> {
                HANDLED.incrementAndGet();
                return Response.ok(Map.of("open", true));
            });
            table.at(Level.ROOT).get(PUBLIC, "/held", _ -> {
                try {
                    HELD.await();
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
                return Response.ok();
            });
        });
    }

    @AfterAll
    static void stop() {
        HELD.countDown();
        server.close();
    }

    @Test
    void aClientThatBeginsWithHttp2IsServedManyRequestsAtOnce() throws IOException {
        try (RawHttp2 client = new RawHttp2(server.port())) {
            Set<Integer> answered = new HashSet<>();
            for (int stream = 1; stream < 40; stream += 2) {
                client.get(stream, "/open");
            }
            for (int i = 0; i < 20; i++) {
                RawHttp2.Frame data = client.next(RawHttp2.DATA);
                assertThat(data.text()).isEqualTo(json("open", true));
                answered.add(data.stream());
            }
            assertThat(answered).hasSize(20);
        }
    }

    @Test
    void aRefusalIsTheSameJsonAsEverywhere() throws IOException {
        try (RawHttp2 client = new RawHttp2(server.port())) {
            client.get(1, "/nowhere");
            assertThat(client.next(RawHttp2.DATA).text()).contains("\"not_found\"", "request_id");
        }
    }

    @Test
    @Proves("A39")
    void anUpgradeInTheClearIsPassedOver() throws IOException {
        try (RawSocket client = new RawSocket(server.port())) {
            client.send("GET /open HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                    + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo(json("open", true));
        }
    }

    @Test
    @Proves("A39")
    void streamsBeyondTheLimitAreRefused() throws IOException {
        try (RawHttp2 client = new RawHttp2(server.port())) {
            for (int stream = 1; stream <= 201; stream += 2) {
                client.get(stream, "/held");
            }
            RawHttp2.Frame refused = client.next(RawHttp2.RST_STREAM);
            assertThat(refused.stream()).isEqualTo(201);
            assertThat(refused.error()).isEqualTo(REFUSED_STREAM);
        }
    }

    @Test
    @Proves("A39")
    void rapidResetsEndTheConnectionAndHarmNobody() throws IOException {
        int before = HANDLED.get();
        try (RawHttp2 client = new RawHttp2(server.port())) {
            RawHttp2.@Nullable Frame end = flood(client, stream -> {
                client.get(stream, "/open");
                client.send(RawHttp2.RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
            });
            assertThat(end == null || end.error() == ENHANCE_YOUR_CALM).isTrue();
        }
        assertThat(HANDLED.get() - before).isLessThan(2_000);
        server.as(null).get("/open").is(200);
    }

    @Test
    void settingsWithoutEndEndTheConnection() throws IOException {
        try (RawHttp2 client = new RawHttp2(server.port())) {
            RawHttp2.@Nullable Frame end = flood(client, _ -> client.send(RawHttp2.SETTINGS, 0, 0, new byte[0]));
            assertThat(end == null || end.error() == ENHANCE_YOUR_CALM).isTrue();
        }
    }

    @Test
    @Proves("A39")
    void aHeaderThatGoesOnForeverEndsTheConnection() throws IOException {
        int before = HANDLED.get();
        byte[] more = new byte[8_000]; // empty literals
        try (RawHttp2 client = new RawHttp2(server.port())) {
            client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.request("/open"));
            flood(client, _ -> client.send(RawHttp2.CONTINUATION, 0, 1, more));
        }
        assertThat(HANDLED).hasValue(before);
        server.as(null).get("/open").is(200);
    }

    private interface Sending {
        void send(int stream) throws IOException;
    }

    /** Sends until the server says GOAWAY or hangs up; null when it hung up. */
    private static RawHttp2.@Nullable Frame flood(RawHttp2 client, Sending sending) throws IOException {
        try {
            for (int stream = 1; stream < 20_000; stream += 2) {
                sending.send(stream);
            }
        } catch (IOException closed) {
            return null;
        }
        try {
            return client.next(RawHttp2.GOAWAY);
        } catch (SocketException reset) {
            return null; // what was sent behind the end makes it a reset
        }
    }

    @Test
    @Proves("A39")
    void aSilentHttp2ConnectionIsClosed() throws IOException {
        try (TestServer strict = new TestServer(
                        table -> table.at(Level.ROOT).get(PUBLIC, "/open", _ -> Response.ok()),
                        new ConnectionLimits.Limits(Duration.ofMillis(200), 10));
                RawHttp2 client = new RawHttp2(strict.port())) {
            client.get(1, "/open");
            client.next(RawHttp2.HEADERS);
            RawHttp2.@Nullable Frame last = client.next();
            while (last != null) {
                last = client.next();
            }
        }
    }
}
