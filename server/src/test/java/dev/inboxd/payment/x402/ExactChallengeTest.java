package dev.inboxd.payment.x402;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** PAYMENT-REQUIRED and PAYMENT-RESPONSE, byte for byte. */
class ExactChallengeTest {
    private static final String URL = "https://x402.example.com/v0/inboxes";

    @Test
    void theChallengeHasItsMembersInOrderAndNoWhiteSpace() {
        ExactChallenge challenge =
                new ExactChallenge(URL, "Create an inbox", List.of(ExactPaymentTest.offer("2000000")));
        assertThat(decoded(challenge.header(ExactChallenge.PAYMENT_REQUIRED))).isEqualTo("""
                {"x402Version":2,"error":"Payment required","resource":{"url":"https://x402.example.com/v0/inboxes",\
                "description":"Create an inbox","mimeType":"application/json"},"accepts":[{"scheme":"exact",\
                "network":"eip155:84532","amount":"2000000","asset":"0x036CbD53842c5426634e7929541eC2318f3dCF7e",\
                "payTo":"0x000000000000000000000000000000000000dEaD","maxTimeoutSeconds":300,\
                "extra":{"name":"USDC","version":"2"}}]}""");
    }

    @Test
    void theHeaderIsPaddedBase64OfTheStandardAlphabet() {
        for (String error : List.of("a", "ab", "abc", "ÿÿÿ>>>???")) {
            String header = new ExactChallenge(URL, "d", List.of(ExactPaymentTest.offer("0"))).header(error);
            assertThat(header).matches("[A-Za-z0-9+/]+={0,2}");
            assertThat(header.length() % 4).isZero();
        }
    }

    @Test
    void ofMoreOffersThanItHasRoomForTheFirstAreInIt() {
        List<Map<String, Object>> many = Collections.nCopies(100, ExactPaymentTest.offer("2000000"));
        String header = new ExactChallenge(URL, "d", many).header(ExactChallenge.PAYMENT_REQUIRED);
        assertThat(header.length()).isBetween(7_500, 8_192);
        assertThat(decoded(header)).endsWith("]}");
    }

    @Test
    void anAddressThatTakesAllTheRoomIsOfNothingThatExists() {
        ExactChallenge challenge =
                new ExactChallenge(URL + "/" + "a".repeat(6_200), "d", List.of(ExactPaymentTest.offer("0")));
        assertThatThrownBy(() -> challenge.header(ExactChallenge.PAYMENT_REQUIRED))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }

    @Test
    void theBodySaysThePriceTheOffersAndTheReason() {
        ExactChallenge challenge = new ExactChallenge(URL, "d", List.of(ExactPaymentTest.offer("0")));
        Problem problem = Problem.of(ErrorCode.CONFLICT, "m");
        assertThat(challenge.on(problem, "0.00", null).details())
                .containsOnlyKeys("price", "accepts")
                .containsEntry("accepts", challenge.accepts());
        assertThat(challenge.on(problem, "0.00", "no_matching_offer").details())
                .containsEntry("reason", "no_matching_offer");
    }

    @Test
    void theResponseSaysHowItEnded() {
        assertThat(decoded(PaymentResponse.settled("0x12", "eip155:8453", "0xab", "2000000")))
                .isEqualTo("""
                {"success":true,"transaction":"0x12","network":"eip155:8453","payer":"0xab","amount":"2000000"}""");
        assertThat(decoded(PaymentResponse.refused("insufficient_funds", "eip155:8453", "0xab")))
                .isEqualTo("""
                {"success":false,"errorReason":"insufficient_funds","transaction":"","network":"eip155:8453",\
                "payer":"0xab"}""");
        assertThat(decoded(PaymentResponse.refused("refused", "eip155:8453", null)))
                .doesNotContain("payer");
    }

    private static String decoded(String header) {
        return new String(Base64.getDecoder().decode(header), StandardCharsets.UTF_8);
    }

    @Test
    void withoutAnOfferThereIsNoChallenge() {
        ExactChallenge none = new ExactChallenge(URL, "d", List.of());
        assertThatThrownBy(() -> none.header(ExactChallenge.PAYMENT_REQUIRED))
                .isInstanceOfSatisfying(
                        Problem.class, refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
    }
}
