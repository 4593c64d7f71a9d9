package dev.inboxd.smtp.client;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS of the SMTP client (RFC 3207). Safe for concurrent use. */
public final class ClientTls {
    private final SSLContext verified;
    private final SSLContext unverified;

    /**
     * TLS with trusted authorities.
     *
     * @param authorities certificates of authorities trusted beside those of the platform; may be empty
     */
    public ClientTls(List<X509Certificate> authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities.isEmpty() ? null : together(authorities));
            this.verified = context(factory.getTrustManagers());
            this.unverified = context(new DaneTrust(null));
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalStateException("The certificates of the trusted authorities are unusable", unusable);
        }
    }

    /** A trust store with the authorities of the platform and further ones. */
    public static KeyStore together(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
        TrustManagerFactory platform = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        platform.init((KeyStore) null);
        KeyStore all = KeyStore.getInstance("PKCS12");
        all.load(null, null);
        int number = 0;
        for (TrustManager manager : platform.getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                for (X509Certificate issuer : x509.getAcceptedIssuers()) {
                    all.setCertificateEntry("platform" + number++, issuer);
                }
            }
        }
        for (X509Certificate authority : authorities) {
            all.setCertificateEntry("given" + number++, authority);
        }
        return all;
    }

    /**
     * Creates a TLS socket over a connection; the caller performs the handshake.
     *
     * @param socket connected; closed along with the TLS socket
     */
    SSLSocket over(Socket socket, SmtpEndpoint endpoint) throws IOException {
        SSLContext context = switch (endpoint.tls()) {
            case TlsRule.Verified _ -> verified;
            case TlsRule.Dane dane -> context(new DaneTrust(new DaneTrust.Expected(dane, endpoint.host())));
            case TlsRule.Opportunistic _, TlsRule.Clear _ -> unverified;
        };
        SSLSocket tls =
                (SSLSocket) context.getSocketFactory().createSocket(socket, endpoint.host(), endpoint.port(), true);
        SSLParameters parameters = tls.getSSLParameters();
        if (endpoint.tls() instanceof TlsRule.Verified) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // RFC 8461 §4.1: the rules of RFC 6125
        }
        SNIHostName name = serverName(endpoint.host());
        parameters.setServerNames(name == null ? List.of() : List.of(name));
        tls.setSSLParameters(parameters);
        return tls;
    }

    /** The name for SNI: a host name, never an address (RFC 6066 §3); null when the host has none. */
    private static @Nullable SNIHostName serverName(String host) {
        boolean address = host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
        try {
            return address ? null : new SNIHostName(host);
        } catch (IllegalArgumentException noHostName) {
            return null; // such as a name with an underscore: certificates contain no such name either
        }
    }

    private static SSLContext context(TrustManager... managers) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers, new SecureRandom());
            return context;
        } catch (GeneralSecurityException everyJavaHasTls) {
            throw new IllegalStateException(everyJavaHasTls);
        }
    }
}
