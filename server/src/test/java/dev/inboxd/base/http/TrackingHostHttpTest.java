package dev.inboxd.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.sending.tracking.TrackingHosts;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of this server that stand in tracked mail serve pixels and nothing else. */
class TrackingHostHttpTest {
    private static final String PUBLIC = "mail.dev.example";

    @RegisterExtension
    private static final World world = World.start(
            Map.of("INBOXD_TRACKING_HOST", "Pixel.dev.example", "INBOXD_PUBLIC_URL", "https://" + PUBLIC + ":8443"));

    @ParameterizedTest
    @Proves("A39c")
    @ValueSource(
            strings = {"pixel.dev.example", "PIXEL.dev.example:8443", "pixel.dev.example.", "link.customer.localhost"})
    void aTrackingHostHasPixelsAlone(String host) {
        assertThat(answer("GET /o/nothing HTTP/1.1", host)).contains(" 200 ", "image/gif");
        assertThat(answer("HEAD /o/nothing HTTP/1.1", host)).contains(" 200 ");
        for (String line : new String[] {
            "GET / HTTP/1.1",
            "GET /console HTTP/1.1",
            "GET /console?token=0123456789 HTTP/1.1",
            "GET /v0/inboxes HTTP/1.1\r\nAuthorization: Bearer " + world.key(),
            "GET /v0 HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer " + world.key(),
            "POST /mcp HTTP/1.1\r\nContent-Length: 0",
            "POST /o/nothing HTTP/1.1\r\nContent-Length: 0",
            "GET /docs HTTP/1.1",
            "GET /openapi.json HTTP/1.1",
            "GET /.well-known/openid-configuration HTTP/1.1",
            "GET /unsubscribe/x HTTP/1.1",
            "GET /healthz HTTP/1.1",
            "GET /nothing HTTP/1.1"
        }) {
            assertThat(answer(line, host))
                    .as(line)
                    .contains(" 404 ")
                    .doesNotContain("Did you mean /v0", "Set-Cookie", "Allow: DELETE");
        }
    }

    @Test
    @Proves("A39c")
    void theHostOfATargetCountsAsTheFieldDoes() {
        assertThat(answer("GET http://pixel.dev.example/docs HTTP/1.1", "pixel.dev.example"))
                .contains(" 404 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {PUBLIC, "localhost", "127.0.0.1"})
    void everyOtherHostHasBoth(String host) {
        assertThat(answer("GET /o/nothing HTTP/1.1", host)).contains(" 200 ");
        assertThat(answer("GET /healthz HTTP/1.1", host)).contains(" 200 ");
        assertThat(answer("GET /v0/inboxes HTTP/1.1\r\nAuthorization: Bearer " + world.key(), host))
                .contains(" 200 ");
    }

    @Test
    void aTrackingHostThatServesOtherThingsTooIsNotNarrowed() {
        TrackingHosts hosts = new TrackingHosts(Optional.of("link.example"), Set.of("link.example", "link.two"));
        assertThat(hosts.isForPixelsAlone("link.example")).isFalse();
        assertThat(hosts.isForPixelsAlone("link.two")).isFalse();
        assertThat(hosts.isForPixelsAlone("link.three")).isTrue();
        assertThat(hosts.isForPixelsAlone("linked.three")).isFalse();
        assertThat(new TrackingHosts(Optional.empty(), Set.of()).isForPixelsAlone("example"))
                .isFalse();
    }

    private static String answer(String lines, String host) {
        try (RawSocket socket = new RawSocket(world.httpPort())) {
            socket.send(lines + "\r\nHost: " + host + (lines.contains("Connection:") ? "" : "\r\nConnection: close")
                    + "\r\n\r\n");
            return lines.contains("Connection:") ? socket.answer().header() : socket.rest();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
