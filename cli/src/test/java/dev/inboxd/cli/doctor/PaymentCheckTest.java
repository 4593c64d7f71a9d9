package dev.inboxd.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.config.Settings;
import dev.inboxd.net.Dns;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of calls that are paid for (docs/operating/payments.md). */
class PaymentCheckTest {
    private static final String FILE = """
            x402:
              accepts:
                - network: eip155:8453
                  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
                  decimals: 6
                  pay_to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
                  extra: {name: USD Coin, version: "2"}
            """;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final DoctorReport report = new DoctorReport(new PrintStream(out, true, StandardCharsets.UTF_8));

    @Test
    void withoutAHostItSaysNothing() {
        assertThat(said(Map.of())).isEmpty();
    }

    @Test
    void developmentIsWarnedOf() {
        assertThat(said(Map.of("INBOXD_X402_HOST", "x402.localhost", "INBOXD_MPP_HOST", "mpp.localhost")))
                .contains(
                        "ok    x402 at http://x402.localhost",
                        "1 offer (eip155:84532 USDC to 0x00…aD)",
                        "ok    mpp at http://mpp.localhost",
                        "1 method (evm 0x03…7e to 0x00…aD)",
                        "warn  facilitator: development, nothing is checked and no money moves");
        assertThat(report.isHealthy()).isTrue();
    }

    @Test
    void theFacilitatorIsAskedWhatItSupports() throws IOException {
        Path file = Files.writeString(folder.resolve("payments.yaml"), FILE);
        try (FakeEndpoint facilitator = FakeEndpoint.start()) {
            Map<String, String> given = Map.of(
                    "INBOXD_X402_HOST",
                    "x402.localhost",
                    "INBOXD_PAYMENTS_FILE",
                    file.toString(),
                    "INBOXD_X402_FACILITATOR",
                    facilitator.url(""));
            facilitator.always(supporting("eip155:8453"));
            assertThat(said(given))
                    .contains("eip155:8453 USD Coin to 0x20…7C", "answers, supports exact on eip155:8453");
            facilitator.always(supporting("eip155:1"));
            assertThat(said(given)).contains("warn  facilitator", "does not name exact on eip155:8453");
            assertThat(report.isHealthy()).isTrue();
            facilitator.always(FakeEndpoint.status(401));
            assertThat(said(given)).contains("FAIL  facilitator", "does not answer GET /supported");
            assertThat(report.isHealthy()).isFalse();
        }
    }

    @Test
    void aFileThatIsWrongIsNamedWithLineAndMember() throws IOException {
        Path file = Files.writeString(
                folder.resolve("payments.yaml"), FILE + "prices:\n  routes:\n    POST /v0/inbox: 2.00\n");
        assertThat(said(Map.of(
                        "INBOXD_X402_HOST",
                        "x402.localhost",
                        "INBOXD_X402_FACILITATOR",
                        "http://127.0.0.1:9",
                        "INBOXD_PAYMENTS_FILE",
                        file.toString())))
                .contains("FAIL  payments file", "payments.yaml", "10", "POST /v0/inbox");
    }

    private static FakeEndpoint.Behaviour supporting(String network) {
        return FakeEndpoint.respond(
                200,
                "Content-Type: application/json\r\n",
                JsonText.json(
                        "kinds",
                        List.of(JsonObject.of("x402Version", 2)
                                .with("scheme", "exact")
                                .with("network", network))));
    }

