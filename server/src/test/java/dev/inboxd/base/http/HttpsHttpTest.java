package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.PUBLIC;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.base.tls.TrustAnyone;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTPS, with either protocol and a certificate that is looked after. */
class HttpsHttpTest {
    @TempDir
    private Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-20T10:00:00Z"));
    private final CountDownLatch slow = new CountDownLatch(1);
    private ServerTls tls;

    @BeforeEach
    void certificate() throws IOException {
        tls = ServerTls.selfSigned(folder, List.of("api.example"), now::get);
    }

    private TestServer server(ConnectionLimits.Limits limits) {
        return new TestServer(
                table -> {
                    table.at(Level.ROOT)
                            .get(PUBLIC, "/open", request -> Response.ok(Map.of("secure", request.isSecure())));
                    table.at(Level.ROOT).get(PUBLIC, "/slow", _ -> {
                        try {
                            assertThat(slow.await(20, TimeUnit.SECONDS)).isTrue();
                        } catch (InterruptedException interrupted) {
                            throw new IllegalStateException(interrupted);
                        }
                        return Response.ok(Map.of("slow", true));
                    });
                },
                limits,
                HttpSettings.Clients.ANY,
                tls);
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aClientChoosesItsProtocolInTheHandshake(HttpClient.Version version) throws Exception {
        try (TestServer server = server(ConnectionLimits.Limits.USUAL);
                HttpClient client = HttpClient.newBuilder()
                        .version(version)
                        .sslContext(TrustAnyone.context())
                        .build()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/open"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.version()).isEqualTo(version);
            assertThat(answer.body()).isEqualTo(json("secure", true));
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).hasValue("max-age=31536000");
        }
    }

    @Test
    @Tag("long")
    @Proves("P22a")
    void aNewCertificateIsPresentedWithoutARestart() throws Exception {
        try (TestServer server = server(ConnectionLimits.Limits.USUAL)) {
            assertThat(presented(server.port())).isEqualTo("CN=api.example");
            Path other = folder.resolve("other");
            ServerTls.selfSigned(other, List.of("new.example"), now::get);
            for (String file : new String[] {"tls-cert.pem", "tls-key.pem"}) {
                Files.write(folder.resolve(file), Files.readAllBytes(other.resolve(file)));
                Files.setLastModifiedTime(
                        folder.resolve(file), FileTime.from(Instant.now().plusSeconds(5)));
            }
            assertThat(presented(server.port())).isEqualTo("CN=api.example");
            now.updateAndGet(before -> before.plusSeconds(10));
            assertThat(presented(server.port())).isEqualTo("CN=new.example");
        }
    }

    @Test
    void plainHttpOnThePortOfHttpsGetsNoAnswer() throws IOException {
        try (TestServer server = server(ConnectionLimits.Limits.USUAL);
                RawSocket plain = new RawSocket(server.port())) {
            plain.send("GET /open HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(plain.rest()).doesNotContain("secure");
        }
    }

    @Test
    @Proves("A39")
    void aHandshakeThatDoesNotEndIsClosedAndARequestInProgressIsNot() throws Exception {
        try (TestServer server = server(new ConnectionLimits.Limits(Duration.ofMillis(200), 10));
                SSLSocket busy = connect(server.port());
                RawSocket silent = new RawSocket(server.port())) {
            busy.getOutputStream()
                    .write("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(silent.rest()).isEmpty();
            slow.countDown();
            assertThat(new String(busy.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .endsWith(json("slow", true));
        }
    }

    private static SSLSocket connect(int port) throws IOException, GeneralSecurityException {
        Socket tcp = new Socket(InetAddress.getLoopbackAddress(), port);
        tcp.setSoTimeout(20_000);
        SSLSocket socket =
                (SSLSocket) TrustAnyone.context().getSocketFactory().createSocket(tcp, "127.0.0.1", port, true);
        socket.startHandshake();
        return socket;
    }

    private static String presented(int port) throws IOException, GeneralSecurityException {
        try (SSLSocket socket = connect(port)) {
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }
}
