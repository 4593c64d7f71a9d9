package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.payment.PayerProbe.settled;
import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.payment.LedgerFacilitator.Fault;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls that a wallet pays for by x402 (payments.md §5 to §8), with a facilitator that keeps a ledger. */
class PaidCallsHttpTest {
    private static final String HOST = "x402.localhost";

    private final LedgerFacilitator facilitator = new LedgerFacilitator();
    private World world;
    private PayerProbe payer;

    @BeforeEach
    void start() {
        world = World.start(Map.of("INBOXD_X402_HOST", HOST, "INBOXD_X402_FACILITATOR", facilitator.url()));
        payer = new PayerProbe(world.httpPort(), HOST);
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        facilitator.close();
    }

    @Test
    void aCallWithoutAPaymentSaysWhatItCosts() {
        Answer wanted = payer.free("POST", "/v0/inboxes", "{}").is(402);
        assertThat(wanted.at("price")).isEqualTo("2.00");
        assertThat(wanted.at("accepts.0.amount")).isEqualTo("2000000");
        String header = String.valueOf(wanted.header("PAYMENT-REQUIRED"));
        assertThat(new String(Base64.getDecoder().decode(header), StandardCharsets.UTF_8))
                .contains("http://" + HOST + ":" + world.httpPort() + "/v0/inboxes")
                .contains("Create an inbox");
        assertThat(wanted.header("Cache-Control")).isEqualTo("no-store");
        assertThat(payer.free("GET", "/v0/inboxes", "").is(402).at("price")).isEqualTo("0.00");
        payer.free("POST", "/v0/agent/sign-up", "{}").is(404);
        payer.free("GET", "/v0/nothing", "").is(404);
    }

    @Test
    void theFirstPaymentMakesTheOrganization() {
        assertThat(payer.pay("GET", "/v0/inboxes", "").is(200).at("count")).isEqualTo(0L);
        payer.pay("GET", "/v0/auth/me", "").is(404);
        Answer made = payer.pay("POST", "/v0/inboxes", inbox("first")).is(200);
        assertThat(settled(made).get("success")).isEqualTo(true);
        Answer me = payer.pay("GET", "/v0/auth/me", "").is(200);
        assertThat(me.at("scope_type")).isEqualTo("organization");
        assertThat(me.at("api_key_id")).isNull();
        assertThat(payer.pay("GET", "/v0/organizations", "").is(200).at("authentication_id"))
                .isEqualTo(payer.account());
        assertThat(payer.pay("GET", "/v0/payments", "").is(200).at("payments.0.status"))
                .isEqualTo("settled");
        assertThat(facilitator.ledger()).hasSize(1);
    }

