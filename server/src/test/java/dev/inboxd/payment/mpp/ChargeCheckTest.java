package dev.inboxd.payment.mpp;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.payment.authorization.PaymentAuthorization;
import dev.inboxd.payment.authorization.PaymentVectors;
import dev.inboxd.payment.mpp.ChargeCheck.Call;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Authorization: Payment, as a public client writes it and as nobody should. */
class ChargeCheckTest {
    private static final Instant NOW = Instant.parse("2026-11-29T20:00:00Z");
    private static final ChallengeSeal SEAL =
            new ChallengeSeal(List.of("test-vector-secret".getBytes(StandardCharsets.UTF_8)));
    private static final ChargeCheck CHECK = new ChargeCheck(SEAL, "mpp.example.com");
    private static final String DIGEST =
            String.valueOf(ContentDigest.of(json("client_id", "x").getBytes(StandardCharsets.UTF_8)));
    private static final String USDC = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
    private static final String PAYEE = "0x000000000000000000000000000000000000dEaD";
    private static final Map<String, Object> DETAILS =
            Map.of("chainId", 84532, "credentialTypes", List.of("authorization"));
    private static final ChargeOffer EVM = new ChargeOffer("evm", "2000000", USDC, PAYEE, DETAILS);
    private static final ChargeOffer TEMPO = new ChargeOffer(
            "tempo",
            "0",
            "0x20c0000000000000000000000000000000000000",
            "0x742d35Cc6634C0532925a3b844Bc9e7595f8fE00",
            Map.of("chainId", 42431));

    @Test
    void whatThePublicClientSignsIsTaken() throws Exception {
        ChargeCredential credential = read(PaymentVectors.field("evm"));
        PaymentAuthorization authorization = CHECK.authentic(credential);
        CHECK.current(credential, authorization, new Call(List.of(TEMPO, EVM), DIGEST), NOW);
        assertThat(authorization.keys())
                .containsExactly(
                        "eip155:84532|0x036cbd53842c5426634e7929541ec2318f3dcf7e|"
                                + "0x2c7536e3605d9c16a7a3d7b1898e529396a65c23|"
                                + "0x6966fa8998412f051106f172a4f4f20b9eff15f2471f29b6398f1fcfa50f8435",
                        "mpp:qxb-hgMQU1oLcTiZB1FXX1dFe7V0TL5d5PFuDJZuXkQ");
        assertThat(authorization.payer(null)).isEqualTo("0x2c7536e3605d9c16a7a3d7b1898e529396a65c23");
        assertThat(authorization.end()).isEqualTo("2099-01-01T00:05:00Z");
        assertThat(credential.toString()).doesNotContain("0x8a52");
        assertThat(credential.exactPayload()).containsOnlyKeys("signature", "authorization");
        assertThat((Map<?, ?>) credential.exactPayload().get("authorization")).hasSize(6);
    }

    @Test
    void aProofOfAnotherMethodIsLeftToItsVerifier() throws Exception {
        ChargeCredential credential = read(PaymentVectors.field("tempo"));
        PaymentAuthorization authorization = CHECK.authentic(credential);
        CHECK.current(credential, authorization, new Call(List.of(EVM, TEMPO), DIGEST), NOW);
        assertThat(authorization.transfer().amount()).isEqualTo("0");
        assertThat(authorization.evm()).isNull();
        assertThat(authorization.keys()).hasSize(2);
        assertThat(authorization.payer(null)).isNull();
        assertThat(authorization.payer("0x2C7536E3605D9C16a7a3D7b1898e529396a65c23"))
                .isEqualTo("0x2c7536e3605d9c16a7a3d7b1898e529396a65c23");
    }

