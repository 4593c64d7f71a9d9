package dev.inboxd.receive;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of TLS: a certificate chain and its key in PEM files, read again when the files change. TLS 1.2 and
 * later. For any thread.
 */
public final class ServerTls {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final Path certificate;
    private final Path key;
    private final InstantSource clock;
    private Instant lookedAt;
    private List<FileTime> versions;
    private SSLContext context;

    private ServerTls(Path certificate, Path key, InstantSource clock) throws IOException {
        this.certificate = certificate;
        this.key = key;
        this.clock = clock;
        this.lookedAt = clock.instant();
        this.versions = versions();
        try {
            this.context = PemFiles.context(certificate, key);
        } catch (GeneralSecurityException e) {
            throw new IOException("Cannot use " + certificate + " with " + key + ": " + e.getMessage(), e);
        }
    }

    /**
     * Uses files that the operator looks after.
     *
     * @param certificate the server's certificate, then those that lead to its root, in PEM
     * @param key the private key as PKCS#8 in PEM, not encrypted
     * @throws IOException when they cannot be read or do not belong together; the message says what to do
     */
    public static ServerTls fromFiles(Path certificate, Path key, InstantSource clock) throws IOException {
        return new ServerTls(certificate, key, clock);
    }

    /**
     * Uses {@code tls-cert.pem} and {@code tls-key.pem} in the folder; where they are missing, makes a P-256 key (mode
     * 0600) and a self-signed certificate, which is what opportunistic TLS between mail servers needs (RFC 7435 §3).
     */
    public static ServerTls selfSigned(Path directory, String hostName, InstantSource clock) throws IOException {
        Path certificate = directory.resolve("tls-cert.pem");
        Path key = directory.resolve("tls-key.pem");
        if (!Files.exists(certificate) || !Files.exists(key)) {
            try {
                PemFiles.write(SelfSignedCertificate.make(hostName, clock.instant()), certificate, key);
            } catch (GeneralSecurityException e) {
                throw new IOException("Cannot make a self-signed certificate", e);
            }
        }
        return new ServerTls(certificate, key, clock);
    }

    /**
     * The context to use now. At most every 10 s the files are looked at; a bad new pair is logged and the old one
     * stays.
     */
    public synchronized SSLContext context() {
        Instant now = clock.instant();
        if (Duration.between(lookedAt, now).compareTo(LOOK_AGAIN) >= 0) {
            lookedAt = now;
            reloadIfChanged();
        }
        return context;
    }

    /** Puts TLS over a connected socket; the handshake is the caller's. Closing the result closes the socket. */
    SSLSocket wrap(Socket tcp) throws IOException {
        SSLSocket socket = (SSLSocket) context().getSocketFactory().createSocket(tcp, null, true);
        socket.setEnabledProtocols(PROTOCOLS);
        return socket;
    }

    private void reloadIfChanged() {
        try {
            List<FileTime> found = versions();
            if (!found.equals(versions)) {
                versions = found;
                context = PemFiles.context(certificate, key);
                LOG.info("Loaded the new certificate {}", certificate);
            }
        } catch (IOException | GeneralSecurityException e) {
            LOG.warn("Keeping the old certificate, the new one cannot be used: {}", e.getMessage());
        }
    }

    private List<FileTime> versions() throws IOException {
        return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
    }
}
