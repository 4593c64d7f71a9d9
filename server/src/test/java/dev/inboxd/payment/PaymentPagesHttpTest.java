package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page Payments of the console, with the facilitator of development (payments.md §11, §12). */
class PaymentPagesHttpTest {
    private static final String HOST = "x402.localhost";

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_X402_HOST", HOST));

    @Test
    void aWalletsOrganizationHasItsPaymentsInTheOpenConsole() {
        PayerProbe payer = new PayerProbe(world.httpPort(), HOST);
        Answer made = payer.pay("POST", "/v0/inboxes", inbox("page")).is(200);
        String organization = payer.pay("GET", "/v0/auth/me", "").is(200).text("organization_id");
        String id = payer.pay("GET", "/v0/payments", "").is(200).text("payments.0.payment_id");
        assertThat(PayerProbe.settled(made).get("transaction")).isEqualTo("development:" + id);
        assertThat(world.operator().get("/console/organizations").is(200).text())
                .contains(organization);
        HttpProbe console =
                world.anonymous().with("Cookie", world.operatorCookie() + "; inboxd-organization=" + organization);
        String page = console.get("/console/payments").is(200).text();
        assertThat(page)
                .contains("POST /v0/inboxes", "2.00 USD", "test", "settled", payer.account(), "development:" + id)
                .contains("Settled in 30 days", "Export as CSV")
                .contains("aria-current=\"page\"");
        assertThat(page.length()).isLessThan(30_000);
        Answer csv = console.get("/console/payments.csv").is(200);
        assertThat(csv.header("Content-Type")).startsWith("text/csv");
        assertThat(csv.header("Content-Disposition")).contains("payments.csv");
        List<String> lines = csv.text().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains(id, payer.account(), ",2.00,x402,exact,eip155:84532,", ",true,");
    }

    @Test
    void anOrganizationWithoutPaymentsHasAPageThatSaysSo() {
        HttpProbe console = world.anonymous()
                .with("Cookie", world.operatorCookie() + "; inboxd-organization=" + world.organization());
        assertThat(console.get("/console/payments").is(200).text()).contains("No payments yet");
        assertThat(console.get("/console/payments.csv").is(200).text().lines()).hasSize(1);
        try (World without = World.start()) {
            without.operator().get("/console/payments").is(404);
            assertThat(without.operator().get("/console").is(200).text()).doesNotContain("/console/payments");
        }
    }
}
