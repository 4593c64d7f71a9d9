package dev.inboxd.base.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A self-signed certificate (RFC 5280), which asserts nothing but the possession of its key.
 *
 * @param certificate signed with its own key
 * @param privateKey on the curve P-256
 */
record SelfSignedCertificate(Certificate certificate, PrivateKey privateKey) {
    private static final Duration LIFE = Duration.ofDays(3_650);
    /** ecdsa-with-SHA256, RFC 5758 §3.2. */
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));

    private static final byte[] COMMON_NAME = Der.oid(2, 5, 4, 3);
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = Der.oid(2, 5, 29, 17);
    private static final int CONTEXT_0 = 0xa0;
    private static final int CONTEXT_3 = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    /**
     * A new key with a certificate, valid from a day before {@code now} for ten years.
     *
     * @param names host names and addresses; the first is a host name
     */
    static SelfSignedCertificate make(List<String> names, Instant now) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        byte[] toBeSigned = toBeSigned(
                names, now.minus(Duration.ofDays(1)), pair.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(toBeSigned);
        byte[] der = Der.sequence(toBeSigned, ECDSA_WITH_SHA256, Der.bits(signature.sign()));
        Certificate certificate =
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        return new SelfSignedCertificate(certificate, pair.getPrivate());
    }

    private static byte[] toBeSigned(List<String> names, Instant from, byte[] subjectPublicKey) {
        byte[] version3 = Der.tagged(CONTEXT_0, Der.integer(new byte[] {2}));
        byte[] serial = Der.integer(
                new BigInteger(127, new SecureRandom()).add(BigInteger.ONE).toByteArray());
        // RFC 5280 appendix A.1: a common name has at most 64 characters; clients check the alternative name.
        String hostName = names.getFirst();
        String shortName = hostName.substring(0, Math.min(64, hostName.length()));
        byte[] name = Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.utf8(shortName))));
        byte[] validity = Der.sequence(Der.time(from), Der.time(from.plus(LIFE)));
        byte[] alternatives = Der.sequence(
                names.stream().map(SelfSignedCertificate::alternative).toArray(byte[][]::new));
        byte[] extension = Der.sequence(SUBJECT_ALTERNATIVE_NAME, Der.octets(alternatives));
        byte[] extensions = Der.tagged(CONTEXT_3, Der.sequence(extension));
        return Der.sequence(version3, serial, ECDSA_WITH_SHA256, name, validity, name, subjectPublicKey, extensions);
    }

    /** RFC 5280 §4.2.1.6: an address is its octets. */
    private static byte[] alternative(String name) {
        try {
            return Der.tagged(IP_ADDRESS, InetAddress.ofLiteral(name).getAddress());
        } catch (IllegalArgumentException hostName) {
            return Der.tagged(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
