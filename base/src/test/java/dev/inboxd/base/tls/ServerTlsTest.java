package dev.inboxd.base.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTlsTest {
    private Instant now = Instant.parse("2026-11-20T10:00:00Z");
    private final InstantSource clock = () -> now;

    @Test
    void theGeneratedCertificateIsWellFormedAndItsKeyPrivate(@TempDir Path directory)
            throws IOException, GeneralSecurityException {
        ServerTls.selfSigned(directory, List.of("mx.inbox.example"), clock);
        X509Certificate certificate = (X509Certificate)
                SelfSignedCertificate.make(List.of("mx.inbox.example"), now).certificate();
        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity(java.util.Date.from(now));
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=mx.inbox.example");
        assertThat(certificate.getSubjectAlternativeNames()).containsExactly(List.of(2, "mx.inbox.example"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("tls-key.pem"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aCertificateNamesHostsAndAddressesEachInItsForm() throws GeneralSecurityException {
        X509Certificate certificate = (X509Certificate)
                SelfSignedCertificate.make(List.of("mx.mail.localhost", "localhost", "127.0.0.1", "::1"), now)
                        .certificate();
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=mx.mail.localhost");
        assertThat(certificate.getSubjectAlternativeNames())
                .containsExactly(
                        List.of(2, "mx.mail.localhost"),
                        List.of(2, "localhost"),
                        List.of(7, "127.0.0.1"),
                        List.of(7, "0:0:0:0:0:0:0:1"));
    }

    @Test
    void datesFrom2050OnAreWrittenInFull() throws GeneralSecurityException {
        X509Certificate certificate = (X509Certificate)
                SelfSignedCertificate.make(List.of("mx.inbox.example"), Instant.parse("2045-01-01T00:00:00Z"))
                        .certificate();
        assertThat(certificate.getNotAfter().toInstant()).isAfter(Instant.parse("2054-01-01T00:00:00Z"));
    }

    @Test
    void theKeyPairIsKeptOverARestart(@TempDir Path directory) throws IOException {
        ServerTls.selfSigned(directory, List.of("mx.inbox.example"), clock);
        String key = Files.readString(directory.resolve("tls-key.pem"));
        ServerTls.selfSigned(directory, List.of("mx.inbox.example"), clock);
        assertThat(directory.resolve("tls-key.pem")).hasContent(key);
    }

    @Test
    @Proves("P22a")
    void changedFilesAreTakenUpWithinTenSecondsAndBadOnesAreNot(@TempDir Path directory)
            throws IOException, GeneralSecurityException {
        Path certificate = directory.resolve("tls-cert.pem");
        Path key = directory.resolve("tls-key.pem");
        ServerTls tls = ServerTls.selfSigned(directory, List.of("mx.inbox.example"), clock);
        assertThat(presented(tls)).isEqualTo("CN=mx.inbox.example");

        PemFiles.write(SelfSignedCertificate.make(List.of("new.example"), now), certificate, key);
        assertThat(presented(tls)).isEqualTo("CN=mx.inbox.example");
        now = now.plus(Duration.ofSeconds(10));
        assertThat(presented(tls)).isEqualTo("CN=new.example");

        Files.writeString(certificate, "damaged");
        now = now.plus(Duration.ofSeconds(10));
        assertThat(presented(tls)).isEqualTo("CN=new.example");
    }

    @Test
    void aHandshakeEndsWithTheIdentityItBeganWith(@TempDir Path directory)
            throws IOException, GeneralSecurityException {
        ServerTls tls = ServerTls.selfSigned(directory, List.of("mx.inbox.example"), clock);
        String before = tls.current().name();
        PemFiles.write(
                SelfSignedCertificate.make(List.of("new.example"), now),
                directory.resolve("tls-cert.pem"),
                directory.resolve("tls-key.pem"));
        now = now.plus(Duration.ofSeconds(10));
        String after = tls.current().name();
        IdentityKeys keys = new IdentityKeys(tls);
        for (String name : List.of(before, after)) {
            assertThat(Objects.requireNonNull(keys.getCertificateChain(name))[0]
                            .getSubjectX500Principal()
                            .getName())
                    .isEqualTo(name.equals(before) ? "CN=mx.inbox.example" : "CN=new.example");
            assertThat(keys.getPrivateKey(name))
                    .isSameAs(Objects.requireNonNull(tls.named(name)).key());
        }
        assertThat(keys.chooseEngineServerAlias("EC", null, null)).isEqualTo(after);
        assertThat(keys.chooseEngineServerAlias("RSA", null, null)).isNull();
    }

    /** What a real client is shown in a real handshake. */
    private static String presented(ServerTls tls) throws IOException, GeneralSecurityException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket tcp = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
                SSLSocket server = tls.wrap(listener.accept());
                SSLSocket client = (SSLSocket) TrustAnyone.context()
                        .getSocketFactory()
                        .createSocket(tcp, "127.0.0.1", listener.getLocalPort(), true)) {
            tcp.setSoTimeout(20_000);
            Thread serving = Thread.startVirtualThread(() -> {
                try {
                    server.startHandshake();
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            client.startHandshake();
            serving.join();
            X509Certificate shown = (X509Certificate) client.getSession().getPeerCertificates()[0];
            return shown.getSubjectX500Principal().getName();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void aKeyOfAnotherCertificateIsRefusedAtTheStart(@TempDir Path directory) throws IOException {
        ServerTls.selfSigned(directory.resolve("a"), List.of("a.example"), clock);
        ServerTls.selfSigned(directory.resolve("b"), List.of("b.example"), clock);
        assertThatThrownBy(() -> ServerTls.fromFiles(
                        directory.resolve("a/tls-cert.pem"), directory.resolve("b/tls-key.pem"), clock))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not the key of the certificate");
        Files.writeString(directory.resolve("rsa.pem"), "-----BEGIN RSA PRIVATE KEY-----\n");
        assertThatThrownBy(() ->
                        ServerTls.fromFiles(directory.resolve("a/tls-cert.pem"), directory.resolve("rsa.pem"), clock))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("openssl pkcs8");
    }
}
