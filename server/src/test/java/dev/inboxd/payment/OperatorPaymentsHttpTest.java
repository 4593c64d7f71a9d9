package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.payment.LedgerFacilitator.Fault;
import dev.inboxd.server.World;
import dev.inboxd.testing.Refusal;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator sees all payments on the admin port, and ends what nobody knows the outcome of (payments.md §12). */
class OperatorPaymentsHttpTest {
    private static final String HOST = "x402.localhost";
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";
    private static final String PAYMENTS = "/admin/v0/payments";

    private final LedgerFacilitator facilitator = new LedgerFacilitator();
    private World world;
    private PayerProbe payer;
    private HttpProbe admin;
    private int port;

    @BeforeEach
    void start() throws IOException {
        port = freePort();
        world = World.start(Map.of(
                "INBOXD_X402_HOST",
                HOST,
                "INBOXD_X402_FACILITATOR",
                facilitator.url(),
                "INBOXD_ADMIN_PORT",
                String.valueOf(port),
                "INBOXD_ADMIN_TOKEN",
                TOKEN));
        payer = new PayerProbe(world.httpPort(), HOST);
        admin = HttpProbe.of(port, TOKEN);
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        facilitator.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void allPaymentsAreListedByOrganizationStatusAndTime() {
        payer.pay("POST", "/v0/inboxes", inbox("one")).is(200);
        new PayerProbe(world.httpPort(), HOST)
                .pay("POST", "/v0/inboxes", inbox("two"))
                .is(200);
        facilitator.next(Fault.REFUSED);
        payer.pay("POST", "/v0/inboxes", inbox("three")).is(402);
        Answer all = admin.get(PAYMENTS).is(200);
        assertThat(all.list("payments")).hasSize(3);
        assertThat(all.at("payments.0.status")).isEqualTo("refused");
        assertThat(all.at("payments.0.reason")).isEqualTo("insufficient_funds");
        assertThat(all.at("payments.0.payer")).isEqualTo(payer.account());
        String organization = all.text("payments.0.organization_id");
        assertThat(admin.get(PAYMENTS + "?organization_id=" + organization)
                        .is(200)
                        .list("payments"))
                .hasSize(2);
        assertThat(admin.get(PAYMENTS + "?status=settled").is(200).list("payments"))
                .hasSize(2);
        assertThat(admin.get(PAYMENTS + "?since=2999-01-01T00:00:00Z").is(200).list("payments"))
                .isEmpty();
        Answer first = admin.get(PAYMENTS + "?limit=2").is(200);
        Answer second = admin.get(PAYMENTS + "?limit=2&page_token=" + first.text("next_page_token"))
                .is(200);
        assertThat(second.list("payments")).hasSize(1);
        String id = all.text("payments.0.payment_id");
        assertThat(admin.get(PAYMENTS + "/" + id).is(200).at("price")).isEqualTo("2.00");
        Refusal.of(admin.get(PAYMENTS + "/nothing"), ErrorCode.NOT_FOUND);
        Refusal.of(admin.get(PAYMENTS + "?status=open"), ErrorCode.VALIDATION_ERROR);
        Refusal.of(HttpProbe.of(world.httpPort(), TOKEN).get(PAYMENTS), ErrorCode.NOT_FOUND);
        Refusal.of(HttpProbe.of(port, "wrong").get(PAYMENTS), ErrorCode.UNAUTHORIZED);
    }

    @Test
    void whatTheOperatorSaysWasPaidIsCarriedOut() {
        payer.pay("POST", "/v0/inboxes", inbox("ground")).is(200);
        facilitator.next(Collections.nCopies(50, Fault.PENDING).toArray(Fault[]::new));
        payer.pay("POST", "/v0/inboxes", inbox("late")).is(409);
        String id = pending();
        Refusal.of(resolve(id, json("outcome", "maybe")), ErrorCode.VALIDATION_ERROR);
        Refusal.of(resolve(id, json("outcome", "refused", "transaction", "0x1")), ErrorCode.VALIDATION_ERROR);
        await(() ->
                resolve(id, json("outcome", "paid", "transaction", "0xfeed")).status() == 200);
        await(() -> "settled".equals(admin.get(PAYMENTS + "/" + id).is(200).at("status")));
        Answer settled = payer.pay("GET", "/v0/payments/" + id, "").is(200);
        assertThat(settled.at("transaction")).isEqualTo("0xfeed");
        assertThat(payer.pay("GET", "/v0/inboxes", "").is(200).at("count")).isEqualTo(2L);
        Refusal.of(resolve(id, json("outcome", "refused")), ErrorCode.CONFLICT);
        assertThat(audited(settled))
                .anyMatch(entry -> entry.contains("payment.resolved") && entry.contains("operator"));
    }

    @Test
    void whatTheOperatorSaysWasNotPaidIsTakenBack() {
        facilitator.next(Collections.nCopies(50, Fault.PENDING).toArray(Fault[]::new));
        String payment = payer.signed("POST", "/v0/inboxes", inbox("never"));
        payer.call("POST", "/v0/inboxes", inbox("never"), payment).is(409);
        String id = pending();
        await(() -> resolve(id, json("outcome", "refused")).status() == 200);
        await(() -> "refused".equals(admin.get(PAYMENTS + "/" + id).is(200).at("status")));
        world.http().post("/v0/inboxes", inbox("never")).is(200);
    }

    private String pending() {
        return admin.get(PAYMENTS + "?status=pending").is(200).text("payments.0.payment_id");
    }

    private Answer resolve(String id, String body) {
        return admin.post(PAYMENTS + "/" + id + "/resolve", body);
    }

    private List<String> audited(Answer payment) {
        String organization =
                admin.get(PAYMENTS + "/" + payment.text("payment_id")).is(200).text("organization_id");
        return world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select a.action, a.actor from audit_entry a where a.organization_id = :organization")
                        .bind("organization", UUID.fromString(organization))
                        .list(row -> row.text("action") + " " + row.text("actor")));
    }
}
