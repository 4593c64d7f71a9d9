package dev.inboxd.payment.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.payment.authorization.PaymentAuthorization.SignedPayload;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** By which texts a payment counts once, and which account pays. */
class PaymentAuthorizationTest {
    private static final String FROM = "0x2c7536e3605d9c16a7a3d7b1898e529396a65c23";
    private static final String OTHER = "0x1111111111111111111111111111111111111111";
    private static final ExactTransfer BASE = new ExactTransfer("eip155:84532", "0xAbCd", "1", "0xEf");
    private static final ExactTransfer SOLANA =
            new ExactTransfer("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "EPjFWdd5", "1", "Pay2");

    @Test
    void theKeyOfAnEvmAuthorizationIsItsNonceAndNotItsSignature() {
        PaymentAuthorization first = evm(Map.of("signature", "0x01"), null);
        PaymentAuthorization second = evm(Map.of("signature", "0x02"), null);
        assertThat(first.keys()).containsExactly("eip155:84532|0xabcd|" + FROM + "|0xaa");
        assertThat(second.keys()).isEqualTo(first.keys());
        assertThat(second.payloadDigest()).isNotEqualTo(first.payloadDigest());
    }

    @Test
    void theKeyOfAnyOtherIsTheDigestOfItsPayloadByValue() {
        String key = solana(Map.of("transaction", "AQ==", "memo", List.of(1L)))
                .keys()
                .getFirst();
        assertThat(key).matches("sha-256:[A-Za-z0-9_-]{43}");
        assertThat(solana(Map.of("memo", List.of(1.0), "transaction", "AQ==")).keys())
                .containsExactly(key);
        assertThat(solana(Map.of("transaction", "AQ==", "memo", List.of(2L))).keys())
                .doesNotContain(key);
    }

    @Test
    void theAccountIsTheJudgesAndAgreesWithWhatWasSigned() {
        PaymentAuthorization mine = evm(Map.of(), null);
        assertThat(mine.payer(FROM.toUpperCase(Locale.ROOT).replace("0X", "0x")))
                .isEqualTo(FROM);
        assertThat(mine.payer(null)).isEqualTo(FROM);
        assertThat(mine.payer("")).isEqualTo(FROM);
        assertThat(mine.payer("eip155:84532:" + FROM)).isEqualTo(FROM);
        assertThat(mine.payer(OTHER)).isNull();
        assertThat(mine.payer("0x12")).isNull();
        assertThat(mine.payer("<b>")).isNull();
        assertThat(mine.account(FROM)).isEqualTo("eip155:84532:" + FROM);
    }

    @Test
    void anAccountThatNobodyJudgedIsNone() {
        assertThat(solana(Map.of()).payer(null)).isNull();
        assertThat(solana(Map.of()).payer("4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"))
                .isEqualTo("4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU");
        assertThat(solana(Map.of()).payer("4zMM C9")).isNull();
        assertThat(solana(Map.of()).payer("a".repeat(129))).isNull();
        PaymentAuthorization tempo = PaymentAuthorization.of(
                PaymentVariant.MPP,
                "tempo",
                new ExactTransfer("eip155:4217", "0x20", "0", "0x1"),
                new SignedPayload(Map.of("type", "proof"), null, "did:pkh:eip155:4217:" + FROM, List.of("mpp:x")));
        assertThat(tempo.payer(null)).isNull();
        assertThat(tempo.payer(FROM)).isEqualTo(FROM);
        assertThat(tempo.payer(OTHER)).isNull();
        assertThat(tempo.keys()).hasSize(2).contains("mpp:x");
    }

    @Test
    void theSourceAgreesWithTheAccountOfTheChain() {
        assertThat(evm(Map.of(), "did:pkh:eip155:84532:" + FROM).sourceAgrees()).isTrue();
        assertThat(evm(Map.of(), null).sourceAgrees()).isTrue();
        assertThat(evm(Map.of(), "did:pkh:eip155:1:" + FROM).sourceAgrees()).isFalse();
        assertThat(evm(Map.of(), "did:pkh:eip155:84532:" + OTHER).sourceAgrees())
                .isFalse();
        assertThat(evm(Map.of(), "did:key:z6Mk").sourceAgrees()).isFalse();
    }

    @Test
    void theTextHasNothingOfWhatWasSigned() {
        assertThat(evm(Map.of("signature", "0x5167"), null).toString()).doesNotContain("0x5167", "payload");
        assertThat(new SignedPayload(Map.of("signature", "0x5167"), null, null, List.of()).toString())
                .doesNotContain("0x5167");
    }

    private static PaymentAuthorization evm(Map<String, Object> payload, @Nullable String source) {
        EvmAuthorization evm = new EvmAuthorization(
                FROM, "0xAA", "0xef", null, BigInteger.ONE, BigInteger.ZERO, BigInteger.valueOf(1_795_980_300));
        return PaymentAuthorization.of(
                PaymentVariant.X402, "exact", BASE, new SignedPayload(payload, evm, source, List.of()));
    }

    private static PaymentAuthorization solana(Map<String, Object> payload) {
        return PaymentAuthorization.of(
                PaymentVariant.X402, "exact", SOLANA, new SignedPayload(payload, null, null, List.of()));
    }
}
