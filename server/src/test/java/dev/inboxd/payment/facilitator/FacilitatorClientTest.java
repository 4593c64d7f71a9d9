package dev.inboxd.payment.facilitator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeEndpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a facilitator and a verifier are asked, and what they say of a payment that is not settled yet. */
class FacilitatorClientTest {
    private final FacilitatorFixture fixture = new FacilitatorFixture();
    private FakeEndpoint endpoint;

    @BeforeEach
    void start() {
        endpoint = FakeEndpoint.start();
    }

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
        fixture.close();
    }

    private PaymentJudge facilitator() {
        return fixture.facilitator(endpoint.url("/x402"));
    }

    private PaymentJudge verifier() {
        return new VerifierClient(fixture.service(endpoint.url("/mpp"), FacilitatorFixture.LONG));
    }

    private static FakeEndpoint.Behaviour json(int status, String json) {
        return FakeEndpoint.respond(status, "Content-Type: application/json\r\n", quoted(json));
    }

    /** Texts of tests have other quotation marks than JSON. */
    private static String quoted(String text) {
        return text.replace('`', '"');
    }

    @Test
    void aFacilitatorIsAskedTheSameToVerifyAndToSettle() {
        String sent = "{`x402Version`:2,`accepted`:{`scheme`:`exact`},`payload`:{`n`:1.5,`none`:null,`s`:`0xé`}}";
        Object paymentPayload = Objects.requireNonNull(Json.parse(quoted(sent).getBytes(StandardCharsets.UTF_8)));
        PaymentQuestion question =
                PaymentQuestion.exact("pay_1", (Map<?, ?>) paymentPayload, Map.of("scheme", "exact"));
        String body = """
                {"x402Version":2,"paymentPayload":{"x402Version":2,"accepted":{"scheme":"exact"},\
                "payload":{"n":1.5,"none":null,"s":"0xé"}},"paymentRequirements":{"scheme":"exact"}}""";
        endpoint.always(json(200, """
                {"isValid":true,"payer":"0xAbC","success":true,"transaction":"0x1"}"""));
        assertThat(facilitator().verify(question)).isEqualTo(new PaymentVerdict.Valid("0xAbC"));
        FakeEndpoint.Received verify = endpoint.take();
        assertThat(verify.method() + " " + verify.path()).isEqualTo("POST /x402/verify");
        assertThat(verify.text()).isEqualTo(body);
        assertThat(verify.fields())
                .containsEntry("x-key", "s3cret")
                .containsEntry("content-type", "application/json")
                .containsEntry("accept", "application/json");
        PaymentQuestion kept = PaymentQuestion.stored("pay_1", "", question.text());
        assertThat(facilitator().requestSettlement(kept, true)).isEqualTo(new Settlement.Settled("0x1", "0xAbC"));
        FakeEndpoint.Received settle = endpoint.take();
        assertThat(settle.path()).isEqualTo("/x402/settle");
        assertThat(settle.text()).isEqualTo(body);
        assertThat(question.toString()).isEqualTo("PaymentQuestion[pay_1]");
    }

    @Test
    void aPaymentOfMppIsAskedAboutAsOneOfX402() {
        endpoint.always(json(200, "{`isValid`:true}"));
        PaymentQuestion question =
                PaymentQuestion.exactOfCharge("pay_1", Map.of("signature", "0x1"), Map.of("scheme", "exact"));
        assertThat(facilitator().verify(question)).isEqualTo(new PaymentVerdict.Valid(null));
        assertThat(endpoint.take().text()).isEqualTo("""
                {"x402Version":2,"paymentPayload":{"x402Version":2,"accepted":{"scheme":"exact"},\
                "payload":{"signature":"0x1"}},"paymentRequirements":{"scheme":"exact"}}""");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 402, 500})
    void aPaymentThatIsNotGoodHasAReasonWhateverTheStatus(int status) {
        endpoint.always(json(status, """
                {"isValid":false,"invalidReason":"insufficient_funds","invalidMessage":"no",
                 "valid":false,"reason":"no_funds"}"""));
        assertThat(facilitator().verify(FacilitatorFixture.QUESTION))
                .isEqualTo(new PaymentVerdict.Invalid("insufficient_funds"));
        assertThat(verifier().verify(FacilitatorFixture.QUESTION)).isEqualTo(new PaymentVerdict.Invalid("no_funds"));
        endpoint.always(json(status, """
                {"isValid":false,"invalidReason":"No <money>","valid":false}"""));
        assertThat(facilitator().verify(FacilitatorFixture.QUESTION)).isEqualTo(new PaymentVerdict.Invalid("refused"));
        assertThat(verifier().verify(FacilitatorFixture.QUESTION)).isEqualTo(new PaymentVerdict.Invalid("refused"));
    }

    @Test
    void withoutAVerdictNobodyWasAsked() {
        for (FakeEndpoint.Behaviour answer : List.of(
                FakeEndpoint.status(200),
                FakeEndpoint.status(404),
                json(500, "{`isValid`:true,`valid`:true}"),
                json(200, "{`isValid`:`true`,`valid`:1}"),
                json(302, "{`isValid`:true,`valid`:true}"),
                json(200, "{`isValid`:true,`valid`:true,`more`:`" + "x".repeat(70_000) + "`}"),
                FakeEndpoint.hangUp(),
                FakeEndpoint.raw(
                        "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n" + quoted("{`isValid`:true,`valid`:true}")))) {
            endpoint.always(answer);
            assertThat(facilitator().verify(FacilitatorFixture.QUESTION))
                    .isInstanceOf(PaymentVerdict.Unreachable.class);
            assertThat(verifier().verify(FacilitatorFixture.QUESTION)).isInstanceOf(PaymentVerdict.Unreachable.class);
        }
    }

    @Test
    void aVerifierIsAskedInItsOwnWords() {
        Map<String, Object> credential = new LinkedHashMap<>();
        credential.put("challenge", Map.of("id", "c1"));
        credential.put("payload", Map.of("type", "proof"));
        credential.put("source", "did:pkh:eip155:1:0xAbC");
        PaymentQuestion question = PaymentQuestion.charge("pay_1", "c1", credential, "2000000");
        endpoint.always(json(200, """
                {"valid":true,"payer":"0xAbC","settled":true,"reference":"r1"}"""));
        assertThat(verifier().verify(question)).isEqualTo(new PaymentVerdict.Valid("0xAbC"));
        FakeEndpoint.Received verify = endpoint.take();
        assertThat(verify.path()).isEqualTo("/mpp");
        assertThat(verify.fields()).containsEntry("idempotency-key", "c1");
        assertThat(verify.text()).isEqualTo("""
                {"action":"verify","challenge":{"id":"c1"},"payload":{"type":"proof"},\
                "source":"did:pkh:eip155:1:0xAbC","amount":"2000000"}""");
        assertThat(verifier().requestSettlement(PaymentQuestion.stored("pay_1", "c1", question.text()), false))
                .isEqualTo(new Settlement.Settled("r1", "0xAbC"));
        FakeEndpoint.Received settle = endpoint.take();
        assertThat(settle.fields()).containsEntry("idempotency-key", "c1");
        assertThat(settle.text()).isEqualTo(verify.text().replace("verify", "settle"));
    }

    @Test
    void whatAVerifierSaysOfASettlementIsReadByItsSense() {
        assertSettlements("{`settled`:true,`reference`:`r`}", Settlement.Settled.class, Settlement.Settled.class);
        assertSettlements("{`settled`:null}", Settlement.Unknown.class, Settlement.Unknown.class);
        assertSettlements("{`settled`:false,`reason`:`no_funds`}", Settlement.Refused.class, Settlement.Refused.class);
        assertSettlements(
                "{`settled`:false,`reason`:`settlement_pending`}", Settlement.Unknown.class, Settlement.Unknown.class);
        assertSettlements(
                "{`settled`:false,`reason`:`nonce_already_used`}", Settlement.Refused.class, Settlement.Settled.class);
        assertSettlements(
                "{`settled`:false,`reason`:`payment_expired`}", Settlement.Refused.class, Settlement.Unknown.class);
        assertSettlements("{`settled`:`true`}", Settlement.Unknown.class, Settlement.Unknown.class);
        assertSettlements("{}", Settlement.Unknown.class, Settlement.Unknown.class);
        endpoint.always(FakeEndpoint.status(404));
        assertThat(verifier().requestSettlement(FacilitatorFixture.QUESTION, false))
                .isInstanceOf(Settlement.NotSent.class);
        assertThat(verifier().requestSettlement(FacilitatorFixture.QUESTION, true))
                .isInstanceOf(Settlement.Unknown.class);
    }

    private void assertSettlements(String json, Class<? extends Settlement> first, Class<? extends Settlement> repeat) {
        for (int status : new int[] {200, 409, 500}) {
            boolean isSilent = json.equals("{}") || json.contains("`true`");
            if (status == 409 && isSilent) {
                continue; // of an answer without a word about the payment the status decides
            }
            endpoint.always(json(status, json));
            assertThat(verifier().requestSettlement(FacilitatorFixture.QUESTION, false))
                    .as(json)
                    .isInstanceOf(first);
            assertThat(verifier().requestSettlement(FacilitatorFixture.QUESTION, true))
                    .as(json)
                    .isInstanceOf(repeat);
        }
    }

    @Test
    void theDevelopmentFacilitatorSaysYesAndSaysWhoItIs() {
        PaymentJudge development = new DevelopmentFacilitator();
        assertThat(development.verify(FacilitatorFixture.QUESTION)).isEqualTo(new PaymentVerdict.Valid("0xAbC"));
        assertThat(development.requestSettlement(FacilitatorFixture.QUESTION, false))
                .isEqualTo(new Settlement.Settled("development:pay_1", "0xAbC"));
        PaymentQuestion permit = PaymentQuestion.exactOfCharge(
                "pay_2", Map.of("permit2Authorization", Map.of("from", "0xDeF")), Map.of());
        assertThat(development.verify(permit)).isEqualTo(new PaymentVerdict.Valid("0xDeF"));
        assertThat(development.verify(PaymentQuestion.exactOfCharge("pay_3", Map.of(), Map.of())))
                .isEqualTo(new PaymentVerdict.Valid(null));
    }

    @Test
    void callsAreTimedByTheirOutcome() {
        endpoint.then(json(200, "{`isValid`:true}"), FakeEndpoint.status(500), FakeEndpoint.hangUp());
        PaymentJudge facilitator = facilitator();
        for (int i = 0; i < 3; i++) {
            var _ = facilitator.verify(FacilitatorFixture.QUESTION);
        }
        assertThat(fixture.metrics.scrape())
                .contains("inboxd_facilitator_seconds_count{call=\"verify\",outcome=\"ok\"} 1")
                .contains("inboxd_facilitator_seconds_count{call=\"verify\",outcome=\"status\"} 1")
                .contains("inboxd_facilitator_seconds_count{call=\"verify\",outcome=\"lost\"} 1");
    }
}
