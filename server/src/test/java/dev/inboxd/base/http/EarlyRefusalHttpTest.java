package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.ANY_KEY;
import static dev.inboxd.base.access.Gate.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.proxy.HostRule;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is answered before its request was read is read by every client (RFC 9112 §9.6; ruling 145). */
class EarlyRefusalHttpTest {
    private static final String KEY = "Authorization: Bearer organization\r\n";
    private static final int NO_ERROR = 0;
    private static TestServer server;

    @BeforeAll
    static void start() {
        HostRule hosts = HostRule.development(List.of("x", "localhost"));
        server = new TestServer(
                table -> {
                    Routes root = table.at(Level.ROOT);
                    root.get(PUBLIC, "/open", _ -> Response.ok(Map.of("open", true)));
                    root.post(ANY_KEY, "/echo", request -> {
                        request.body();
                        return Response.ok();
                    });
                },
                ConnectionLimits.Limits.USUAL,
                HttpSettings.Clients.ANY.with(new PageRule(hosts, null, "Use another name.")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A client that writes all it has before it reads anything. */
    private static RawSocket.Answer answer(String head, int octets, boolean chunked) throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            String body = "A".repeat(octets);
            socket.send(head + (chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + octets) + "\r\n\r\n");
            if (!chunked) {
                socket.send(body);
                return socket.answer();
            }
            for (int i = 0; i < octets; i += 0x10000) {
                socket.send("10000\r\n" + "A".repeat(0x10000) + "\r\n");
            }
            socket.send("0\r\n\r\n");
            return socket.answer();
        }
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            strings = {
                "404 POST /nowhere HTTP/1.1\r\nHost: x\r\n",
                "404 PUT /echo HTTP/1.1\r\nHost: x\r\n",
                "401 POST /echo HTTP/1.1\r\nHost: x\r\n",
                "401 POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer other-key\r\n",
                "413 POST /echo HTTP/1.1\r\nHost: x\r\n" + KEY,
                "421 POST /echo HTTP/1.1\r\nHost: elsewhere.example\r\n" + KEY,
            })
    void theStatusIsReadByAClientThatWritesItsWholeBodyFirst(String expected) throws IOException {
        int status = Integer.parseInt(expected.substring(0, 3));
        for (int i = 0; i < 5; i++) {
            assertThat(answer(expected.substring(4), 5 << 20, false).status()).isEqualTo(status);
            assertThat(answer(expected.substring(4), 5 << 20, true).status()).isEqualTo(status);
        }
    }

    @Test
    void aHeaderThatIsTooLargeBeforeALargeBodyIsReadToo() throws IOException {
        String head = "POST /echo HTTP/1.1\r\nHost: x\r\nX-A: " + "a".repeat(30_000) + "\r\n";
        for (int i = 0; i < 5; i++) {
            assertThat(answer(head, 5 << 20, false).status()).isEqualTo(431);
        }
    }

    @Test
    void whoWaitsFor100ContinueIsRefusedWithoutIt() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\nExpect: 100-continue\r\n\r\n");
            RawSocket.Answer answer = socket.answer();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header()).contains("Connection: close");
            assertThat(socket.rest()).isEmpty();
        }
    }

    @Test
    @Tag("long")
    @Proves("A39")
    void aBodyWithoutEndIsCutOff() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n");
            assertThat(socket.answer().status()).isEqualTo(401);
            String piece = "A".repeat(1 << 20);
            long sent = 0;
            try {
                for (; sent < 200; sent++) {
                    socket.send(piece);
                }
            } catch (IOException closed) {
                assertThat(sent).isGreaterThanOrEqualTo(6);
            }
            assertThat(sent).isLessThan(30);
        }
    }

    @Test
    void anAnswerTellsHowLongItsConnectionIsKept() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send("GET /open HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(socket.answer().header()).contains("Keep-Alive: timeout=75\r\n");
            socket.send("GET /open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(socket.answer().header()).contains("Connection: close");
        }
    }

    @Test
    void overHttp2TheStreamAloneEndsAndTheSessionGoesOn() throws IOException {
        try (RawHttp2 client = new RawHttp2(server.port())) {
            for (int stream = 1; stream < 20; stream += 2) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.request("/nowhere"));
                assertThat(client.next(RawHttp2.HEADERS).stream()).isEqualTo(stream);
                client.send(RawHttp2.DATA, 0, stream, new byte[16_000]);
            }
            for (int i = 0; i < 10; i++) {
                assertThat(client.next(RawHttp2.RST_STREAM).error()).isEqualTo(NO_ERROR);
            }
            for (int i = 0; i < 15; i++) { // what was on its way
                client.send(RawHttp2.DATA, 0, 1, new byte[1_000]);
            }
            client.get(101, "/open");
            assertThat(client.next(RawHttp2.DATA).text()).contains("open");
        }
    }

    @Test
    void overHttp2WhoWaitsFor100ContinueIsRefusedWithoutIt() throws IOException {
        try (RawHttp2 client = new RawHttp2(server.port())) {
            byte[] head = RawHttp2.request("/nowhere", "content-length", "5000000", "expect", "100-continue");
            client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head);
            assertThat(client.next(RawHttp2.HEADERS).stream()).isEqualTo(1);
            for (RawHttp2.Frame frame = client.next(); frame != null; frame = client.next()) {
                assertThat(frame.type()).isNotEqualTo(RawHttp2.HEADERS);
                if (frame.type() == RawHttp2.RST_STREAM) {
                    assertThat(frame.error()).isEqualTo(NO_ERROR);
                    break;
                }
            }
            client.get(3, "/open");
            assertThat(client.next(RawHttp2.HEADERS).stream()).isEqualTo(3);
            assertThat(client.next(RawHttp2.DATA).text()).contains("open");
        }
    }

    @Test
    void aHeaderOfHttp2ThatIsTooLargeIsRefusedOnItsStream() throws IOException {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            fields.addAll(List.of("x-" + i, "v".repeat(20)));
        }
        try (RawHttp2 client = new RawHttp2(server.port())) {
            for (int stream = 1; stream < 10; stream += 4) {
                client.get(stream, "/open", fields.toArray(new String[0]));
                assertThat(client.next(RawHttp2.DATA).text()).contains("24576", "validation_error");
                client.get(stream + 2, "/open");
                assertThat(client.next(RawHttp2.DATA).text()).contains("open");
            }
        }
    }
}