    @Test
    @Proves("P24a")
    void oneAuthorizationCountsForOneRequest() {
        String payment = payer.signed("POST", "/v0/inboxes", inbox("once"));
        Answer first = payer.call("POST", "/v0/inboxes", inbox("once"), payment).is(200);
        Answer again = payer.call("POST", "/v0/inboxes", inbox("once"), payment).is(200);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("PAYMENT-RESPONSE")).isEqualTo(first.header("PAYMENT-RESPONSE"));
        assertThat(payer.call("POST", "/v0/inboxes", inbox("twice"), payment)
                        .is(402)
                        .at("reason"))
                .isEqualTo("payment_already_used");
        String proof = payer.signed("GET", "/v0/inboxes", "");
        payer.call("GET", "/v0/inboxes", "", proof).is(200);
        assertThat(payer.call("GET", "/v0/inboxes", "", proof).is(402).at("reason"))
                .isEqualTo("payment_already_used");
        assertThat(facilitator.ledger()).hasSize(1);
    }

    @Test
    void aHundredRepeatsAtOnceAreOnePayment() throws Exception {
        payer.pay("POST", "/v0/inboxes", inbox("crowd")).is(200);
        String payment = payer.signed("POST", "/v0/pods", json("name", "one"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Answer> call = () -> payer.call("POST", "/v0/pods", json("name", "one"), payment);
            List<Future<Answer>> answers = threads.invokeAll(Collections.nCopies(20, call));
            for (Future<Answer> answer : answers) {
                assertThat(answer.get().status()).isIn(200, 409);
            }
        }
        assertThat(facilitator.ledger()).hasSize(2);
        assertThat(payer.pay("GET", "/v0/pods", "").is(200).at("count")).isEqualTo(2L);
    }

    @Test
    @Proves("P24a")
    void whatFailsCostsNothing() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("free")).is(200).text("inbox_id");
        String payment = payer.signed("POST", "/v0/inboxes/" + box + "/messages/send", "{}");
        payer.call("POST", "/v0/inboxes/" + box + "/messages/send", "{}", payment)
                .is(422);
        payer.call(
                        "POST",
                        "/v0/inboxes/" + box + "/messages/send",
                        json("to", "ann@far.test", "subject", "s", "text", "t"),
                        payment)
                .is(200);
        payer.pay("POST", "/v0/inboxes", inbox("free")).is(403);
        payer.pay("POST", "/v0/pods", json("name", "p", "client_id", "p1")).is(200);
        assertThat(payer.pay("POST", "/v0/pods", json("name", "p", "client_id", "p1"))
                        .is(200)
                        .header("PAYMENT-RESPONSE"))
                .isNull();
        assertThat(facilitator.ledger()).hasSize(3);
    }

    @Test
    void aRefusedSettlementLeavesNothing() {
        facilitator.next(Fault.REFUSED);
        Answer refused = payer.pay("POST", "/v0/inboxes", inbox("refused")).is(402);
        assertThat(refused.at("reason")).isEqualTo("insufficient_funds");
        assertThat(settled(refused).get("success")).isEqualTo(false);
        payer.pay("GET", "/v0/auth/me", "").is(404);
        world.http().post("/v0/inboxes", inbox("refused")).is(200);
        assertThat(facilitator.ledger()).isEmpty();
    }

    @Test
    @Tag("long")
    @Proves("P24")
    void nobodySeesWhatIsBeingPaidFor() {
        payer.pay("POST", "/v0/inboxes", inbox("ground")).is(200);
        facilitator.hold();
        Answer pending = payer.pay("POST", "/v0/inboxes", inbox("hidden")).is(409);
        assertThat(pending.at("code")).isEqualTo("payment_pending");
        assertThat(pending.header("Retry-After")).isEqualTo("5");
        world.http().post("/v0/inboxes", inbox("hidden")).is(403);
        assertThat(world.mail("bob@near.test", "hidden@mail.localhost", "Subject: x\n\nx\n"))
                .startsWith("550");
        facilitator.letGo();
        await(() -> Long.valueOf(2)
                .equals(payer.pay("GET", "/v0/inboxes", "").is(200).at("count")));
        assertThat(facilitator.ledger()).hasSize(2);
    }

    @Test
    @Tag("long")
    void aLostAnswerIsAskedForAgain() {
        facilitator.next(Fault.LOST);
        String payment = payer.signed("POST", "/v0/inboxes", inbox("lost"));
        payer.call("POST", "/v0/inboxes", inbox("lost"), payment).is(409);
        await(() -> payer.call("POST", "/v0/inboxes", inbox("lost"), payment).status() == 200);
        assertThat(facilitator.ledger()).hasSize(1);
        assertThat(payer.pay("GET", "/v0/inboxes", "").is(200).at("count")).isEqualTo(1L);
    }

    @Test
    void whatNobodyWasAskedForIsAsNew() {
        facilitator.next(Fault.BUSY);
        String payment = payer.signed("POST", "/v0/inboxes", inbox("busy"));
        payer.call("POST", "/v0/inboxes", inbox("busy"), payment).is(503);
        payer.call("POST", "/v0/inboxes", inbox("busy"), payment).is(200);
        assertThat(facilitator.ledger()).hasSize(1);
    }

    @Test
    @Tag("long")
    void whatACallNeedsStaysWhileItIsPaidFor() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("needed")).is(200).text("inbox_id");
        facilitator.hold();
        payer.pay(
                        "POST",
                        "/v0/inboxes/" + box + "/messages/send",
                        json("to", "ann@far.test", "subject", "s", "text", "t"))
                .is(409);
        payer.pay("DELETE", "/v0/inboxes/" + box, "").is(409);
        facilitator.letGo();
        await(() -> Long.valueOf(1)
                .equals(payer.pay("GET", "/v0/inboxes/" + box + "/messages", "")
                        .is(200)
                        .at("count")));
        payer.pay("DELETE", "/v0/inboxes/" + box, "").is(200);
    }

    @Test
    @Tag("long")
    void aDraftStaysAsItIsWhileItsSendingIsPaidFor() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("drafts")).is(200).text("inbox_id");
        String drafts = "/v0/inboxes/" + box + "/drafts";
        String letter = json("to", "ann@far.test", "subject", "s", "text", "t");
        String draft = drafts + "/" + payer.pay("POST", drafts, letter).is(200).text("draft_id");
        facilitator.next(Fault.REFUSED);
        payer.pay("POST", draft + "/send", "{}").is(402);
        assertThat(payer.pay("GET", draft, "").is(200).at("send_status")).isNull();
        facilitator.hold();
        payer.pay("POST", draft + "/send", "{}").is(409);
        assertThat(payer.pay("GET", draft, "").is(200).at("send_status")).isEqualTo("awaiting_payment");
        payer.pay("PATCH", draft, json("subject", "other")).is(409);
        payer.pay("DELETE", draft, "").is(409);
        facilitator.letGo();
        await(() -> payer.pay("GET", draft, "").status() == 404);
        assertThat(payer.pay("GET", "/v0/inboxes/" + box + "/messages", "")
                        .is(200)
                        .at("messages.0.subject"))
                .isEqualTo("s");
    }

    @Test
    void aDraftKeepsItsTimeWhenNobodyPaysForAnother() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("times")).is(200).text("inbox_id");
        String drafts = "/v0/inboxes/" + box + "/drafts";
        Instant soon = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(1));
        Instant later = soon.plus(Duration.ofDays(1));
        String letter = json("to", "ann@far.test", "text", "t", "send_at", soon.toString());
        String draft = drafts + "/" + payer.pay("POST", drafts, letter).is(200).text("draft_id");
        facilitator.next(Fault.REFUSED);
        assertThat(payer.pay("PATCH", draft, json("send_at", later.toString()))
                        .is(402)
                        .at("price"))
                .isEqualTo("0.01");
        Answer kept = payer.pay("GET", draft, "").is(200);
        assertThat(kept.at("send_status")).isEqualTo("scheduled");
        assertThat(Instant.parse(kept.text("send_at"))).isEqualTo(soon);
        payer.pay("PATCH", draft, json("send_at", later.toString())).is(200);
        assertThat(Instant.parse(payer.pay("GET", draft, "").is(200).text("send_at")))
                .isEqualTo(later);
    }

    @Test
    void aFileOfADraftIsThereUntilItHasLeft() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("files")).is(200).text("inbox_id");
        String drafts = "/v0/inboxes/" + box + "/drafts";
        String file = Base64.getEncoder().encodeToString(new byte[400_000]); // beside the database
        String letter = """
                {"to":"ann@far.test","text":"t","attachments":[{"filename":"f.bin","content":"%s"}]}""".formatted(file);
        String draft = drafts + "/" + payer.pay("POST", drafts, letter).is(200).text("draft_id");
        facilitator.next(Fault.REFUSED);
        payer.pay("POST", draft + "/send", "{}").is(402);
        payer.pay("POST", draft + "/send", "{}").is(200);
        assertThat(payer.pay("GET", "/v0/payments", "").is(200).text()).doesNotContain("owed");
        Answer messages =
                payer.pay("GET", "/v0/inboxes/" + box + "/messages", "").is(200);
        assertThat(messages.at("messages.0.attachments.0.size")).isEqualTo(400_000L);
    }

    @Test
    @Tag("long")
    void whatOneAloneMayHaveIsPaidForOnce() {
        payer.pay("POST", "/v0/inboxes", inbox("one")).is(200);
        facilitator.hold();
        payer.pay("POST", "/v0/domains", json("domain", "twice.example")).is(409);
        Answer second = payer.pay("POST", "/v0/domains", json("domain", "Twice.example"))
                .is(409);
        assertThat(second.at("code")).isEqualTo("payment_pending");
        facilitator.letGo();
        await(() -> Long.valueOf(1)
                .equals(payer.pay("GET", "/v0/domains", "").is(200).at("count")));
        assertThat(facilitator.ledger()).hasSize(2);
    }

    @Test
    @Proves("A49")
    void aKeyOfAWalletPaysNothingWhereTheHostIsSwitchedOff() {
        payer.pay("POST", "/v0/inboxes", inbox("off")).is(200);
        String key =
                payer.pay("POST", "/v0/api-keys", json("name", "k")).is(200).text("api_key");
        try (World without = world.beside(Map.of())) {
            without.as(key).get("/v0/inboxes").is(200);
            without.as(key).post("/v0/pods", json("name", "p")).is(403);
        }
    }

    @Test
    @Proves("A49")
    void aPaymentForSomethingElseDoesNothing() {
        payer.pay("POST", "/v0/inboxes", inbox("elsewhere")).is(200);
        String cheap = payer.signed("POST", "/v0/pods", json("name", "p"));
        assertThat(payer.call("POST", "/v0/inboxes", inbox("dear"), cheap)
                        .is(402)
                        .at("reason"))
                .isEqualTo("no_matching_offer");
        assertThat(payer.call("DELETE", "/v0/inboxes/elsewhere@mail.localhost", "", cheap)
                        .is(402)
                        .at("reason"))
                .isEqualTo("no_matching_offer");
        String proof = payer.signed("GET", "/v0/inboxes", "");
        payer.call("POST", "/v0/pods", json("name", "p"), proof).is(402);
        PayerProbe stranger = new PayerProbe(world.httpPort(), HOST);
        stranger.pay("GET", "/v0/inboxes/elsewhere@mail.localhost", "").is(404);
        stranger.pay("POST", "/v0/inboxes", inbox("stranger")).is(200);
        stranger.pay("GET", "/v0/inboxes/elsewhere@mail.localhost", "").is(404);
        assertThat(facilitator.ledger()).hasSize(2);
    }

    @Test
    @Proves("A49")
    void aKeyOfAWalletCannotPay() {
        String box = payer.pay("POST", "/v0/inboxes", inbox("keyed")).is(200).text("inbox_id");
        String key =
                payer.pay("POST", "/v0/api-keys", json("name", "k")).is(200).text("api_key");
        world.as(key).get("/v0/inboxes").is(200);
        Answer refused = world.as(key)
                .post("/v0/inboxes/" + box + "/messages/send", json("to", "ann@far.test", "subject", "s", "text", "t"))
                .is(403);
        assertThat(refused.text("fix")).contains(HOST);
        payer.free("GET", "/v0/inboxes?api_key=" + key, "").is(401);
    }
}
