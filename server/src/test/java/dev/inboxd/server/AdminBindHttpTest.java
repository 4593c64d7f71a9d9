package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.tls.TrustAnyone;
import dev.inboxd.testing.Refusal;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The operator's port where other machines reach it. */
class AdminBindHttpTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";
    private static final String APPS = "/admin/v0/apps";

    private static World exposed(int port, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("INBOXD_ADMIN_PORT", String.valueOf(port));
        settings.put("INBOXD_ADMIN_BIND", "0.0.0.0");
        settings.put("INBOXD_ADMIN_TOKEN", TOKEN);
        return World.start(settings);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void behindAProxyTheOperatorsInterfaceIsForThisMachineAndForTls() throws IOException {
        int port = freePort();
        try (World _ = exposed(port, Map.of("INBOXD_TRUSTED_PROXIES", "127.0.0.1"))) {
            HttpProbe here = HttpProbe.of(port, TOKEN);
            here.get(APPS).is(200);
            HttpProbe away = here.with("X-Forwarded-For", "203.0.113.9");
            Refusal.of(away.get(APPS), ErrorCode.FORBIDDEN, "INBOXD_TRUSTED_PROXIES");
            Refusal.of(away.with("X-Forwarded-Proto", "http").get(APPS), ErrorCode.FORBIDDEN);
            away.with("X-Forwarded-Proto", "https").get(APPS).is(200);
            away.get("/metrics").is(200);
            away.get("/healthz").is(200);
        }
    }

    @Test
    void withACertificateItSpeaksHttps() throws Exception {
        int port = freePort();
        try (World _ = exposed(port, Map.of("INBOXD_HTTP_TLS", "on"));
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(TrustAnyone.context())
                        .build()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + APPS))
                            .header("Authorization", "Bearer " + TOKEN)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
        }
    }
}
