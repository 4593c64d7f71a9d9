package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.payment.PayerProbe.settled;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hosts where calls are paid for: their names, their header fields, and what is not there (payments.md §3). */
class PaidHostsHttpTest {
    private static final String X402 = "x402.localhost";
    private static final String MPP = "mpp.localhost";
    private static final String SOCKETS = "sockets.localhost";
    private static final String EXPOSED = "Access-Control-Expose-Headers";
    private static final int LARGEST_PAYMENT = 16 * 1024;
    private static final int MOST_OFFERS = 16;

    private static final LedgerFacilitator FACILITATOR = new LedgerFacilitator();

    @TempDir
    private static Path folder;

    private static World world;

    @BeforeAll
    static void start() throws IOException {
        Path file = folder.resolve("payments.yaml");
        Files.writeString(file, largest());
        world = World.start(Map.of(
                "INBOXD_X402_HOST",
                X402,
                "INBOXD_MPP_HOST",
                MPP,
                "INBOXD_X402_WS_HOST",
                SOCKETS,
                "INBOXD_X402_FACILITATOR",
                FACILITATOR.url(),
                "INBOXD_PAYMENTS_FILE",
                file.toString()));
    }

    @AfterAll
    static void stop() throws IOException {
        world.close();
        FACILITATOR.close();
    }

    /** As many offers and methods as there may be, and nearly as long. */
    private static String largest() {
        StringBuilder offers = new StringBuilder("x402:\n  accepts:\n");
        StringBuilder methods = new StringBuilder("mpp:\n  methods:\n");
        for (int i = 0; i < MOST_OFFERS; i++) {
            offers.append("""
                    - network: eip155:%s
                      asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e"
                      decimals: 6
                      pay_to: "0x000000000000000000000000000000000000dEaD"
                      extra: {name: USDC, version: "2"}
                """.formatted(i == 0 ? 84_532 : i));
            methods.append("""
                    - method: %s
                      verifier: https://verifier.test/
                      currency: c
                      recipient: r
                      decimals: 6
                      details: {note: %s}
                """.formatted((char) ('a' + i), "n".repeat(150)));
        }
        String prices = "prices: {routes: {'GET /v0/inboxes/{inbox_id}/messages/wait': 0.01}}\n";
        return offers.append(methods).append(prices).toString();
    }

    private static HttpProbe at(String host) {
        return HttpProbe.of(world.httpPort(), null).with("Host", host);
    }

    @Test
    void theNameAloneTellsThatACallIsPaidFor() {
        for (String host : List.of(X402, "X402.LocalHost", X402 + ".", X402 + ":1", X402 + ":" + world.httpPort())) {
            Answer wanted = at(host).get("/v0/inboxes").is(402);
            assertThat(wanted.header("PAYMENT-REQUIRED")).as(host).isNotBlank();
        }
        at("www." + X402).get("/v0/inboxes").is(401);
    }

    @Test
    void aHostOfSocketsHasNothingElse() {
        at(SOCKETS).get("/v0").is(402);
        at(SOCKETS).get("/v0/inboxes").is(404);
        at(SOCKETS).get("/openapi.json").is(404);
    }

    @Test
    void anotherCredentialIsRefusedWithoutAChallengeForKeys() {
        for (String host : List.of(X402, MPP)) {
            for (HttpProbe key :
                    List.of(at(host).with("Authorization", "Bearer inb_x"), at(host).with("X-Api-Key", "inb_x"))) {
                Answer refused = key.get("/v0/inboxes").is(401);
                assertThat(refused.at("code")).isEqualTo("invalid_token_type");
                assertThat(refused.header("WWW-Authenticate")).isNull();
            }
            Answer basic = at(host).with("Authorization", "Basic eDp5")
                    .get("/v0/inboxes")
                    .is(401);
            assertThat(basic.at("code")).isEqualTo("missing_authorization");
            assertThat(basic.text("fix")).doesNotContain("Bearer");
        }
    }

    @Test
    void anAccountActsInTheNameOfNoKey() {
        PayerProbe payer = new PayerProbe(world.httpPort(), X402);
        payer.pay("POST", "/v0/inboxes", inbox("keyless")).is(200);
        Answer refused = payer.pay("POST", "/v0/api-keys", json("name", "k", "public_key", Map.of()))
                .is(403);
        assertThat(refused.at("code")).isEqualTo("forbidden");
        Answer me = payer.pay("GET", "/v0/auth/me", "").is(200);
        assertThat(me.at("payer")).isEqualTo(payer.account());
        assertThat(me.at("api_key_id")).isNull();
    }

    @Test
    void pagesMayReadTheFieldsOfPayments() {
        Answer wanted =
                at(X402).with("Origin", "https://page.test").get("/v0/inboxes").is(402);
        assertThat(wanted.header(EXPOSED))
                .contains("PAYMENT-REQUIRED", "PAYMENT-RESPONSE", "WWW-Authenticate", "Payment-Receipt");
    }

    @Test
    void theOffersOfTheLargestFileFitIntoAnAnswer() {
        Answer exact = at(X402).get("/v0/inboxes").is(402);
        assertThat(exact.list("accepts")).hasSize(MOST_OFFERS);
        assertThat(Objects.requireNonNull(exact.header("PAYMENT-REQUIRED"))).hasSizeBetween(4_000, 8_192);
        Answer charge = at(MPP).post("/v0/inboxes", "{}").is(402);
        assertThat(charge.headers().allValues("WWW-Authenticate")).hasSize(MOST_OFFERS);
    }

    @Test
    void aWaitThatCostsAnswersAtOnce() {
        PayerProbe payer = new PayerProbe(world.httpPort(), X402);
        String box = payer.pay("POST", "/v0/inboxes", inbox("patient")).is(200).text("inbox_id");
        long began = System.nanoTime();
        Answer answer = payer.pay("GET", "/v0/inboxes/" + box + "/messages/wait?timeout=25", "")
                .is(200);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        assertThat(settled(answer).get("amount")).isEqualTo("10000");
        assertThat(answer.at("message")).isNull();
        assertThat(answer.at("next_cursor")).isNotNull();
    }

    @Test
    void aPaymentThatIsTooLongIsReadAndRefused() {
        for (int length : List.of(LARGEST_PAYMENT, LARGEST_PAYMENT + 1)) {
            String payment = "A".repeat(length);
            Answer malformed = at(X402).with("PAYMENT-SIGNATURE", payment)
                    .get("/v0/inboxes")
                    .is(400);
            assertThat(malformed.at("errors.0.path.1")).isEqualTo("payment-signature");
            at(X402).get("/v0?PAYMENT-SIGNATURE=" + payment).is(400);
            Answer charge = at(MPP).with("Authorization", "Payment " + payment)
                    .get("/v0/inboxes")
                    .is(402);
            assertThat(charge.text("type")).endsWith("/malformed-credential");
        }
    }
}