    @Test
    void whatTheCallWantsNowDecides() throws Exception {
        ChargeCredential credential = read(PaymentVectors.field("evm"));
        assertThat(refusal(credential, new Call(List.of(EVM.at("10000")), DIGEST), NOW))
                .isEqualTo(ProblemType.PAYMENT_INSUFFICIENT);
        assertThat(refusal(credential, new Call(List.of(TEMPO), DIGEST), NOW))
                .isEqualTo(ProblemType.METHOD_UNSUPPORTED);
        assertThat(refusal(credential, new Call(List.of(EVM), null), NOW)).isEqualTo(ProblemType.INVALID_CHALLENGE);
        assertThat(refusal(credential, new Call(List.of(EVM), "sha-256=:AA==:"), NOW))
                .isEqualTo(ProblemType.INVALID_CHALLENGE);
        ChargeOffer moved = new ChargeOffer("evm", "2000000", USDC, USDC, DETAILS);
        assertThat(refusal(credential, new Call(List.of(moved), DIGEST), NOW)).isEqualTo(ProblemType.INVALID_CHALLENGE);
        Instant end = Instant.parse("2099-01-01T00:05:00Z");
        assertThat(refusal(credential, new Call(List.of(EVM), DIGEST), end)).isEqualTo(ProblemType.PAYMENT_EXPIRED);
        assertThat(refusal(credential, new Call(List.of(EVM), DIGEST), end.minusSeconds(4)))
                .isEqualTo(ProblemType.VERIFICATION_FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "realm", "method", "intent", "request", "expires", "digest", "opaque"})
    void aParameterThatIsNotOursIsNoChallengeOfOurs(String name) {
        Map<String, Object> whole = whole("evm");
        members(whole, "challenge").compute(name, (_, value) -> value + "A");
        assertThat(authentic(whole)).isEqualTo(ProblemType.INVALID_CHALLENGE);
        if (!List.of("id", "realm", "method", "intent", "request").contains(name)) {
            members(whole, "challenge").remove(name);
            assertThat(authentic(whole)).isEqualTo(ProblemType.INVALID_CHALLENGE);
        }
    }

    @Test
    void aChallengeOfAnotherHostOrIntentIsNotOurs() {
        ChargeCheck other = new ChargeCheck(SEAL, "other.example.com");
        assertThatThrownBy(() -> other.authentic(read(PaymentVectors.field("evm"))))
                .isInstanceOf(ChargeException.class);
        ChargeChallenge ours = read(PaymentVectors.field("evm")).challenge();
        ChargeChallenge session = SEAL.seal(new ChargeChallenge(
                "",
                ours.realm(),
                ours.method(),
                "session",
                ours.request(),
                ours.expires(),
                ours.digest(),
                ours.opaque()));
        Map<String, Object> whole = whole("evm");
        whole.put("challenge", session.members());
        assertThat(authentic(whole)).isEqualTo(ProblemType.INVALID_CHALLENGE);
    }

    @ParameterizedTest
    @CsvSource({
        "value, 1999999, invalid_exact_evm_payload_authorization_value_mismatch",
        "to, 0x036CbD53842c5426634e7929541eC2318f3dCF7e, invalid_exact_evm_payload_recipient_mismatch",
        "validAfter, 4070908000, invalid_exact_evm_payload_authorization_valid_after",
        "validBefore, 1, invalid_exact_evm_payload_authorization_valid_before",
        "nonce, 0x6966fa8998412f051106f172a4f4f20b9eff15f2471f29b6398f1fcfa50f8436,"
                + " its nonce is not that of the challenge",
        "type, hash, its type is not offered",
        "from, 0x1111111111111111111111111111111111111111, its source is another account",
    })
    void aPayloadThatDoesNotFitIsRefused(String name, String value, String detail) {
        Map<String, Object> whole = whole("evm");
        members(whole, "payload").put(name, value);
        ChargeCredential credential = read(field(whole));
        assertThatThrownBy(() ->
                        CHECK.current(credential, CHECK.authentic(credential), new Call(List.of(EVM), DIGEST), NOW))
                .isInstanceOfSatisfying(
                        ChargeException.class,
                        refused -> assertThat(refused.type()).isEqualTo(ProblemType.VERIFICATION_FAILED))
                .hasMessage("The payment cannot be verified: " + detail);
    }

