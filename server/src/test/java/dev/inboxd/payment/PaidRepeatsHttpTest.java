package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests that come again, with the same payment or another one (payments.md §6, §7). */
class PaidRepeatsHttpTest {
    private static final String HOST = "x402.localhost";

    private final LedgerFacilitator facilitator = new LedgerFacilitator();
    private World world;
    private PayerProbe payer;
    private String box;

    @BeforeEach
    void start() {
        world = World.start(Map.of("INBOXD_X402_HOST", HOST, "INBOXD_X402_FACILITATOR", facilitator.url()));
        payer = new PayerProbe(world.httpPort(), HOST);
        box = "/v0/inboxes/"
                + payer.pay("POST", "/v0/inboxes", inbox("box")).is(200).text("inbox_id");
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        facilitator.close();
    }

    private void repeatCostsNothing(String method, String path, String body) {
        int before = facilitator.ledger().size();
        assertThat(payer.pay(method, path, body).status()).isIn(200, 201);
        assertThat(facilitator.ledger()).hasSize(before + 1);
        String payment = payer.signed(method, path, body);
        assertThat(payer.call(method, path, body, payment).is(200).header("PAYMENT-RESPONSE"))
                .isNull();
        assertThat(facilitator.ledger()).hasSize(before + 1);
        // It has shown who asked, and is for one call like every proof.
        assertThat(payer.call(method, path, body, payment).is(402).at("reason")).isEqualTo("payment_already_used");
        assertThat(payer.pay("GET", "/v0/payments", "").is(200).list("payments"))
                .hasSize(before + 1);
    }

    @Test
    @Proves("P24a")
    void whatIsThereAlreadyIsNotPaidForAgain() {
        repeatCostsNothing("POST", box + "/drafts", json("to", "ann@far.test", "text", "t", "client_id", "d1"));
        repeatCostsNothing("POST", box + "/calendar/events", """
                {"title":"Lunch","start":"2030-01-01T12:00:00","end":"2030-01-01T13:00:00","client_id":"e1"}""");
        repeatCostsNothing("POST", "/v0/pods", json("name", "p", "client_id", "p1"));
    }

    @Test
    @Proves("P24a")
    void aTimeThatADraftHasAlreadyIsNotPaidForAgain() {
        String draft = box + "/drafts/"
                + payer.pay("POST", box + "/drafts", json("to", "ann@far.test", "text", "t"))
                        .is(200)
                        .text("draft_id");
        Instant at = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(1));
        repeatCostsNothing("PATCH", draft, json("send_at", at.toString()));
    }

    @Test
    void aRepeatByItsKeyHasThePaymentOfTheFirst() {
        String path = box + "/messages/send";
        String letter = json("to", "ann@far.test", "subject", "s", "text", "t");
        Answer first = keyed(path, letter).is(200);
        Answer again = keyed(path, letter).is(200);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("PAYMENT-RESPONSE")).isNotNull().isEqualTo(first.header("PAYMENT-RESPONSE"));
        assertThat(facilitator.ledger()).hasSize(2);
    }

    private Answer keyed(String path, String body) {
        return HttpProbe.of(world.httpPort(), null)
                .with("Host", HOST)
                .with("Idempotency-Key", "k1")
                .with("PAYMENT-SIGNATURE", payer.signed("POST", path, body))
                .post(path, body);
    }

    @Test
    void whatAnotherPaymentIsMadeForNamesIt() {
        facilitator.hold();
        Answer first = payer.pay("POST", "/v0/domains", json("domain", "twice.example"))
                .is(409);
        Answer second = payer.pay("POST", "/v0/domains", json("domain", "twice.example"))
                .is(409);
        assertThat(second.at("code")).isEqualTo("payment_pending");
        assertThat(second.text("payment_id")).isEqualTo(first.text("payment_id"));
    }

    @Test
    @Tag("long")
    void alsoALongAnswerIsGivenAgain() {
        String letter = json("to", "ann@far.test", "text", "a word and ".repeat(150_000));
        String payment = payer.signed("POST", box + "/drafts", letter);
        Answer first = payer.call("POST", box + "/drafts", letter, payment).is(200);
        assertThat(first.body().length).isGreaterThan(1 << 20);
        Answer again = payer.call("POST", box + "/drafts", letter, payment).is(200);
        assertThat(again.text("draft_id")).isEqualTo(first.text("draft_id"));
    }

    @Test
    void aNameThatNobodyChoseLeavesNoOtherBehind() {
        String address = payer.pay("POST", "/v0/inboxes", "{}").is(200).text("inbox_id");
        assertThat(count("select count(*)::integer as n from address a where a.inbox_id is null"))
                .isZero();
        assertThat(count("select count(*)::integer as n from look_alike l"
                        + " join organization o on o.organization_id = l.organization_id where o.type = 'wallet'"))
                .isEqualTo(2); // box, and this one
        assertThat(payer.pay("GET", "/v0/inboxes/" + address, "").is(200).text("inbox_id"))
                .isEqualTo(address);
    }

    private int count(String sql) {
        return world.database().read(tx -> tx.sqlAcrossTenants(sql).single(row -> row.integer("n")));
    }

    @Test
    @Tag("long")
    void aKeyOfAWalletChangesADraftThatGetsNoTime() {
        String draft = box + "/drafts/"
                + payer.pay("POST", box + "/drafts", json("to", "ann@far.test", "text", "t"))
                        .is(200)
                        .text("draft_id");
        HttpProbe key = world.as(
                payer.pay("POST", "/v0/api-keys", json("name", "k")).is(200).text("api_key"));
        assertThat(key.patch(draft, json("subject", "other")).is(200).at("subject"))
                .isEqualTo("other");
        String at = Instant.now().plus(Duration.ofDays(1)).toString();
        assertThat(key.patch(draft, json("send_at", at)).is(403).text("fix")).contains(HOST);
        assertThat(key.post(box + "/drafts", json("text", "t")).is(403).text("fix"))
                .contains(HOST);
    }
}
