package dev.inboxd.tenant.apikey;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.testing.Proves;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public keys against the vectors of identity.md §9 and against keys that the JDK makes. */
class P256KeyTest {
    private static final String X = "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY";
    private static final String Y = "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU";
    private static final BigInteger P =
            new BigInteger("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16);

    @Test
    void theVectorHasItsFingerprintAndName() {
        P256Key key = read(jwk("EC", "P-256", X, Y));
        assertThat(key.fingerprint()).isEqualTo("xx0BcA-wMohw8atYDJOe6peGModklG2wRHBlXHMvl0M");
        assertThat(P256Key.of(key.point())).isEqualTo(key);
        assertThat(key.point()).hasSize(64);
    }

    @Test
    void everyKeyThatTheJdkMakesIsTaken() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        for (int i = 0; i < 200; i++) {
            ECPublicKey made = (ECPublicKey) generator.generateKeyPair().getPublic();
            String x = text(made.getW().getAffineX());
            String y = text(made.getW().getAffineY());
            assertThat(read(jwk("EC", "P-256", x, y))).isEqualTo(new P256Key(x, y));
            assertThatThrownBy(() -> read(
                            jwk("EC", "P-256", x, text(made.getW().getAffineY().flipBit(i(made))))))
                    .isInstanceOf(Problem.class);
        }
    }

    private static int i(ECPublicKey key) {
        return key.getW().getAffineX().intValue() & 127;
    }

    /** The same residues, spelled as larger numbers, are not the key. */
    @Test
    @Proves("A33")
    void coordinatesBeyondTheFieldAreRefused() {
        BigInteger small = BigInteger.ZERO;
        while (root(small) == null) {
            small = small.add(BigInteger.ONE);
        }
        BigInteger y = Objects.requireNonNull(root(small));
        String large = text(small.add(P));
        assertThat(read(jwk("EC", "P-256", text(small), text(y))).x()).isEqualTo(text(small));
        assertThat(faults(jwk("EC", "P-256", large, text(y)))).containsExactly(List.of("public_key"));
    }

    /** P is 3 modulo 4, so a square's root is its power of (p + 1) / 4. */
    private static @Nullable BigInteger root(BigInteger x) {
        BigInteger b = new BigInteger("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);
        BigInteger square =
                x.pow(3).subtract(x.multiply(BigInteger.valueOf(3))).add(b).mod(P);
        BigInteger root = square.modPow(P.add(BigInteger.ONE).shiftRight(2), P);
        return root.modPow(BigInteger.TWO, P).equals(square) ? root : null;
    }

    @ParameterizedTest
    @Proves("A33")
    @CsvSource(
            delimiter = '|',
            value = {
                "EC | P-256 | X | X | ",
                "EC | P-256 | axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZ | Y | x",
                "EC | P-256 | axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY= | Y | x",
                "EC | P-256 | axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwp | Y | x",
                "EC | P-256 | X | T+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU | y",
                "EC | P-256 | X | '' | y",
                "RSA | P-256 | X | Y | kty",
                "ec | P-256 | X | Y | kty",
                "EC | P-384 | X | Y | crv",
                "EC | '' | X | Y | crv",
                "EC | P-256 | AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA |"
                        + " AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA | ",
            })
    void whatIsNoKeyIsRefusedWhereItIsWrong(String kty, String crv, String x, String y, String member) {
        String jwk = jwk(kty, crv, x.equals("X") ? X : x, y.equals("Y") ? Y : y.equals("X") ? X : y);
        assertThat(faults(jwk))
                .first()
                .isEqualTo(member == null ? List.of("public_key") : List.of("public_key", member));
    }

    @ParameterizedTest
    @Proves("A33")
    @CsvSource({"d", "kid", "alg", "use", "key_ops", "ext", "x5c", "X"})
    void everyOtherMemberIsRefused(String member) {
        String jwk = jwk("EC", "P-256", X, Y);
        String more = jwk.substring(0, jwk.length() - 2) + ",\"" + member + "\":\"AQAB\"}}";
        assertThat(faults(more)).containsExactly(List.of("public_key", member));
    }

    @Test
    void whatIsNoObjectIsRefused() {
        for (String value : List.of("null", "7", "\"EC\"", "[]", "true")) {
            assertThat(faults(json("public_key", rawJson(value)))).containsExactly(List.of("public_key"));
        }
        assertThat(faults(json("public_key", Map.of())))
                .containsExactly(
                        List.of("public_key", "kty"),
                        List.of("public_key", "crv"),
                        List.of("public_key", "x"),
                        List.of("public_key", "y"));
        assertThat(faults(json("public_key", object("kty", "EC", "crv", "P-256", "x", 1, "y", List.of()))))
                .containsExactly(List.of("public_key", "x"), List.of("public_key", "y"));
    }

    private static P256Key read(String json) {
        JsonBody body = JsonBody.read(json.getBytes(StandardCharsets.UTF_8), new Faults());
        P256Key key = P256Key.read(body);
        body.check();
        return Objects.requireNonNull(key);
    }

    private static List<List<Object>> faults(String json) {
        try {
            throw new AssertionError("taken: " + read(json));
        } catch (Problem refused) {
            return refused.faults().stream().map(fault -> fault.path()).toList();
        }
    }

    private static String jwk(String kty, String crv, String x, String y) {
        return json("public_key", object("kty", kty, "crv", crv, "x", x, "y", y));
    }

    private static String text(BigInteger number) {
        byte[] bytes = number.toByteArray();
        byte[] whole = new byte[32];
        int length = Math.min(32, bytes.length);
        System.arraycopy(bytes, bytes.length - length, whole, 32 - length, length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, 32));
    }
}
