package dev.inboxd.base.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of the server: a certificate chain and its key in PEM files, which are read again when they change. TLS 1.2 and
 * later (RFC 8996). Thread-safe.
 */
public final class ServerTls {
    /** Enabled protocols, the best first. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final Path certificate;
    private final Path key;
    private final InstantSource clock;
    private final SSLContext context;
    private Instant lookedAt;
    private List<FileTime> versions;
    private TlsIdentity current;
    /** The previous identity: a handshake that began with it ends with it. */
    private @Nullable TlsIdentity former;

    private ServerTls(Path certificate, Path key, InstantSource clock) throws IOException {
        this.certificate = certificate;
        this.key = key;
        this.clock = clock;
        this.lookedAt = clock.instant();
        this.versions = versions();
        try {
            this.current = PemFiles.identity(certificate, key);
            this.context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new IdentityKeys(this)}, null, null);
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot use " + certificate + " with " + key + ": " + e.getMessage(), e);
        }
    }

    /**
     * Uses files that the operator maintains.
     *
     * @param certificate the server's certificate, then those up to its root, in PEM
     * @param key the private key as PKCS#8 in PEM, not encrypted
     * @throws IOException when they cannot be read or do not match; the message names the remedy
     */
    public static ServerTls fromFiles(Path certificate, Path key, InstantSource clock) throws IOException {
        return new ServerTls(certificate, key, clock);
    }

    /**
     * Uses {@code tls-cert.pem} and {@code tls-key.pem} in the folder. Missing files are created: a P-256 key (mode
     * 0600) and a self-signed certificate, which is all that opportunistic TLS between mail servers needs (RFC 7435
     * §3).
     *
     * @param names host names and addresses that the certificate is for; the first is a host name
     */
    public static ServerTls selfSigned(Path directory, List<String> names, InstantSource clock) throws IOException {
        Path certificate = directory.resolve("tls-cert.pem");
        Path key = directory.resolve("tls-key.pem");
        if (!Files.exists(certificate) || !Files.exists(key)) {
            try {
                PemFiles.write(SelfSignedCertificate.make(names, clock.instant()), certificate, key);
            } catch (GeneralSecurityException e) {
                throw new IOException("Cannot make a self-signed certificate", e);
            }
        }
        return new ServerTls(certificate, key, clock);
    }

    /**
     * The context of this server. Each handshake presents the current certificate: the files are checked at most every
     * 10 s; a bad new pair is logged and the old one stays.
     */
    public SSLContext context() {
        return context;
    }

    /** The certificate that the next handshake presents. */
    public X509Certificate certificate() {
        return current().chain().getFirst();
    }

    /** Layers TLS over a connected socket; the caller does the handshake. Closing the result closes the socket. */
    public SSLSocket wrap(Socket tcp) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(tcp, null, true);
        socket.setEnabledProtocols(PROTOCOLS.toArray(new String[0]));
        return socket;
    }

    synchronized TlsIdentity current() {
        Instant now = clock.instant();
        if (Duration.between(lookedAt, now).compareTo(LOOK_AGAIN) >= 0) {
            lookedAt = now;
            reloadIfChanged();
        }
        return current;
    }

    synchronized @Nullable TlsIdentity named(String name) {
        return name.equals(current.name()) ? current : former;
    }

    private void reloadIfChanged() {
        try {
            List<FileTime> latest = versions();
            if (!latest.equals(versions)) {
                versions = latest;
                TlsIdentity fresh = PemFiles.identity(certificate, key);
                former = current;
                current = fresh;
                LOG.info("Loaded the new certificate {}", certificate);
            }
        } catch (IOException | GeneralSecurityException e) {
            LOG.warn("The new certificate is invalid, the old one stays in use: {}", e.getMessage());
        }
    }

    private List<FileTime> versions() throws IOException {
        return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
    }
}
