package dev.inboxd.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.config.Settings;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.testing.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private String said(Map<String, String> changed) {
        Map<String, String> given =
                new HashMap<>(Map.of("INBOXD_DATA_DIR", folder.toString(), "INBOXD_PUBLIC_URL", "http://127.0.0.1"));
        given.putAll(changed);
        out.reset();
        new PaymentCheck(report, Settings.read(given, Map.of())).run();
        return out.toString(StandardCharsets.UTF_8);
    }
}
