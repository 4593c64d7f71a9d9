package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.http.RawWebSocket.Frame;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.base.tls.TrustAnyone;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a WebSocket costs at most, whoever is at its other end (events.md §5.2; promises.md A44). */
class WebSocketsHttpTest {
    /** Silence ends a connection long before a test is over; a WebSocket is another matter. */
    private static final ConnectionLimits.Limits HASTY = limits(Duration.ofMillis(200));
    /** Who reads nothing answers no ping either, and is to be let go for the former. */
    private static final ConnectionLimits.Limits PATIENT = limits(Duration.ofSeconds(20));

    private static final int MOST_FRAMES = 1_000;
    private static final int MOST_BYTES = 1 << 20;

    @TempDir
    private Path folder;

    /** Tells how many texts of that size were taken for the peer before the connection ended, once it says anything. */
    private static final class Torrent implements WebSocketHandler {
        private final CompletableFuture<Integer> taken = new CompletableFuture<>();
        private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
        private final int size;
        private @Nullable WebSocketConnection socket;

        Torrent(int size) {
            this.size = size;
        }

        @Override
        public void opened(WebSocketConnection opened) {
            socket = opened;
        }

        @Override
        public void received(byte[] text) {
            byte[] frame = ("\"" + "x".repeat(size - 2) + "\"").getBytes(StandardCharsets.US_ASCII);
            int count = 0;
            while (Objects.requireNonNull(socket).send(frame)) {
                count++;
            }
            taken.complete(count);
        }

        @Override
        public void closed() {
            closed.complete(true);
        }
    }

    private static ConnectionLimits.Limits limits(Duration ping) {
        return new ConnectionLimits.Limits(Duration.ofMillis(1_500), 10, ping, Duration.ofSeconds(30));
    }

    private TestServer server(WebSocketHandler conversation, ConnectionLimits.Limits limits, @Nullable ServerTls tls) {
        return new TestServer(
                table -> table.at(Level.ROOT).socket(PUBLIC, "/socket", _ -> conversation),
                limits,
                HttpSettings.Clients.ANY,
                tls);
    }

    private static RawWebSocket open(TestServer server, boolean secure) throws Exception {
        java.net.Socket tcp = new java.net.Socket(InetAddress.getLoopbackAddress(), server.port());
        return new RawWebSocket(
                secure
                        ? TrustAnyone.context().getSocketFactory().createSocket(tcp, "127.0.0.1", server.port(), true)
                        : tcp,
                "/socket",
                "organization");
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(booleans = {false, true})
    void whoAnswersPingsStaysHoweverSilent(boolean secure) throws Exception {
        ServerTls tls = secure ? ServerTls.selfSigned(folder, List.of("api.example"), Instant::now) : null;
        Torrent conversation = new Torrent(10);
        try (TestServer server = server(conversation, HASTY, tls);
                RawWebSocket peer = open(server, secure)) {
            for (int i = 0; i < 10; i++) {
                Frame ping = peer.next();
                assertThat(ping.isPing()).isTrue();
                peer.pong(ping);
            }
            assertThat(conversation.closed).isNotDone();
        }
        assertThat(conversation.closed.get(20, TimeUnit.SECONDS))
                .as("the peer left")
                .isTrue();
    }

    @ParameterizedTest
    @Proves("A44")
    @ValueSource(booleans = {false, true})
    void whoMissesTwoPingsIsCutOff(boolean secure) throws Exception {
        ServerTls tls = secure ? ServerTls.selfSigned(folder, List.of("api.example"), Instant::now) : null;
        Torrent conversation = new Torrent(10);
        try (TestServer server = server(conversation, HASTY, tls);
                RawWebSocket peer = open(server, secure)) {
            assertThat(peer.next().isPing()).isTrue();
            assertThat(peer.next().isPing()).isTrue();
            assertThatThrownBy(peer::next)
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
            assertThat(conversation.closed.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A frame of megabytes is still being sent when the answer comes, which a reset would take from its peer. */
    @Test
    @Tag("long")
    void whoSendsTooMuchReadsWhyAndIsNotReset() throws Exception {
        for (int i = 0; i < 5; i++) {
            try (TestServer server = server(new Torrent(10), PATIENT, null);
                    RawWebSocket peer = open(server, false)) {
                peer.say("x".repeat(4 << 20));
                peer.say("x".repeat(4 << 20));
                assertThat(peer.count()).isZero();
                assertThat(peer.closeCode()).isEqualTo(1009);
            }
        }
    }

    /** A thousand frames, or a megabyte; whichever is reached first. */
    @Test
    @Proves("A44")
    void whoReadsNothingHasAThousandFramesWaitingAtMost() throws IOException {
        int size = 500;
        int lost = lost(size);
        assertThat(lost).isBetween(MOST_FRAMES, MOST_FRAMES + 1);
        assertThat(lost * size).isLessThan(MOST_BYTES);
    }

    @Test
    void whoReadsNothingHasAMegabyteWaitingAtMost() throws IOException {
        int size = 50_000;
        assertThat(lost(size) * size).isBetween(MOST_BYTES - 2 * size, MOST_BYTES + size);
    }

    /** How many of the frames that were taken for a peer never reached it, since it read too late. */
    private int lost(int size) throws IOException {
        Torrent conversation = new Torrent(size);
        try (TestServer server = server(conversation, PATIENT, null);
                RawWebSocket peer = RawWebSocket.small(server.port(), "/socket", "organization")) {
            peer.say("go");
            int taken = conversation.taken.orTimeout(20, TimeUnit.SECONDS).join();
            int read = peer.count();
            assertThat(peer.closeCode()).isEqualTo(WebSocketConnection.TRY_AGAIN_LATER);
            return taken - read;
        }
    }
}
