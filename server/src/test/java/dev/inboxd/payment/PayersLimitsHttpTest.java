package dev.inboxd.payment;

import static dev.inboxd.payment.PayerProbe.inbox;
import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds for an account that pays as for any organization: rates, lists, stops (payments.md §5, §12). */
class PayersLimitsHttpTest {
    private static final String HOST = "x402.localhost";

    @TempDir
    private Path folder;

    private final LedgerFacilitator facilitator = new LedgerFacilitator();

    @AfterEach
    void stop() throws IOException {
        facilitator.close();
    }

    private World world(String... more) {
        Map<String, String> settings =
                new HashMap<>(Map.of("INBOXD_X402_HOST", HOST, "INBOXD_X402_FACILITATOR", facilitator.url()));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return World.start(settings);
    }

    private static PayerProbe account(World world) {
        return new PayerProbe(world.httpPort(), HOST);
    }

    private static void limited(Answer answer) {
        assertThat(answer.is(429).at("code")).isEqualTo("rate_limit_exceeded");
        assertThat(answer.header("Retry-After")).isNotNull();
    }

    @Test
    @Proves("A49")
    void anAddressIsAskedForPaymentsSoOften() {
        try (World world = world("INBOXD_LIMITS", "challenges=3")) {
            for (int i = 0; i < 3; i++) {
                account(world).free("GET", "/v0/inboxes", "").is(402);
            }
            limited(account(world).free("GET", "/v0/inboxes", ""));
        }
    }

    @Test
    @Proves("A49")
    void anAccountPaysSoOften() {
        try (World world = world("INBOXD_LIMITS", "payments=3")) {
            PayerProbe payer = account(world);
            payer.pay("POST", "/v0/inboxes", inbox("one")).is(200);
            payer.pay("GET", "/v0/inboxes", "").is(200);
            payer.pay("GET", "/v0/inboxes", "").is(200);
            limited(payer.pay("GET", "/v0/inboxes", ""));
            assertThat(facilitator.ledger()).hasSize(1);
        }
    }

    @Test
    @Tag("long")
    @Proves("A49")
    void anAccountHasSoManyPaymentsWithoutAnOutcome() {
        try (World world = world("INBOXD_LIMITS", "payments_open=2")) {
            PayerProbe payer = account(world);
            payer.pay("POST", "/v0/inboxes", inbox("one")).is(200);
            facilitator.hold();
            payer.pay("POST", "/v0/pods", json("name", "a")).is(409);
            payer.pay("POST", "/v0/pods", json("name", "b")).is(409);
            limited(payer.pay("POST", "/v0/pods", json("name", "c")));
            facilitator.letGo();
            await(() -> payer.pay("POST", "/v0/pods", json("name", "c")).status() == 200);
        }
    }

    /** What comes to nothing is no new organization, however often it is tried. */
    @Test
    @Proves("A49")
    void anAddressBeginsSoManyOrganizations() {
        try (World world = world("INBOXD_LIMITS", "wallets=2")) {
            world.inbox("taken");
            for (int i = 0; i < 4; i++) {
                account(world).pay("POST", "/v0/inboxes", inbox("taken")).is(403);
            }
            facilitator.next(LedgerFacilitator.Fault.REFUSED);
            account(world).pay("POST", "/v0/inboxes", inbox("unpaid")).is(402);
            account(world).pay("POST", "/v0/inboxes", inbox("one")).is(200);
            PayerProbe second = account(world);
            second.pay("POST", "/v0/inboxes", inbox("two")).is(200);
            limited(account(world).pay("POST", "/v0/inboxes", inbox("three")));
            second.pay("POST", "/v0/pods", json("name", "p")).is(200);
            assertThat(facilitator.ledger()).hasSize(3);
        }
    }

    @Test
    void anAccountHasListsAndStops() {
        try (World world = world()) {
            PayerProbe payer = account(world);
            String box = payer.pay("POST", "/v0/inboxes", inbox("box")).is(200).text("inbox_id");
            payer.pay("POST", "/v0/lists/send/block", json("entry", "bad.test")).is(200);
            String send = "/v0/inboxes/" + box + "/messages/send";
            payer.pay("POST", send, json("to", "eve@bad.test", "text", "t")).is(403);
            assertThat(payer.pay("POST", "/v0/lists/send/block", json("entry", "bad.test"))
                            .is(200)
                            .header("PAYMENT-RESPONSE"))
                    .isNull();
            payer.pay("POST", "/v0/organizations/stop", json("reason", "enough"))
                    .is(200);
            int paid = facilitator.ledger().size();
            Answer stopped = payer.pay("POST", send, json("to", "ann@far.test", "text", "t"));
            assertThat(stopped.status()).as(stopped.text()).isGreaterThanOrEqualTo(400);
            assertThat(facilitator.ledger()).hasSize(paid);
        }
    }

    @Test
    void anOrganizationThatCostsNothingIsInTheAuditLog() throws IOException {
        Path file = Files.writeString(folder.resolve("payments.yaml"), """
                x402:
                  accepts:
                    - network: eip155:84532
                      asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e"
                      decimals: 6
                      pay_to: "0x000000000000000000000000000000000000dEaD"
                      extra: {name: USDC, version: "2"}
                prices: {routes: {POST /v0/inboxes: 0}}
                """);
        try (World world = world("INBOXD_PAYMENTS_FILE", file.toString())) {
            PayerProbe payer = account(world);
            assertThat(payer.pay("GET", "/v0/auth/me", "").is(404).text("fix")).contains("0.00 USD");
            payer.pay("POST", "/v0/inboxes", inbox("given")).is(200);
            assertThat(payer.pay("GET", "/v0/inboxes", "").is(200).at("count")).isEqualTo(1L);
            List<String> entries = world.database()
                    .read(tx -> tx.sqlAcrossTenants("select a.action, a.actor_name from audit_entry a")
                            .list(row -> row.text("action") + " " + row.text("actor_name")));
            assertThat(entries)
                    .anyMatch(entry -> entry.startsWith("organization.created") && entry.contains(payer.account()));
            assertThat(facilitator.ledger()).isEmpty();
        }
    }

    /** A proxy passes the name on by which it was called, as it does for the public URL. */
    @Test
    @Proves("A49")
    void behindAProxyTheNameTellsThatACallIsPaidFor() {
        try (World world = world("INBOXD_TRUSTED_PROXIES", "127.0.0.1", "INBOXD_LIMITS", "challenges=1")) {
            HttpProbe proxy = HttpProbe.of(world.httpPort(), null).with("X-Forwarded-Proto", "https");
            HttpProbe named = proxy.with("Host", HOST);
            assertThat(named.with("X-Forwarded-For", "192.0.2.1")
                            .get("/v0/inboxes")
                            .is(402)
                            .header("PAYMENT-REQUIRED"))
                    .isNotBlank();
            limited(named.with("X-Forwarded-For", "192.0.2.1").get("/v0/inboxes"));
            named.with("X-Forwarded-For", "192.0.2.2").get("/v0/inboxes").is(402);
            proxy.with("X-Forwarded-Host", HOST).get("/v0/inboxes").is(401);
        }
    }
}
