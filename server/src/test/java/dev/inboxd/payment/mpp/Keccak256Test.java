package dev.inboxd.payment.mpp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hash against values of Ethereum's libraries (viem 2.57.0), and its sponge against the JDK's SHA-3. */
class Keccak256Test {
    @ParameterizedTest
    @CsvSource({
        "'', 1, c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
        "abc, 1, 4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
        "RncxU2BQPjiP2-juUK8vJ6HY0cfcNHpvCrUfmSJii6s127.0.0.1, 1,"
                + " f3b397f208fbb68ffac5ba440b73b0584f3e261ff024116e993748a300b4e561",
        "a, 135, 34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446",
        "a, 136, a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e",
        "a, 272, cf7fcd4f705ee749930d19ca84561a9bf62516bd90a471545fa2f49fdc7e63c8",
    })
    void theHashIsTheOneOfEthereum(String text, int times, String digest) {
        byte[] message = text.repeat(times).getBytes(StandardCharsets.UTF_8);
        assertThat(HexFormat.of().formatHex(Keccak256.of(message))).isEqualTo(digest);
    }

    @Test
    void withThePaddingOfTheStandardItIsSha3OfTheJdk() throws Exception {
        Random random = new Random(202);
        MessageDigest sha3 = MessageDigest.getInstance("SHA3-256");
        for (int length = 0; length < 600; length++) {
            byte[] message = new byte[length];
            random.nextBytes(message);
            assertThat(Keccak256.sponge(message, (byte) 0x06)).isEqualTo(sha3.digest(message));
        }
    }
}
