package dev.inboxd.mail.dkim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever makes a signature, Java or the library, it is the same. */
class NativeSignaturesTest {
    private static final byte[] OCTETS = "What is signed".getBytes(StandardCharsets.US_ASCII);

    @ParameterizedTest
    @CsvSource({"RSA, SHA256withRSA", "Ed25519, Ed25519"})
    void theLibrarySignsAsJavaDoes(String kind, String algorithm) throws Exception {
        DkimKey key = kind.equals("RSA") ? DkimKey.generate() : DkimKey.generateEd25519();
        PrivateKey secret = KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(key.pkcs8()));
        assertThat(signed(NativeSignatures.of(algorithm), secret))
                .isEqualTo(signed(Signature.getInstance(algorithm), secret));
    }

    @ParameterizedTest
    @CsvSource({"SHA256withRSA", "Ed25519"})
    void whereThereIsALibraryForTheMachineItSigns(String algorithm) throws Exception {
        boolean expected = Set.of("amd64", "aarch64").contains(System.getProperty("os.arch"))
                && System.getProperty("os.name").equals("Linux");
        assertThat(NativeSignatures.library() != null).isEqualTo(expected);
        if (expected) {
            assertThat(NativeSignatures.of(algorithm).getProvider().getName()).isEqualTo(NativeSignatures.library());
        }
    }

    private static byte[] signed(Signature signature, PrivateKey secret) throws Exception {
        signature.initSign(secret);
        signature.update(OCTETS);
        return signature.sign();
    }
}