    @Test
    void aFacilitatorIsAskedForMethodsOfMppAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("payments.yaml"), """
                mpp:
                  methods:
                    - method: evm
                      verifier: facilitator
                      currency: "0x036CbD53842c5426634e7929541eC2318f3dCF7e"
                      recipient: "0x000000000000000000000000000000000000dEaD"
                      decimals: 6
                      details: {chainId: 84532}
                      extra: {name: USDC, version: "2"}
                """);
        try (FakeEndpoint facilitator = FakeEndpoint.start()) {
            facilitator.always(supporting("eip155:1"));
            Map<String, String> settings = Map.of(
                    "INBOXD_MPP_HOST",
                    "mpp.localhost",
                    "INBOXD_X402_FACILITATOR",
                    facilitator.url(""),
                    "INBOXD_PAYMENTS_FILE",
                    file.toString());
            assertThat(said(settings)).contains("ok    mpp at", "warn  facilitator", "exact on eip155:84532");
            facilitator.always(supporting("eip155:84532"));
            assertThat(said(settings))
                    .contains("supports exact on eip155:84532")
                    .doesNotContain("warn");
        }
    }

    @Test
    void aNameThatIsMissingIsAWarning() {
        try (FakeDns zone = FakeDns.start()) {
            zone.mailExchangers("inbox.example.com", "10 mx.inbox.example.com")
                    .addresses("mx.inbox.example.com", "192.0.2.25")
                    .addresses("api.example.com", "192.0.2.80")
                    .addresses("mpp.example.com", "192.0.2.80")
                    .pointer("192.0.2.25", "mx.inbox.example.com");
            new NameCheck(report, new Dns(zone.servers(), Duration.ofSeconds(5))).run(production(Map.of()));
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("warn  address of x402.example.com: there is none", "ok    address of mpp.example.com");
        assertThat(report.isHealthy()).isTrue();
    }

    @Test
    void aCertificateThatDoesNotCoverANameIsAWarning() throws IOException {
        ServerTls.selfSigned(
                folder, List.of("mx.inbox.example.com", "api.example.com", "mpp.example.com"), InstantSource.system());
        new TlsCheck(report, InstantSource.system())
                .run(production(Map.of(
                        "INBOXD_HTTP_TLS",
                        "on",
                        "INBOXD_TLS_CERT",
                        folder.resolve("tls-cert.pem").toString(),
                        "INBOXD_TLS_KEY",
                        folder.resolve("tls-key.pem").toString())));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("does not name x402.example.com", "names mpp.example.com");
        assertThat(report.isHealthy()).isTrue();
    }

    private Settings production(Map<String, String> changed) {
        Map<String, String> given = new HashMap<>(Map.of(
                "INBOXD_DATA_DIR",
                folder.toString(),
                "INBOXD_MODE",
                "production",
                "INBOXD_DOMAIN",
                "inbox.example.com",
                "INBOXD_PUBLIC_URL",
                "https://api.example.com",
                "INBOXD_SECRET_KEY",
                "6f1d8c02b7a94e53c1f0a2d498e7b365",
                "INBOXD_X402_HOST",
                "x402.example.com",
                "INBOXD_MPP_HOST",
                "mpp.example.com",
                "INBOXD_X402_FACILITATOR",
                "https://facilitator.example.com",
                "INBOXD_PAYMENTS_FILE",
                folder.resolve("payments.yaml").toString()));
        given.putAll(changed);
        return Settings.read(given, Map.of());
    }

    @Test
    void whatWaitsAndWhatIsOwedIsToldWithTheCommand() {
        try (World world = World.start(Map.of("INBOXD_X402_HOST", "x402.localhost"))) {
            PaymentCheck check = new PaymentCheck(report, settings(Map.of("INBOXD_X402_HOST", "x402.localhost")));
            check.open(Optional.of(world.location()), InstantSource.system());
            assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
            payment(world, "settling");
            payment(world, "owed");
            Instant later = Instant.now().plus(Duration.ofMinutes(2));
            check.open(Optional.of(world.location()), () -> later);
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains(
                            "warn  payments: 1 is without an outcome, the oldest since",
                            "; 1 is owed",
                            "inboxd payment list --status pending");
        }
    }

    private static void payment(World world, String state) {
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(View.of(world.organization()), """
                insert into payment (organization_id, payment_id, variant, method, network, asset, amount, price, payer,
                    route, test, request_id, request_hash, taken, grounds, state, valid_before, transaction, created_at)
                values ({organization}, :id, 'x402', 'exact', 'eip155:84532', '0x03', '2000000', 2000000,
                    'eip155:84532:0x11', 'POST /v0/inboxes', true, 'req_1', ''::bytea, array[]::text[], array[]::text[],
                    :state, {now}, :transaction, {now})""")
                                .bind("id", Uuid7.next())
                                .bind("state", state)
                                .bind("transaction", "0x1")
                                .run());
    }

    private Settings settings(Map<String, String> changed) {
        Map<String, String> given =
                new HashMap<>(Map.of("INBOXD_DATA_DIR", folder.toString(), "INBOXD_PUBLIC_URL", "http://127.0.0.1"));
        given.putAll(changed);
        return Settings.read(given, Map.of());
    }

    private String said(Map<String, String> changed) {
        out.reset();
        new PaymentCheck(report, settings(changed)).run();
        return out.toString(StandardCharsets.UTF_8);
    }
}
