package dev.inboxd.payment.facilitator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.payment.offer.ChargeMethod;
import dev.inboxd.payment.offer.PaymentsUse.FacilitatorKind;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is asked about which payment. */
class PaymentJudgesTest {
    private final FacilitatorFixture fixture = new FacilitatorFixture();
    private FakeEndpoint endpoint;
    private FakeEndpoint other;

    @BeforeEach
    void start() {
        endpoint = FakeEndpoint.start();
        other = FakeEndpoint.start();
        for (FakeEndpoint each : new FakeEndpoint[] {endpoint, other}) {
            each.always(FakeEndpoint.respond(200, "", """
                    {"isValid":true,"valid":true,"kinds":[
                     {"x402Version":2,"scheme":"exact","network":"eip155:8453"},
                     {"x402Version":2,"scheme":"exact","network":"solana:5eykt","extra":{"feePayer":"F","none":null}},
                     {"x402Version":1,"scheme":"exact","network":"base","extra":{"a":1}},
                     {"x402Version":2,"scheme":"upto","network":"eip155:1"},
                     {"x402Version":2,"scheme":"exact","network":"sui:*","extra":{"b":2}},
                     7, {"network":7}],"extensions":[]}"""));
        }
    }

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
        other.close();
        fixture.close();
    }

    private PaymentJudges judges(String url, Optional<URI> proofs, boolean production) {
        FacilitatorConfig config = new FacilitatorConfig(
                FacilitatorKind.OPERATOR,
                Optional.of(URI.create(url)),
                Map.of("authorization", "Bearer s3cret"),
                proofs,
                production);
        assertThat(config.toString()).doesNotContain("s3cret");
        return new PaymentJudges(config, fixture.anywhere(), fixture.nearby());
    }

    @Test
    void proofsAreJudgedByTheFacilitatorUnlessThereIsAnotherWhichGetsNoSecret() {
        PaymentJudges one = judges(endpoint.url("/x402"), Optional.empty(), false);
        assertThat(one.facilitator(true)).isEqualTo(one.facilitator(false));
        PaymentJudges two = judges(endpoint.url("/x402"), Optional.of(URI.create(other.url("/proofs"))), false);
        assertThat(two.facilitator(true).orElseThrow().verify(FacilitatorFixture.QUESTION))
                .isEqualTo(new PaymentVerdict.Valid(null));
        assertThat(other.take().fields()).doesNotContainKey("authorization");
        assertThat(two.facilitator(false).orElseThrow().verify(FacilitatorFixture.QUESTION))
                .isEqualTo(new PaymentVerdict.Valid(null));
        assertThat(endpoint.take().fields()).containsEntry("authorization", "Bearer s3cret");
        assertThat(other.received()).isEmpty();
    }

    @Test
    void aMethodWithAVerifierOfItsOwnAsksThatOne() {
        PaymentJudges judges = judges(endpoint.url("/x402"), Optional.empty(), false);
        ChargeMethod tempo = method(new ChargeMethod.Verifier.Url(URI.create(other.url("/mpp")), Map.of("x-v", "1")));
        assertThat(judges.of(tempo, true).orElseThrow().verify(FacilitatorFixture.QUESTION))
                .isEqualTo(new PaymentVerdict.Valid(null));
        assertThat(other.take().fields()).containsEntry("x-v", "1").doesNotContainKey("authorization");
        assertThat(judges.of(tempo, false)).isEqualTo(judges.of(tempo, true));
        assertThat(judges.of(method(new ChargeMethod.Verifier.Facilitator()), false))
                .isEqualTo(judges.facilitator(false));
    }

    private static ChargeMethod method(ChargeMethod.Verifier verifier) {
        return new ChargeMethod("tempo", verifier, "c", "r", 6, Map.of(), Map.of());
    }

    @Test
    void withoutAFacilitatorThereIsNobodyToAsk() {
        FacilitatorConfig none =
                new FacilitatorConfig(FacilitatorKind.NONE, Optional.empty(), Map.of(), Optional.empty(), true);
        PaymentJudges judges = new PaymentJudges(none, fixture.anywhere(), fixture.nearby());
        assertThat(judges.facilitator(false)).isEmpty();
        assertThat(judges.ask()).isEmpty();
        assertThat(judges.isDevelopment()).isFalse();
        FacilitatorConfig development =
                new FacilitatorConfig(FacilitatorKind.DEVELOPMENT, Optional.empty(), Map.of(), Optional.empty(), false);
        assertThat(new PaymentJudges(development, fixture.anywhere(), fixture.nearby()).isDevelopment())
                .isTrue();
    }

    @Test
    void inProductionPlainHttpReachesPrivateAddressesAlone() {
        fixture.dns().addresses("public.internal", "93.184.216.34").addresses("private.internal", "127.0.0.1");
        int port = URI.create(endpoint.url("/")).getPort();
        Settlement refused = judges("http://public.internal:" + port, Optional.empty(), true)
                .facilitator(false)
                .orElseThrow()
                .requestSettlement(FacilitatorFixture.QUESTION, false);
        assertThat(refused).isEqualTo(new Settlement.NotSent("public.internal leads to an address that is public."));
        assertThat(judges("http://private.internal:" + port, Optional.empty(), true)
                        .facilitator(false)
                        .orElseThrow()
                        .verify(FacilitatorFixture.QUESTION))
                .isEqualTo(new PaymentVerdict.Valid(null));
    }

    @Test
    void whatIsSupportedIsAskedInTheBackgroundAndKept() {
        try (PaymentJudges judges = judges(endpoint.url("/x402"), Optional.empty(), false)) {
            assertThat(judges.supported().supports("eip155:8453")).isFalse();
            assertThat(endpoint.received()).isEmpty();
            judges.start();
            FakeEndpoint.Received asked = endpoint.take();
            assertThat(asked.method() + " " + asked.path()).isEqualTo("GET /x402/supported");
            assertThat(asked.fields()).containsEntry("authorization", "Bearer s3cret");
            Eventually.await(() -> judges.supported().supports("eip155:8453"));
            SupportedKinds kinds = judges.supported();
            assertThat(List.of("eip155:8453", "solana:5eykt", "sui:mainnet")).allMatch(kinds::supports);
            assertThat(kinds.extra("eip155:8453")).isEmpty();
            assertThat(kinds.extra("solana:5eykt")).isEqualTo(Map.of("feePayer", "F"));
            assertThat(kinds.extra("sui:mainnet")).isEqualTo(Map.of("b", 2L));
            assertThat(kinds.supports("eip155:1")).isFalse();
            endpoint.always(FakeEndpoint.status(500));
            assertThat(judges.ask()).isEmpty();
            assertThat(judges.supported()).isSameAs(kinds);
        }
    }
}