    @Test
    void aPayloadOfAnotherFormIsMalformed() {
        for (String name : List.of("from", "to", "value", "nonce", "validBefore", "signature", "type")) {
            Map<String, Object> whole = whole("evm");
            members(whole, "payload").put(name, 7L);
            assertThat(authentic(whole)).isEqualTo(ProblemType.MALFORMED_CREDENTIAL);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Payment",
                "Payment ",
                "Payment !",
                "Payment e30",
                "Payment eyJjaGFsbGVuZ2UiOnt9fQ",
                "Bearer x",
                "Paymente30",
                "Payment e30, Payment e30",
                "Payment eyJhIjoxLCJhIjoyfQ"
            })
    void whatIsNoCredentialIsMalformed(String value) {
        assertThat(malformed(List.of(value)).type()).isEqualTo(ProblemType.MALFORMED_CREDENTIAL);
    }

    @Test
    void aFieldThatIsTwiceOrTooLongIsMalformed() {
        String field = PaymentVectors.field("evm");
        assertThat(malformed(List.of(field, field)).message()).contains("once");
        assertThat(malformed(List.of("Payment " + "A".repeat(16_385))).message())
                .contains("16384");
        assertThat(ChargeCredential.isOne("payment x")).isTrue();
        assertThat(ChargeCredential.isOne("PAYMENT")).isTrue();
        assertThat(ChargeCredential.isOne("Payments x")).isFalse();
        String padded = Base64.getUrlEncoder().encodeToString(Json.write(whole("evm")));
        assertThat(read("pAYMENT   " + padded).source()).isNotNull();
    }

    @Test
    void theBodyOfARefusalSaysItsType() {
        Problem problem = ProblemType.INVALID_CHALLENGE.on(Problem.of(ErrorCode.CONFLICT, "m"), "id");
        assertThat(problem.details())
                .containsEntry("type", "https://paymentauth.org/problems/invalid-challenge")
                .containsEntry("title", "Invalid Challenge")
                .containsEntry("status", 402)
                .containsEntry("detail", "m")
                .containsEntry("challengeId", "id");
        assertThat(ProblemType.METHOD_UNSUPPORTED
                        .on(Problem.of(ErrorCode.CONFLICT, "m"), null)
                        .details())
                .containsEntry("status", 400)
                .doesNotContainKey("challengeId");
    }

    @Test
    @Tag("long")
    void damageAnywhereIsRefusedAndNothingElse() {
        Random random = new Random(38);
        byte[] whole = Base64.getUrlDecoder().decode(PaymentVectors.field("evm").substring("Payment ".length()));
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(damaged.length) : damaged.length;
            String field = "Payment " + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(damaged, length));
            try {
                ChargeCredential credential = ChargeCredential.read(List.of(field));
                PaymentAuthorization authorization = CHECK.authentic(credential);
                CHECK.current(credential, authorization, new Call(List.of(EVM), DIGEST), NOW);
            } catch (ChargeException refused) {
                assertThat(refused.message()).doesNotContain("0x8a52");
            }
        }
    }

    private static ProblemType refusal(ChargeCredential credential, Call call, Instant now) throws ChargeException {
        PaymentAuthorization authorization = CHECK.authentic(credential);
        return catchThrowableOfType(ChargeException.class, () -> CHECK.current(credential, authorization, call, now))
                .type();
    }

    private static ProblemType authentic(Map<String, Object> whole) {
        return catchThrowableOfType(ChargeException.class, () -> CHECK.authentic(read(field(whole))))
                .type();
    }

    private static ChargeException malformed(List<String> values) {
        return catchThrowableOfType(ChargeException.class, () -> ChargeCredential.read(values));
    }

    private static ChargeCredential read(String field) {
        try {
            return ChargeCredential.read(List.of(field));
        } catch (ChargeException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static String field(Map<String, Object> whole) {
        return "Payment " + Base64.getUrlEncoder().withoutPadding().encodeToString(Json.write(whole));
    }

    private static Map<String, Object> whole(String name) {
        byte[] bytes = Base64.getUrlDecoder().decode(PaymentVectors.field(name).substring("Payment ".length()));
        return object(Json.stored(new String(bytes, StandardCharsets.UTF_8)));
    }

    private static Map<String, Object> members(Map<String, Object> whole, String name) {
        return object(whole.get(name));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }
}
