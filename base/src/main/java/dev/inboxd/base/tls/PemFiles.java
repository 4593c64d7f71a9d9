package dev.inboxd.base.tls;

import dev.inboxd.base.id.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** Certificates and keys in the textual encodings of RFC 7468. */
final class PemFiles {
    private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String KEY_END = "-----END PRIVATE KEY-----";

    private PemFiles() {}

    /** Reads a certificate chain and its key; throws when they do not match. */
    static TlsIdentity identity(Path certificateFile, Path keyFile) throws IOException, GeneralSecurityException {
        List<X509Certificate> chain = certificates(certificateFile);
        X509Certificate own = chain.getFirst();
        PrivateKey key = privateKey(keyFile, own.getPublicKey().getAlgorithm());
        if (!belong(key, own.getPublicKey())) {
            throw new KeyException("the key is not the key of the certificate");
        }
        return new TlsIdentity(HexFormat.of().formatHex(Digests.sha256().digest(own.getEncoded())), key, chain);
    }

    /** The certificates in a file, at least one. */
    static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                certificates.add((X509Certificate) certificate);
            }
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("no certificate in " + file);
        }
        return certificates;
    }

    /** Writes both files, each whole or not at all, readable by the owner only. */
    static void write(SelfSignedCertificate pair, Path certificateFile, Path keyFile)
            throws IOException, GeneralSecurityException {
        write(keyFile, KEY_BEGIN, pair.privateKey().getEncoded(), KEY_END);
        byte[] certificate = pair.certificate().getEncoded();
        write(certificateFile, "-----BEGIN CERTIFICATE-----", certificate, "-----END CERTIFICATE-----");
    }

    private static void write(Path file, String begin, byte[] der, String end) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
        Path unfinished = Files.createTempFile(
                folder,
                ".tls",
                ".pem",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(unfinished, begin + "\n" + lines + "\n" + end + "\n");
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static PrivateKey privateKey(Path file, String algorithm) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file, StandardCharsets.US_ASCII);
        int begin = pem.indexOf(KEY_BEGIN);
        int end = pem.indexOf(KEY_END);
        if (begin < 0 || end < begin) {
            throw new KeyException("no PKCS#8 key in " + file + "; `openssl pkcs8 -topk8 -nocrypt` makes one");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(pem.substring(begin + KEY_BEGIN.length(), end));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (IllegalArgumentException e) {
            throw new KeyException("the key in " + file + " is damaged", e);
        }
    }

    private static boolean belong(PrivateKey key, PublicKey publicKey) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (publicKey.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> publicKey.getAlgorithm(); // EdDSA
                });
        byte[] probe = {1, 2, 3};
        signature.initSign(key);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(probe);
        return signature.verify(signed);
    }
}
