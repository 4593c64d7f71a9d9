package dev.inboxd.smtp.client;

import dev.inboxd.base.tls.Certificates;
import dev.inboxd.net.Tlsa;
import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the certificates that TLSA records match (RFC 7671, RFC 7672 §3), or all certificates: where mail would
 * otherwise travel in clear text, unauthenticated encryption is better (RFC 7435 §3).
 */
public final class DaneTrust extends X509ExtendedTrustManager {
    private static final int AUTHORITY = 2;
    private static final int SERVER = 3;
    private static final int MOST_CERTIFICATES = 10;

    private final @Nullable Expected expected;

    /**
     * The expected server.
     *
     * @param host the server's name
     */
    record Expected(TlsRule.Dane rule, String host) {}

    /** @param expected the records and the server's name; null trusts every certificate */
    DaneTrust(@Nullable Expected expected) {
        this.expected = expected;
    }

    /** Whether a record can be used for SMTP (RFC 7672 §3.1.3: usages 0 and 1 are not used). */
    public static boolean isUsable(Tlsa record) {
        int digits = record.association().length();
        boolean wellFormed = switch (record.matching()) {
            case 0 -> digits > 0;
            case 1 -> digits == 64;
            case 2 -> digits == 128;
            default -> false;
        };
        return wellFormed
                && (record.usage() == AUTHORITY || record.usage() == SERVER)
                && (record.selector() == 0 || record.selector() == 1);
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (expected == null || expected.rule.records().isEmpty()) {
            return;
        }
        for (Tlsa record : expected.rule.records()) {
            if (record.usage() == SERVER ? matches(record, chain[0]) : hasAuthority(record, chain, expected)) {
                return; // RFC 7672 §3.1.1: for usage 3 neither name nor validity period counts
            }
        }
        throw new CertificateException("No TLSA record of " + expected.host + " matches its certificate");
    }

    /**
     * Whether the chain leads to the record's authority and its first certificate is for the host (RFC 7672 §3.1.2 and
     * §3.2.2).
     */
    private static boolean hasAuthority(Tlsa record, X509Certificate[] chain, Expected expected) {
        boolean named =
                Certificates.names(chain[0], expected.host) || Certificates.names(chain[0], expected.rule.domain());
        if (!named || chain.length > MOST_CERTIFICATES) {
            return false;
        }
        for (int i = 1; i < chain.length; i++) {
            if (matches(record, chain[i]) && leadsTo(chain[i], List.of(chain).subList(0, i))) {
                return true;
            }
        }
        X509Certificate authority = authorityInRecord(record);
        return authority != null && leadsTo(authority, List.of(chain));
    }

    /**
     * The authority's certificate when the record holds all of it (RFC 7671 §5.2.3), as the server need not send it
     * then.
     */
    private static @Nullable X509Certificate authorityInRecord(Tlsa record) {
        if (record.selector() != 0 || record.matching() != 0) {
            return null;
        }
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(HexFormat.of().parseHex(record.association())));
        } catch (CertificateException noCertificate) {
            return null;
        }
    }

    private static boolean leadsTo(X509Certificate authority, List<X509Certificate> chain) {
        try {
            authority.checkValidity();
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
            parameters.setRevocationEnabled(false); // as mail servers do: no revocation service answers in time
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (int length = 1; length <= chain.size(); length++) {
                if (validates(factory, new ArrayList<>(chain.subList(0, length)), parameters)) {
                    return true;
                }
            }
            return false;
        } catch (GeneralSecurityException unusable) {
            return false;
        }
    }

    private static boolean validates(CertificateFactory factory, List<X509Certificate> path, PKIXParameters parameters)
            throws GeneralSecurityException {
        try {
            CertPathValidator.getInstance("PKIX").validate(factory.generateCertPath(path), parameters);
            return true;
        } catch (java.security.cert.CertPathValidatorException broken) {
            return false;
        }
    }

    private static boolean matches(Tlsa record, X509Certificate certificate) {
        try {
            byte[] selected = record.selector() == 0
                    ? certificate.getEncoded()
                    : certificate.getPublicKey().getEncoded();
            byte[] matched = switch (record.matching()) {
                case 0 -> selected;
                case 1 -> MessageDigest.getInstance("SHA-256").digest(selected);
                default -> MessageDigest.getInstance("SHA-512").digest(selected);
            };
            return HexFormat.of().formatHex(matched).equals(record.association());
        } catch (GeneralSecurityException unreadable) {
            return false;
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("Client certificates are not used");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("Client certificates are not used");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("Client certificates are not used");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
