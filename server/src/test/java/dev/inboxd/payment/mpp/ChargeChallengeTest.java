package dev.inboxd.payment.mpp;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.payment.authorization.PaymentVectors;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The challenge of the Payment scheme, byte for byte, and the order of several. */
class ChargeChallengeTest {
    private static final byte[] KEY = "test-vector-secret".getBytes(StandardCharsets.UTF_8);
    private static final ChallengeSeal SEAL = new ChallengeSeal(List.of(KEY));
    private static final ChargeOffer EVM = new ChargeOffer(
            "evm",
            "2000000",
            "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
            "0x000000000000000000000000000000000000dEaD",
            Map.of("credentialTypes", List.of("authorization"), "chainId", 84532));

    /** Ids that mppx 0.11.0 computed. */
    @Test
    void theIdIsTheOneOfTheReferenceLibrary() {
        ChargeChallenge bare = SEAL.seal(new ChargeChallenge(
                "", "api.example.com", "tempo", "charge", "eyJhbW91bnQiOiIxMDAwMDAwIn0", null, null, null));
        assertThat(bare.id()).isEqualTo("X6v1eo7fJ76gAxqY0xN9Jd__4lUyDDYmriryOM-5FO4");
        ChargeChallenge full = SEAL.seal(new ChargeChallenge(
                "",
                "api.example.com",
                "tempo",
                "charge",
                new ChargeOffer(
                                "tempo",
                                "1000000",
                                "0x20c0000000000000000000000000000000000001",
                                "0x742d35Cc6634C0532925a3b844Bc9e7595f8fE00",
                                Map.of("é", "€", "chainId", 42431L, "b", List.of(1, 0.5, 1e21, Double.MIN_VALUE)))
                        .request(),
                "2026-01-01T00:05:00Z",
                "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
                "eyJuIjoiQUFBQUFBQUFBQUFBQUFBQUFBQUFBQSJ9"));
        assertThat(full.id()).isEqualTo("zrzAlhB2FfvRfRfHNlA8CsCAJSJsRvCgpqTy7QmLr1A");
    }

    @Test
    void theFieldIsTheOneThatAPublicClientAnswers() {
        ChargeChallenge challenge = SEAL.seal(new ChargeChallenge(
                "",
                "mpp.example.com",
                "evm",
                "charge",
                EVM.request(),
                "2099-01-01T00:05:00Z",
                ContentDigest.of(json("client_id", "x").getBytes(StandardCharsets.UTF_8)),
                "eyJuIjoiQUFBQUFBQUFBQUFBQUFBQUFBQUFBQSJ9"));
        assertThat(challenge.field()).isEqualTo(PaymentVectors.field("evm-challenge"));
    }

    @Test
    void twoChallengesOfOneSecondDiffer() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            ChargeChallenge challenge =
                    SEAL.challenge("mpp.example.com", EVM, Instant.parse("2026-01-01T00:05:00.999Z"), null);
            assertThat(challenge.expires()).isEqualTo("2026-01-01T00:05:00Z");
            assertThat(challenge.field()).doesNotContain("digest").hasSizeLessThan(4096);
            ids.add(challenge.id());
        }
        assertThat(ids).hasSize(1000);
    }

    @Test
    void theOpaqueParameterIsAnObjectOfStrings() {
        ChargeChallenge challenge = SEAL.challenge("mpp.example.com", EVM, Instant.EPOCH, null);
        String opaque =
                new String(Base64.getUrlDecoder().decode(String.valueOf(challenge.opaque())), StandardCharsets.UTF_8);
        assertThat(opaque.replace('"', ' ')).matches("\\{ n : [A-Za-z0-9_-]{22} }");
    }

    @Test
    void anOlderKeyKnowsItsChallengesAndASlotCannotBeMoved() {
        ChargeChallenge old = SEAL.challenge("mpp.example.com", EVM, Instant.EPOCH, "sha-256=:AA==:");
        assertThat(new ChallengeSeal(List.of(new byte[32], KEY)).knows(old)).isTrue();
        assertThat(new ChallengeSeal(List.of(new byte[32])).knows(old)).isFalse();
        String expires = String.valueOf(old.digest());
        String digest = String.valueOf(old.opaque());
        ChargeChallenge moved = new ChargeChallenge(
                old.id(),
                old.realm(),
                old.method(),
                old.intent(),
                old.request() + "|" + old.expires(),
                expires,
                digest,
                null);
        assertThat(SEAL.knows(moved)).isFalse();
        assertThat(SEAL.knows(old.under(old.id() + " "))).isFalse();
        assertThat(SEAL.knows(old.under(""))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "none | evm tempo solana",
                "evm/charge, tempo/charge | evm tempo solana",
                "tempo/charge | tempo evm solana",
                "solana/charge, tempo/charge;q=0.5, evm/charge;q=0.25 | solana tempo evm",
                "evm/charge;q=0 | tempo solana",
                "evm/charge;q=0.000, tempo/charge | tempo solana",
                "*/*;q=0 | evm tempo solana",
                "tempo/*, */*;q=0 | tempo",
                "*/charge;q=0.3, solana/charge | solana evm tempo",
                "tempo/session | evm tempo solana",
                "tempo/charge;q=0, tempo/charge;q=1 | tempo evm solana",
                "tempo/charge;q=2 | evm tempo solana",
                "tempo/charge;q=1.001 | evm tempo solana",
                "tempo/charge;q=.5 | evm tempo solana",
                "tempo/charge;level=1 | evm tempo solana",
                "tempo | evm tempo solana",
                "/ | evm tempo solana",
                "tempo/charge ; Q=1 , | tempo evm solana",
            })
    void thePreferencesOfTheClientOrderThem(String field, String methods) {
        List<ChargeOffer> offers = List.of(
                EVM,
                new ChargeOffer("tempo", "1", "c", "r", Map.of()),
                new ChargeOffer("solana", "1", "c", "r", Map.of()));
        assertThat(AcceptPayment.read(field == null ? List.of() : List.of(field))
                        .ordered(offers))
                .extracting(ChargeOffer::method)
                .containsExactly(methods.split(" "));
    }

    @Test
    void aFieldOfManyRangesCountsAsAbsent() {
        String many = "tempo/charge, " + "x/y, ".repeat(100);
        List<ChargeOffer> offers = List.of(EVM, new ChargeOffer("tempo", "1", "c", "r", Map.of()));
        assertThat(AcceptPayment.read(List.of(many)).ordered(offers)).isEqualTo(offers);
    }

    @Test
    void aReceiptSaysWhatWasPaid() {
        String header = PaymentReceipt.header("evm", Instant.parse("2026-01-01T00:00:01.5Z"), "0x12");
        assertThat(header).doesNotContain("=", "+", "/");
        assertThat(new String(Base64.getUrlDecoder().decode(header), StandardCharsets.UTF_8))
                .isEqualTo("""
                {"status":"success","method":"evm","timestamp":"2026-01-01T00:00:01.500Z","reference":"0x12"}""");
    }
}
