package dev.inboxd.payment;

import static dev.inboxd.payment.ChargeProbe.receipt;
import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that are paid for by MPP with a method of a verifier (payments.md §10). */
class ChargedCallsHttpTest {
    private static final String HOST = "mpp.localhost";

    @TempDir
    private Path folder;

    private final LedgerVerifier verifier = new LedgerVerifier("0x2c7536e3605d9c16a7a3d7b1898e529396a65c23");
    private World world;
    private ChargeProbe payer;

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(folder.resolve("payments.yaml"), """
                mpp:
                  methods:
                    - method: tempo
                      verifier: %s
                      currency: "0x20c0000000000000000000000000000000000000"
                      recipient: "0x742d35Cc6634C0532925a3b844Bc9e7595f8fE00"
                      decimals: 6
                      details: {chainId: 42431}
                """.formatted(verifier.url()));
        world = World.start(Map.of("INBOXD_MPP_HOST", HOST, "INBOXD_PAYMENTS_FILE", file.toString()));
        payer = new ChargeProbe(world.httpPort(), HOST);
        payer.pay("POST", "/v0/inboxes", inbox("first")).is(200);
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        verifier.close();
    }

    @Test
    @Proves("P24a")
    void aSpentPaymentThatDoesNotNameItsPayerIsKnownAgain() {
        String payment = payer.signed("POST", "/v0/pods", json("name", "p"));
        Answer first =
                payer.call("POST", "/v0/pods", json("name", "p"), payment).is(200);
        world.advance(Duration.ofMinutes(10)); // its challenge has expired by now
        Answer again =
                payer.call("POST", "/v0/pods", json("name", "p"), payment).is(200);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("Payment-Receipt")).isEqualTo(first.header("Payment-Receipt"));
        Answer other =
                payer.call("POST", "/v0/pods", json("name", "q"), payment).is(402);
        assertThat(other.text("type")).endsWith("/invalid-challenge");
        assertThat(verifier.settled()).isEqualTo(2);
    }

    @Test
    @Tag("long")
    @Proves("P24a")
    void onePendingIsKnownAgainWhateverItsVerifierSays() {
        verifier.hold(true);
        String payment = payer.signed("POST", "/v0/pods", json("name", "p"));
        Answer pending =
                payer.call("POST", "/v0/pods", json("name", "p"), payment).is(409);
        Answer again =
                payer.call("POST", "/v0/pods", json("name", "p"), payment).is(409);
        assertThat(again.at("code")).isEqualTo("payment_pending");
        assertThat(again.text("payment_id")).isEqualTo(pending.text("payment_id"));
        verifier.hold(false);
        await(() -> payer.call("POST", "/v0/pods", json("name", "p"), payment).status() == 200);
        assertThat(verifier.settled()).isEqualTo(2);
    }

    @Test
    void onePendingIsKnownAgainForAnotherRequest() {
        verifier.hold(true);
        String payment = payer.signed("POST", "/v0/domains", json("domain", "one.example"));
        payer.call("POST", "/v0/domains", json("domain", "one.example"), payment)
                .is(409);
        Answer other = payer.call("POST", "/v0/domains", json("domain", "two.example"), payment)
                .is(409);
        assertThat(other.at("code")).isEqualTo("payment_pending");
    }

    @Test
    void aWaitHasItsReceiptWhenItIsAnswered() {
        Answer waited = payer.pay("GET", "/v0/inboxes/first@mail.localhost/messages/wait?timeout=1", "")
                .is(200);
        assertThat(receipt(waited).get("status")).isEqualTo("success");
        assertThat(receipt(waited).get("method")).isEqualTo("tempo");
        assertThat(waited.header("Cache-Control")).isEqualTo("no-store, private");
    }

    /** The facilitator of development has no say in what a verifier moves. */
    @Test
    void whatAVerifierSettlesIsNoTest() {
        Answer payments = payer.pay("GET", "/v0/payments", "").is(200);
        assertThat(payments.at("payments.0.method")).isEqualTo("tempo");
        assertThat(payments.at("payments.0.test")).isNull();
    }

    @Test
    void theDescriptionNamesTheFormOfWhatACallCosts() {
        Object described = payer.free("GET", "/openapi.json").is(200).at("paths");
        assertThat(at(described, "/v0/inboxes", "post", "responses", "402"))
                .asString()
                .contains("application/problem+json")
                .doesNotContain("application/json");
        assertThat(payer.free("GET", "/v0/inboxes").is(402).header("Content-Type"))
                .startsWith("application/problem+json");
    }

    private static @Nullable Object at(@Nullable Object json, String... members) {
        Object value = json;
        for (String member : members) {
            value = value instanceof Map<?, ?> object ? object.get(member) : null;
        }
        return value;
    }
}
