package dev.inboxd.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connection goes to an address, the certificate is checked against the name. */
final class SafeHttpTlsTest {
    private final FakeDns server =
            FakeDns.start().addresses("hook.example", "127.0.0.1").addresses("other.example", "127.0.0.1");
    private static TestCertificate certificate;
    private FakeEndpoint endpoint;

    @BeforeAll
    static void certify(@TempDir Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        certificate = TestCertificate.of(folder, "dns:hook.example");
    }

    @BeforeEach
    void start() throws GeneralSecurityException {
        endpoint = FakeEndpoint.start(certificate.server());
    }

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
        server.close();
    }

    @Test
    void theNameIsKeptInSniHostAndCertificateCheck() throws GeneralSecurityException, IOException {
        assertThat(post("hook.example", certificate.trust())).isEqualTo(new HttpOutcome.Response(200, null, 0, false));
        FakeEndpoint.Received received = endpoint.take();
        assertThat(received.serverName()).isEqualTo("hook.example");
        assertThat(received.fields().get("Host")).startsWith("hook.example:");
    }

    @Test
    void aCertificateForAnotherNameIsRefused() throws GeneralSecurityException, IOException {
        assertRefused(post("other.example", certificate.trust()));
        assertRefused(post("127.0.0.1", certificate.trust()));
    }

    @Test
    void aCertificateNobodyVouchesForIsRefused() {
        assertRefused(post("hook.example", null));
    }

    private HttpOutcome post(String host, @Nullable KeyStore trust) {
        TargetRules rules = TargetRules.DEVELOPMENT;
        Dns dns = new Dns(server.servers(), Duration.ofSeconds(5));
        try (SafeHttp http = new SafeHttp(rules, HttpClients.start(rules, dns, "inboxd/test", trust))) {
            Target target = ((TargetCheck.Valid) http.check(endpoint.url(host, "/"))).target();
            return http.post(new PostRequest(target, List.of(), "{}".getBytes(UTF_8), Duration.ofSeconds(20), "ep"));
        }
    }

    private void assertRefused(HttpOutcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        HttpOutcome.NoResponse.class,
                        failed -> assertThat(failed.kind()).as(failed.detail()).isEqualTo(HttpOutcome.Failure.TLS));
        assertThat(endpoint.received()).isEmpty();
    }
}
