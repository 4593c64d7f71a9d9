package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.PUBLIC;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that take an answer so slowly that they hold its memory for as long as they like. */
class SlowReaderHttpTest {
    /** More than the systems of both ends keep for a peer that reads nothing. */
    private static final byte[] LARGE = new byte[32 << 20];

    private static final int ENHANCE_YOUR_CALM = 11;

    private final BlockingQueue<Boolean> written = new LinkedBlockingQueue<>();

    private TestServer server(ResponseWriter.MinimumRate pace) {
        return new TestServer(
                table -> {
                    Routes root = table.at(Level.ROOT);
                    root.get(PUBLIC, "/open", request -> Response.ok(Map.of("open", true)));
                    root.get(PUBLIC, "/bytes", request -> {
                        request.reserveText(LARGE.length); // all there is
                        request.onAnswered(written::add);
                        return Response.bytes(200, "text/plain", LARGE);
                    });
                    root.get(PUBLIC, "/stream", request -> {
                        request.onAnswered(written::add);
                        return Response.stream("text/plain", LARGE.length, new ByteArrayInputStream(LARGE));
                    });
                },
                new ConnectionLimits.Limits(
                        Duration.ofSeconds(30), 10, Duration.ofSeconds(30), Duration.ofSeconds(30), pace));
    }

    /** Nothing but what fits into the buffers of both ends is taken within it. */
    private static ResponseWriter.MinimumRate fast() {
        return new ResponseWriter.MinimumRate(Duration.ofMillis(200), 1L << 40);
    }

    private @Nullable Boolean isWritten() throws InterruptedException {
        return written.poll(20, TimeUnit.SECONDS);
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    @ParameterizedTest
    @Proves("P15")
    @ValueSource(strings = {"/bytes", "/stream"})
    void whoTakesAnAnswerTooSlowlyIsCutOff(String path) throws Exception {
        try (TestServer server = server(fast());
                RawSocket socket = new RawSocket(server.port())) {
            socket.send(get(path));
            assertThat(isWritten()).isFalse();
        }
    }

    /** It would be refused after ten seconds. */
    @Test
    @Proves("P15")
    void theMemoryOfAnAnswerThatIsNotTakenGoesToOthers() throws Exception {
        try (TestServer server = server(fast());
                RawSocket slow = new RawSocket(server.port());
                RawSocket next = new RawSocket(server.port())) {
            slow.send(get("/bytes"));
            next.send(get("/bytes"));
            assertThat(isWritten()).isFalse();
            assertThat(next.status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @Proves("P15")
    @ValueSource(strings = {"/bytes", "/stream"})
    void ofHttp2TheStreamIsCutOffAndTheOthersGoOn(String path) throws Exception {
        try (TestServer server = server(fast());
                RawHttp2 peer = new RawHttp2(server.port())) {
            peer.get(1, path); // and no window beyond the first
            RawHttp2.Frame cut = peer.next(RawHttp2.RST_STREAM);
            assertThat(cut.stream()).isEqualTo(1);
            assertThat(cut.error()).isEqualTo(ENHANCE_YOUR_CALM);
            assertThat(isWritten()).isFalse();
            peer.open(0, 1 << 20);
            peer.get(3, "/open");
            assertThat(peer.next(RawHttp2.DATA).text()).isEqualTo(json("open", true));
        }
    }

    @Test
    void ofHttp2TheConnectionIsCutOffWhenNothingIsTaken() throws Exception {
        try (TestServer server = server(fast());
                RawHttp2 peer = new RawHttp2(server.port())) {
            peer.window(Integer.MAX_VALUE);
            peer.open(0, Integer.MAX_VALUE - (1 << 16));
            peer.get(1, "/bytes");
            assertThat(isWritten()).isFalse();
        }
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"/bytes", "/stream"})
    void whoKeepsThePaceGetsAllOfIt(String path) throws Exception {
        try (TestServer server = server(new ResponseWriter.MinimumRate(Duration.ofMillis(1), 1));
                RawSocket socket = new RawSocket(server.port())) {
            socket.send(get(path));
            assertThat(socket.answer().body()).hasSize(LARGE.length);
            assertThat(isWritten()).isTrue();
            socket.send(get("/open"));
            assertThat(socket.answer().body()).as("on the same connection").isEqualTo(json("open", true));
        }
    }

    @Test
    void aTelephoneLineIsFastEnough() {
        ResponseWriter.MinimumRate usual = ResponseWriter.MinimumRate.USUAL;
        assertThat(usual.isMissed(Duration.ofSeconds(30).toNanos(), 0)).isFalse();
        assertThat(usual.isMissed(Duration.ofSeconds(31).toNanos(), 30_000)).isTrue();
        assertThat(usual.isMissed(Duration.ofSeconds(31).toNanos(), 31_000)).isFalse();
        assertThat(usual.isMissed(Duration.ofHours(1).toNanos(), 30 << 20))
                .as("30 MB, 64 kbit a second")
                .isFalse();
        assertThat(usual.isMissed(Duration.ofHours(1).toNanos(), 1 << 20)).isTrue();
    }
}
