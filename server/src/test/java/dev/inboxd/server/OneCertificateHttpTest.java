package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.tls.TrustAnyone;
import dev.inboxd.testing.Proves;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** The whole service under TLS. */
class OneCertificateHttpTest {
    @Test
    @Proves("P22a")
    void httpsAndStartTlsPresentTheSameCertificateAndLinksAreHttps() throws Exception {
        try (World world = World.start(Map.of("INBOXD_HTTP_TLS", "on"));
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(TrustAnyone.context())
                        .build()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + world.httpPort() + "/v0/nothing"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).contains("https://127.0.0.1:" + world.httpPort() + "/docs/errors#not_found");
            Certificate ofHttp = answer.sslSession().orElseThrow().getPeerCertificates()[0];
            assertThat(startTls(world.smtpPort())).isEqualTo(ofHttp);
        }
    }

    private static Certificate startTls(int port) throws IOException, GeneralSecurityException {
        try (Socket tcp = new Socket(InetAddress.getLoopbackAddress(), port)) {
            tcp.setSoTimeout(20_000);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(tcp.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(in.readLine()).startsWith("220");
            tcp.getOutputStream().write("EHLO client.example\r\nSTARTTLS\r\n".getBytes(StandardCharsets.US_ASCII));
            String line = in.readLine();
            while (!line.startsWith("220")) {
                line = in.readLine();
            }
            SSLSocket secured =
                    (SSLSocket) TrustAnyone.context().getSocketFactory().createSocket(tcp, "127.0.0.1", port, true);
            secured.startHandshake();
            return secured.getSession().getPeerCertificates()[0];
        }
    }
}
