package dev.inboxd.payment.x402;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.payment.authorization.PaymentVectors;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PAYMENT-SIGNATURE, as public clients write it and as nobody should. */
class ExactPaymentTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_795_980_700);
    private static final String URL = "https://x402.example.com/v0/inboxes";

    @Test
    void whatThePublicClientSignsForAnOfferIsTaken() {
        ExactPayment payment = ExactPayment.read(List.of(PaymentVectors.field("exact")));
        assertThat(payment.refusal(challenge(offer("2000000")), NOW)).isNull();
        assertThat(payment.url()).isEqualTo(URL);
        assertThat(payment.authorization().from()).isEqualTo("0x2c7536e3605d9c16a7a3d7b1898e529396a65c23");
        assertThat(payment.authorization().keys())
                .containsExactly("eip155:84532|0x036cbd53842c5426634e7929541ec2318f3dcf7e|"
                        + "0x2c7536e3605d9c16a7a3d7b1898e529396a65c23|"
                        + "0xdc3d81d70a940acbf461ecc1bc61d32d961016824406a4b979c7999e409925da");
        assertThat(payment.authorization().transfer().amount()).isNotEqualTo("0");
        assertThat(payment.paymentPayload()).containsKeys("x402Version", "payload", "resource", "accepted");
        assertThat(payment.toString()).doesNotContain("0xd0bb44e5");
    }

    @Test
    void aProofAndPermit2AreTakenToo() {
        ExactPayment proof = ExactPayment.read(List.of(PaymentVectors.field("proof")));
        assertThat(proof.refusal(challenge(offer("0")), NOW)).isNull();
        assertThat(proof.authorization().transfer().amount()).isEqualTo("0");
        ExactPayment permit = ExactPayment.read(List.of(PaymentVectors.field("permit2")));
        Map<String, Object> offer = offer("2000000");
        offer.put("extra", Map.of("version", "2", "name", "USDC", "assetTransferMethod", "permit2"));
        assertThat(permit.refusal(challenge(offer), NOW)).isNull();
        assertThat(permit.refusal(challenge(offer), NOW.plusSeconds(600))).isEqualTo("permit2_deadline_expired");
    }

    @Test
    void theOfferIsComparedByValueAndTheOrderOfItsMembersIsFree() {
        ExactPayment payment = ExactPayment.read(List.of(PaymentVectors.field("exact")));
        Map<String, Object> turned = new LinkedHashMap<>();
        offer("2000000").sequencedEntrySet().reversed().forEach(each -> turned.put(each.getKey(), each.getValue()));
        turned.put("maxTimeoutSeconds", 300.0);
        assertThat(payment.offer(List.of(offer("0"), turned))).isSameAs(turned);
    }

    @ParameterizedTest
    @CsvSource({
        "amount, 10000",
        "network, eip155:8453",
        "asset, 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "payTo, 0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "scheme, upto",
        "extra, none",
        "maxTimeoutSeconds, 300",
        "another, member",
    })
    void whatDiffersFromEveryOfferMatchesNone(String member, String value) {
        Map<String, Object> offer = offer("2000000");
        offer.put(member, value);
        ExactPayment payment = ExactPayment.read(List.of(PaymentVectors.field("exact")));
        assertThat(payment.refusal(challenge(offer), NOW)).isEqualTo("no_matching_offer");
    }

    @Test
    void aPaymentForAnotherCallOrOfAnotherTimeIsRefused() {
        ExactPayment payment = ExactPayment.read(List.of(PaymentVectors.field("exact")));
        ExactChallenge other =
                new ExactChallenge(URL + "/a/messages/send", "Send a message", List.of(offer("2000000")));
        assertThat(payment.refusal(other, NOW)).isEqualTo("resource_mismatch");
        assertThat(payment.refusal(challenge(offer("2000000")), NOW.plusSeconds(300)))
                .isEqualTo("invalid_exact_evm_payload_authorization_valid_before");
    }

    @Test
    void aPaymentThatNamesNoResourceIsForAny() {
        String text = whole("exact").replaceFirst(quoted("'resource':\\{[^}]*},"), "");
        assertThat(read(text).refusal(challenge(offer("2000000")), NOW)).isNull();
        assertThat(read(text.replace(quoted("{'x402"), quoted("{'resource':null,'x402")))
                        .url())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "'x402Version':2, 'x402Version':1, x402Version must be 2",
                "'x402Version':2, 'x402Version':'2', x402Version must be 2",
                "'accepted':{, ~'accepted':[],'x':{~, accepted must be an object",
                "'payload':{, 'x':{, payload must be an object",
                "'maxTimeoutSeconds':300, 'maxTimeoutSeconds':'300', accepted.maxTimeoutSeconds must be a number",
                "'amount':'2000000', 'amount':2000000, accepted.amount must be a string",
                "'extra':{, ~'extra':7,'x':{~, accepted.extra must be an object",
                "'url':', ~'url':7,'x':'~, resource.url must be a string",
                "'resource':{, ~'extensions':[],'resource':{~, extensions must be an object",
                "'value':'2000000', 'value':2000000, payload.authorization.value must be a string",
            })
    void aMemberOfAnotherTypeIsNamed(String old, String other, String message) {
        assertThatThrownBy(() -> read(whole("exact").replace(quoted(old), quoted(other))))
                .isInstanceOf(Problem.class)
                .hasMessage("PAYMENT-SIGNATURE " + message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "=",
                "{}",
                "e30",
                "bnVsbA==",
                "W10=",
                "MQ==",
                "eyJhIjox",
                "!!!!",
                "eyJ4NDAyVmVyc2lvbiI6Mn0=",
                "eyJhIjoxLCJhIjoyfQ=="
            })
    void whatIsNoPaymentIsAFaultOfTheHeader(String value) {
        Problem problem = refusal(List.of(value));
        assertThat(problem.code()).isEqualTo(ErrorCode.VALIDATION_ERROR);
        assertThat(problem.faults()).extracting(Fault::path).containsExactly(List.of("headers", "payment-signature"));
    }

    @Test
    void aFieldThatIsTwiceOrTooLongOrTooDeepIsRefused() {
        String field = PaymentVectors.field("exact");
        assertThat(refusal(List.of(field, field)).message()).isEqualTo("PAYMENT-SIGNATURE must be there once");
        assertThat(refusal(List.of()).message()).isEqualTo("PAYMENT-SIGNATURE must be there once");
        assertThat(refusal(List.of("A".repeat(16_385))).message())
                .isEqualTo("PAYMENT-SIGNATURE must have at most 16384 characters");
        String deep = whole("exact")
                .replace(quoted("'extra':{"), quoted("'extra':{'x':") + "[".repeat(14) + "]".repeat(14) + ",");
        assertThatThrownBy(() -> read(deep)).isInstanceOf(Problem.class).hasMessageContaining("16 levels");
        assertThat(read(deep.replace("[[", "[").replace("]]", "]")).accepted()).containsKey("extra");
        assertThat(refusal(List.of("[".repeat(12_000))).message()).contains("base64");
        assertThat(refusal(List.of(encoded("[".repeat(12_000)))).message()).contains("base64");
    }

    @Test
    void noFaultRepeatsWhatWasSent() {
        String broken = whole("exact").replace(quoted("'signature':"), quoted("'signature'"));
        assertThatThrownBy(() -> read(broken))
                .isInstanceOf(Problem.class)
                .hasMessageNotContaining("0xd0bb44")
                .hasMessageNotContaining("authorization");
    }

    @Test
    @Tag("long")
    void damageAnywhereGivesAPaymentOrAFaultAndNothingElse() {
        Random random = new Random(38);
        byte[] whole = whole("exact").getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(damaged.length) : damaged.length;
            String field = Base64.getEncoder().encodeToString(Arrays.copyOf(damaged, length));
            try {
                ExactPayment payment = ExactPayment.read(List.of(field));
                assertThat(payment.authorization().keys()).hasSize(1);
                payment.refusal(challenge(offer("2000000")), NOW);
            } catch (Problem expected) {
                assertThat(expected.code()).isEqualTo(ErrorCode.VALIDATION_ERROR);
            }
        }
    }

    private static Problem refusal(List<String> values) {
        return catchThrowableOfType(Problem.class, () -> ExactPayment.read(values));
    }

    private static ExactPayment read(String json) {
        return ExactPayment.read(List.of(encoded(json)));
    }

    private static String encoded(String json) {
        return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String quoted(String json) {
        return json.replace('\'', '"');
    }

    private static String whole(String name) {
        return new String(Base64.getDecoder().decode(PaymentVectors.field(name)), StandardCharsets.UTF_8);
    }

    private static ExactChallenge challenge(Map<String, Object> offer) {
        return new ExactChallenge(URL, "Create an inbox", List.of(offer));
    }

    static SequencedMap<String, Object> offer(String amount) {
        SequencedMap<String, Object> offer = new LinkedHashMap<>();
        offer.put("scheme", "exact");
        offer.put("network", "eip155:84532");
        offer.put("amount", amount);
        offer.put("asset", "0x036CbD53842c5426634e7929541eC2318f3dCF7e");
        offer.put("payTo", "0x000000000000000000000000000000000000dEaD");
        offer.put("maxTimeoutSeconds", 300);
        Map<String, Object> extra = new LinkedHashMap<>();
        extra.put("name", "USDC");
        extra.put("version", "2");
        offer.put("extra", extra);
        return offer;
    }
}
