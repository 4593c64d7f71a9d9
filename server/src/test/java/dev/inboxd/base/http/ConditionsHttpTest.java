package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.ANY_KEY;
import static dev.inboxd.base.access.Gate.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions wherever an ETag is sent, and HEAD where GET is (RFC 9110 §9.3.2, §13; ruling 148). */
class ConditionsHttpTest {
    private static final String FILE = "0123456789";
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(table -> {
            Routes root = table.at(Level.ROOT);
            root.page(
                    "/file",
                    request -> new FileDownload(
                                    "a.txt",
                                    "text/plain",
                                    FILE.length(),
                                    "one",
                                    (from, length) -> new ByteArrayInputStream(
                                            FILE.substring((int) from).getBytes(StandardCharsets.US_ASCII)))
                            .to(request));
            root.get(ANY_KEY, "/weak", _ -> Response.ok(Map.of("a", 1)).header("ETag", "W/\"rv-1\""));
            root.getAlone(PUBLIC, "/wait", _ -> Response.ok());
        });
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RawSocket.Answer ask(String method, String path, String fields) throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send(method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer organization\r\n" + fields
                    + "Connection: close\r\n\r\n");
            String all = socket.rest();
            int end = all.indexOf("\r\n\r\n");
            return new RawSocket.Answer(
                    Integer.parseInt(all.substring(9, 12)), all.substring(0, end), all.substring(end + 4));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "If-None-Match: \"one\"\r\n",
                "If-None-Match: W/\"one\"\r\n",
                "If-None-Match: \"x\", \"one\"\r\n",
                "If-None-Match: \"x\"\r\nIf-None-Match: \"one\"\r\n",
                "If-None-Match: *\r\n",
                "If-None-Match: \"one\"\r\nRange: bytes=0-1\r\n",
                "If-None-Match: \"one\"\r\nRange: bytes=99-\r\n",
                "If-None-Match: \"one\"\r\nIf-Match: \"one\"\r\n"
            })
    void aKnownStateIsNotSentAgain(String fields) throws IOException {
        for (String method : new String[] {"GET", "HEAD"}) {
            RawSocket.Answer answer = ask(method, "/file", fields);
            assertThat(answer.status()).as(fields).isEqualTo(304);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.header())
                    .contains("ETag: \"one\"")
                    .doesNotContain("Content-Range", "Content-Disposition");
        }
        assertThat(ask("GET", "/weak", "If-None-Match: \"rv-1\"\r\n").status()).isEqualTo(304);
    }

    @Test
    void anotherStateIsSentOrRefused() throws IOException {
        assertThat(ask("GET", "/file", "If-None-Match: \"two\"\r\n").body()).isEqualTo(FILE);
        assertThat(ask("GET", "/file", "If-Match: \"one\"\r\n").status()).isEqualTo(200);
        assertThat(ask("GET", "/file", "If-Match: *\r\n").status()).isEqualTo(200);
        for (String other : new String[] {"\"two\"", "W/\"one\"", "one"}) {
            RawSocket.Answer answer = ask("GET", "/file", "If-Match: " + other + "\r\n");
            assertThat(answer.status()).as(other).isEqualTo(412);
            assertThat(answer.body()).contains("precondition_failed");
            assertThat(ask("HEAD", "/file", "If-Match: " + other + "\r\n").status())
                    .isEqualTo(412);
        }
    }

    @Test
    void headIsAsGetButForWaits() throws IOException {
        RawSocket.Answer head = ask("HEAD", "/weak", "");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header()).contains("Content-Length: 7", "application/json", "ETag: W/\"rv-1\"");
        assertThat(head.body()).isEmpty();
        assertThat(ask("HEAD", "/wait", "").status()).isEqualTo(404);
        assertThat(ask("HEAD", "/nowhere", "").status()).isEqualTo(404);
    }
}
