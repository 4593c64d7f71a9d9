package dev.inboxd.mail.dkim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.TestZone;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys and signatures that strangers made to break who verifies: none counts, and none is an error of ours. */
class HostileKeysTest {
    private static final byte[] OCTETS = "What is signed".getBytes(StandardCharsets.US_ASCII);
    private static final BigInteger TWO = BigInteger.TWO;
    private static final BigInteger USUAL = BigInteger.valueOf(65_537);
    /** Odd and as long as usual; nobody knows of what primes. */
    private static final BigInteger MODULUS =
            new BigInteger(2_048, new Random(1)).setBit(2_047).setBit(0);

    private static final List<Integer> LENGTHS = List.of(1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 4_096);

    @Test
    @Proves("A10")
    void numbersThatAreNoRsaKeyVerifyNothing() throws IOException {
        for (BigInteger exponent : List.of(
                BigInteger.ZERO,
                BigInteger.ONE,
                TWO,
                BigInteger.valueOf(4),
                USUAL.negate(),
                TWO.pow(33).add(BigInteger.ONE),
                TWO.pow(63).setBit(0),
                TWO.pow(64),
                MODULUS,
                MODULUS.add(TWO))) {
            isNoPass("rsa", key(MODULUS, exponent), "exponent " + exponent);
        }
        for (BigInteger modulus : List.of(
                BigInteger.ZERO,
                BigInteger.ONE,
                MODULUS.negate(),
                MODULUS.clearBit(0),
                TWO.pow(2_047),
                TWO.pow(1_023),
                TWO.pow(4_095),
                TWO.pow(20_000).setBit(0),
                MODULUS.setBit(4_095))) {
            isNoPass("rsa", key(modulus, USUAL), "modulus of " + modulus.bitLength() + " bits");
            isNoPass("rsa", key(modulus, BigInteger.ONE), "modulus of " + modulus.bitLength() + " bits, exponent 1");
        }
    }

    @Test
    @Tag("long")
    @Proves("A10")
    void keysThatAreCutShortOrMadeOfAnythingVerifyNothing() throws Exception {
        byte[] whole = pair(2_048, USUAL).getPublic().getEncoded();
        for (int length = 0; length < whole.length; length += 7) {
            isNoPass("rsa", Arrays.copyOf(whole, length), length + " octets");
        }
        Random random = new Random(2);
        for (int i = 0; i < 100; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(40)] = (byte) random.nextInt();
            isNoPass("rsa", changed, "changed at random, " + i);
            byte[] point = new byte[32];
            random.nextBytes(point);
            isNoPass("ed25519", point, "a point at random, " + i);
        }
        for (int first : List.of(0, 1, 0xEC, 0xED, 0xEE, 0xFF)) { // 2^255 - 19 is ED FF … FF 7F
            for (int middle : List.of(0, 0xFF)) {
                for (int last : List.of(0, 0x7F, 0x80, 0xFF)) {
                    byte[] point = new byte[32];
                    Arrays.fill(point, (byte) middle);
                    point[0] = (byte) first;
                    point[31] = (byte) last;
                    isNoPass("ed25519", point, first + " " + middle + " " + last);
                }
            }
        }
        isNoPass("ed25519", new byte[31], "too short");
        isNoPass("ed25519", new byte[33], "too long");
    }

    /** RFC 8301 §3.2 knows no largest exponent: one that the library does not take is Java's to judge. */
    @Test
    @Tag("long")
    void aSignatureCountsWhateverTheLibraryThinksOfItsKey() throws Exception {
        for (BigInteger exponent : List.of(BigInteger.valueOf(3), USUAL, BigInteger.valueOf((1L << 40) + 15))) {
            KeyPair pair = pair(2_048, exponent);
            Signature java = Signature.getInstance("SHA256withRSA");
            java.initSign(pair.getPrivate());
            java.update(OCTETS);
            byte[] signature = java.sign();
            assertThat(SignatureAlgorithm.RSA_SHA256.verifies(pair.getPublic(), OCTETS, signature))
                    .as("%s", exponent)
                    .isTrue();
            assertThat(SignatureAlgorithm.RSA_SHA256.sign(pair.getPrivate(), OCTETS))
                    .as("%s", exponent)
                    .isEqualTo(signature);
            assertThat(SignatureAlgorithm.RSA_SHA256.verifies(pair.getPublic(), new byte[1], signature))
                    .isFalse();
        }
    }

    /** Signatures of all lengths, of zeros, of ones, and larger than the modulus. */
    private static void isNoPass(String kind, byte[] key, String what) throws IOException {
        List<byte[]> signatures = new ArrayList<>();
        for (int length : LENGTHS) {
            byte[] ones = new byte[length];
            Arrays.fill(ones, (byte) 0xFF);
            byte[] one = new byte[length];
            one[length - 1] = 1;
            signatures.addAll(List.of(ones, one));
        }
        TestZone zone = new TestZone().add("s._domainkey.a.test", "TXT", "v=DKIM1; k=" + kind + "; p=" + base64(key));
        StringBuilder mail = new StringBuilder();
        for (List<byte[]> some :
                List.of(signatures.subList(0, 10), signatures.subList(10, 20), signatures.subList(12, 22))) {
            mail.setLength(0);
            some.forEach(signature -> mail.append("DKIM-Signature: v=1; a=")
                    .append(kind)
                    .append("-sha256; d=a.test; s=s; h=from;")
                    .append(" bh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=; b=")
                    .append(base64(signature))
                    .append('\n'));
            assertThat(DkimCheckTest.check(mail + "From: jo@a.test\n\n", zone, Instant.EPOCH))
                    .as(what)
                    .hasSize(10)
                    .extracting(DkimResult::outcome)
                    .allMatch(List.of(AuthResult.FAIL, AuthResult.PERMERROR, AuthResult.POLICY)::contains);
        }
    }

    private static KeyPair pair(int bits, BigInteger exponent) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(new RSAKeyGenParameterSpec(bits, exponent));
        return generator.generateKeyPair();
    }

    /** The bare RSAPublicKey of RFC 8017 §A.1.1. */
    private static byte[] key(BigInteger modulus, BigInteger exponent) {
        ByteArrayOutputStream numbers = new ByteArrayOutputStream();
        numbers.writeBytes(element(0x02, modulus.toByteArray()));
        numbers.writeBytes(element(0x02, exponent.toByteArray()));
        return element(0x30, numbers.toByteArray());
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length >= 0x80) {
            out.write(0x82);
            out.write(content.length >> 8);
        }
        out.write(content.length);
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static String base64(byte[] octets) {
        return Base64.getEncoder().encodeToString(octets);
    }
}
