package dev.inboxd.base.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Inspects certificates without using them. */
public final class Certificates {
    private static final int DNS_NAME = 2;

    private Certificates() {}

    /**
     * The server's certificate in a PEM file.
     *
     * @param key the private key, in PEM
     * @throws IOException when a file cannot be read
     * @throws GeneralSecurityException when the two do not match, or are damaged
     */
    public static X509Certificate read(Path certificate, Path key) throws IOException, GeneralSecurityException {
        return PemFiles.identity(certificate, key).chain().getFirst();
    }

    /** All certificates in a PEM file, such as those of authorities. */
    public static List<X509Certificate> readAll(Path file) throws IOException, GeneralSecurityException {
        return PemFiles.certificates(file);
    }

    /**
     * Whether the certificate names the host: by an alternative name, perhaps with a wildcard as its first label
     * (RFC 9525 §6).
     */
    public static boolean names(X509Certificate certificate, String host) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names != null
                    && names.stream()
                            .filter(name -> Integer.valueOf(DNS_NAME).equals(name.get(0)))
                            .anyMatch(name -> matches(String.valueOf(name.get(1)), host));
        } catch (CertificateParsingException damaged) {
            return false;
        }
    }

    private static boolean matches(String pattern, String host) {
        String name = pattern.toLowerCase(Locale.ROOT);
        String hostName = host.toLowerCase(Locale.ROOT);
        int dot = hostName.indexOf('.');
        return name.equals(hostName)
                || (name.startsWith("*.") && dot > 0 && name.substring(1).equals(hostName.substring(dot)));
    }
}
