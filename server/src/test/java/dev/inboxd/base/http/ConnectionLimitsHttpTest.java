package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.PUBLIC;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Peers that hold connections for nothing. */
class ConnectionLimitsHttpTest {
    private static final String OPEN = "GET /open HTTP/1.1\r\nHost: x\r\n\r\n";

    private static void routes(RouteTable table) {
        table.at(Level.ROOT).get(PUBLIC, "/open", request -> Response.ok(Map.of("open", true)));
    }

    @Test
    @Proves("A39")
    void aHeaderThatDoesNotEndClosesTheConnection() throws IOException {
        try (TestServer server = new TestServer(
                        ConnectionLimitsHttpTest::routes, new ConnectionLimits.Limits(Duration.ofMillis(200), 10));
                RawSocket socket = new RawSocket(server.port())) {
            socket.send(OPEN);
            assertThat(socket.answer().status()).isEqualTo(200);
            socket.send("GET /open HTTP/1.1\r\nHos");
            assertThat(socket.rest()).isEmpty();
        }
    }

    @Test
    void aRequestInProgressMayTakeLonger() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (TestServer server = new TestServer(
                        table -> table.at(Level.ROOT).get(PUBLIC, "/slow", request -> {
                            try {
                                assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
                            } catch (InterruptedException interrupted) {
                                throw new IllegalStateException(interrupted);
                            }
                            return Response.ok(Map.of("slow", true));
                        }),
                        new ConnectionLimits.Limits(Duration.ofMillis(200), 10));
                RawSocket slow = new RawSocket(server.port());
                RawSocket silent = new RawSocket(server.port())) {
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(silent.rest()).isEmpty();
            closed.countDown();
            assertThat(slow.answer().body()).isEqualTo(json("slow", true));
        }
    }

    @Test
    @Proves("A39")
    void anAddressHasItsShareOfConnectionsAndGetsThemBack() throws IOException {
        try (TestServer server = new TestServer(
                ConnectionLimitsHttpTest::routes, new ConnectionLimits.Limits(Duration.ofSeconds(30), 2))) {
            try (RawSocket first = new RawSocket(server.port());
                    RawSocket second = new RawSocket(server.port())) {
                first.send(OPEN);
                assertThat(first.answer().status()).isEqualTo(200);
                second.send(OPEN);
                assertThat(second.answer().status()).isEqualTo(200);
                try (RawSocket third = new RawSocket(server.port())) {
                    assertThat(third.rest()).isEmpty();
                }
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!served(server.port())) {
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
        }
    }

    private static boolean served(int port) {
        try (RawSocket socket = new RawSocket(port)) {
            socket.send(OPEN);
            return socket.answer().status() == 200;
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    @Proves("A39")
    void aBodyMayPauseAndMustNotTrickle() {
        long second = 1_000_000_000;
        assertThat(BodyReader.isTooSlow(30 * second, 0)).isFalse();
        assertThat(BodyReader.isTooSlow(31 * second, 30_999)).isTrue();
        assertThat(BodyReader.isTooSlow(31 * second, 31_000)).isFalse();
        assertThat(BodyReader.isTooSlow(600 * second, 599_999)).isTrue();
    }
}
