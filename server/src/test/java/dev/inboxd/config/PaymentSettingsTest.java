package dev.inboxd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.payment.offer.PaymentsUse.FacilitatorKind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of payments, and the rules that stop a start. */
class PaymentSettingsTest {
    private static PaymentSettings read(String... pairs) {
        return Settings.read(variables(new HashMap<>(), pairs), Map.of()).payments();
    }

    private static PaymentSettings production(String... pairs) {
        return Settings.read(variables(productionVariables(), pairs), Map.of()).payments();
    }

    private static Map<String, String> productionVariables() {
        return new HashMap<>(Map.of(
                "INBOXD_MODE", "production",
                "INBOXD_PUBLIC_URL", "https://api.example.com",
                "INBOXD_DOMAIN", "mail.example.com",
                "INBOXD_SECRET_KEY", "6f1d8c02b7a94e53c1f0a2d498e7b365"));
    }

    private static Map<String, String> variables(Map<String, String> variables, String... pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            variables.put("INBOXD_" + pairs[i], pairs[i + 1]);
        }
        return variables;
    }

    private static void assertFault(String fault, String... pairs) {
        assertThatThrownBy(() -> read(pairs))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(fault);
    }

    private static void assertProductionFault(String fault, String... pairs) {
        assertThatThrownBy(() -> production(pairs))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(fault);
    }

    @Test
    void withoutTheSettingsThereIsNothingOfIt() {
        assertThat(read().hosts()).isEmpty();
        assertThat(production().hosts()).isEmpty();
        assertThat(production().facilitator().kind()).isEqualTo(FacilitatorKind.NONE);
    }

    @Test
    void developmentHasAFacilitatorOfItsOwn() {
        PaymentSettings settings = read("X402_HOST", "X402.localhost", "MPP_HOST", "mpp.localhost:8081");
        assertThat(settings.hosts()).contains("x402.localhost", "mpp.localhost");
        assertThat(settings.x402()).contains(new PaymentHost("x402.localhost", OptionalInt.empty()));
        assertThat(settings.mpp()).contains(new PaymentHost("mpp.localhost", OptionalInt.of(8081)));
        assertThat(settings.facilitator())
                .isEqualTo(new PaymentSettings.Facilitator(FacilitatorKind.DEVELOPMENT, Optional.empty(), Map.of()));
        assertThat(settings.file()).isEmpty();
    }

    @Test
    void aVariantHasTheSchemeOfThePublicUrlAndItsPortUnlessItHasOne() {
        URI url = URI.create("http://127.0.0.1:8080");
        assertThat(new PaymentHost("x.test", OptionalInt.empty()).baseUrl(url)).hasToString("http://x.test:8080");
        assertThat(new PaymentHost("x.test", OptionalInt.of(1)).baseUrl(url)).hasToString("http://x.test:1");
        assertThat(new PaymentHost("x.test", OptionalInt.empty()).baseUrl(URI.create("https://api.example.com")))
                .hasToString("https://x.test");
    }

    @Test
    void aFacilitatorHasItsUrlAndSecretFields() {
        PaymentSettings settings = read(
                "X402_FACILITATOR", "https://f.example/x402",
                "X402_FACILITATOR_HEADERS", "authorization=Bearer%20a%2Cb,x-tenant=1",
                "X402_PROOF_FACILITATOR", "http://10.0.0.1:4021");
        assertThat(settings.facilitator().kind()).isEqualTo(FacilitatorKind.OPERATOR);
        assertThat(settings.facilitator().url()).contains(URI.create("https://f.example/x402"));
        assertThat(settings.facilitator().headers())
                .isEqualTo(Map.of("authorization", new Secret("Bearer a,b"), "x-tenant", new Secret("1")));
        assertThat(settings.proofFacilitator()).contains(URI.create("http://10.0.0.1:4021"));
        assertThat(settings.toString()).doesNotContain("Bearer");
    }

    @Test
    void theFieldsOfTheFacilitatorMayStandInAFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("fields"), "authorization=Bearer%20k\nx-tenant=1\n");
        assertThat(read("X402_FACILITATOR", "https://f.example", "X402_FACILITATOR_HEADERS_FILE", file.toString())
                        .facilitator()
                        .headers())
                .isEqualTo(Map.of("authorization", new Secret("Bearer k"), "x-tenant", new Secret("1")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"authorization", "=x", "host=other.example", "content-length=3", "a b=c", "x=%0D%0Ay: z"})
    void aFieldThatIsNoneIsAFaultThatDoesNotShowIt(String headers) {
        assertFault(
                "INBOXD_X402_FACILITATOR_HEADERS is \"***\"; allowed: name=value,… with percent-encoded values",
                "X402_FACILITATOR",
                "https://f.example",
                "X402_FACILITATOR_HEADERS",
                headers);
    }

    @Test
    void fieldsNeedAFacilitator() {
        assertFault(
                "INBOXD_X402_FACILITATOR_HEADERS is set, which needs INBOXD_X402_FACILITATOR",
                "X402_FACILITATOR_HEADERS",
                "a=b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "Development",
                "ftp://f.example",
                "https://f.example/",
                "https://u:p@f.example",
                "https://f.example?key=1",
                "f.example"
            })
    void aFacilitatorIsDevelopmentOrAUrl(String text) {
        assertFault(
                "INBOXD_X402_FACILITATOR is \"" + text + "\"; allowed: development, or an http:// or https:// URL",
                "X402_FACILITATOR",
                text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://x402.example.com",
                "x402.example.com/",
                "-x.example",
                "x402.example.com:0",
                "x:70000",
                "x402.example.com:",
                "a b"
            })
    void aHostIsANameWithAPortIfNeedBe(String text) {
        assertFault(
                "INBOXD_X402_HOST is \"" + text + "\"; allowed: a host name such as x402.example.com",
                "X402_HOST",
                text);
    }

    @ParameterizedTest
    @CsvSource({
        "MPP_HOST, X402_HOST, pay.example.com",
        "X402_WS_HOST, X402_HOST, pay.example.com:81",
        "MPP_WS_HOST, X402_HOST, PAY.example.com",
        "MPP_WS_HOST, X402_WS_HOST, pay.example.com",
    })
    void theFourHostsDiffer(String one, String other, String name) {
        Map<String, String> hosts = new HashMap<>(Map.of("X402_HOST", "a.example.com", "MPP_HOST", "b.example.com"));
        hosts.put(one, name);
        hosts.put(other, "pay.example.com");
        assertFault(
                "INBOXD_" + one + " is \"pay.example.com\", which is that of INBOXD_" + other + "; give it a name",
                hosts.entrySet().stream()
                        .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "PUBLIC_URL, https://Pay.example.com:81, the host of INBOXD_PUBLIC_URL",
        "CONTENT_URL, https://pay.example.com, the host of INBOXD_CONTENT_URL",
        "ADMIN_HOSTS, 'metrics.internal, pay.example.com', a host of the admin port",
        "TRACKING_HOST, pay.example.com, that of INBOXD_TRACKING_HOST",
    })
    void theHostOfAVariantIsNothingElses(String setting, String value, String whose) {
        for (String host : new String[] {"X402_HOST", "MPP_HOST"}) {
            assertFault(
                    "INBOXD_" + host + " is \"pay.example.com\", which is " + whose + "; give it a name of its own",
                    host,
                    "pay.example.com",
                    setting,
                    value);
        }
        assertFault(
                "which is " + whose, "X402_HOST", "a.example.com", "X402_WS_HOST", "pay.example.com", setting, value);
    }

    @Test
    void inDevelopmentLocalhostIsTheServersOwn() {
        assertFault("INBOXD_X402_HOST is \"localhost\", which is a host of the admin port", "X402_HOST", "localhost");
        assertFault("INBOXD_MPP_HOST is \"127.0.0.1\"", "MPP_HOST", "127.0.0.1:9090");
        assertFault("one of pixels", "MPP_HOST", "link.example.com");
    }

    @Test
    void aHostOfSocketsNeedsItsVariant() {
        assertFault(
                "INBOXD_X402_WS_HOST is \"ws.example.com\", which needs INBOXD_X402_HOST",
                "X402_WS_HOST",
                "ws.example.com",
                "MPP_HOST",
                "mpp.example.com");
        assertFault("which needs INBOXD_MPP_HOST", "MPP_WS_HOST", "ws.example.com", "X402_HOST", "x.example.com");
    }

    @Test
    void productionNeedsAFacilitatorAndAFile() {
        assertProductionFault(
                "INBOXD_X402_FACILITATOR must be set in production with INBOXD_X402_HOST",
                "X402_HOST",
                "x402.example.com",
                "PAYMENTS_FILE",
                "pay.yaml");
        assertProductionFault(
                "INBOXD_PAYMENTS_FILE must be set in production with INBOXD_X402_HOST",
                "X402_HOST",
                "x402.example.com",
                "X402_FACILITATOR",
                "https://f.example");
        assertProductionFault(
                "INBOXD_PAYMENTS_FILE must be set in production with INBOXD_MPP_HOST", "MPP_HOST", "mpp.example.com");
        assertProductionFault(
                "INBOXD_X402_FACILITATOR is \"development\", which checks nothing and moves no money",
                "X402_FACILITATOR",
                "development");
        assertThat(production("MPP_HOST", "mpp.example.com", "PAYMENTS_FILE", "pay.yaml")
                        .hosts())
                .as("each method may have a verifier of its own; the file says")
                .contains("mpp.example.com");
        assertThat(production(
                                "X402_HOST", "x402.example.com",
                                "X402_FACILITATOR", "https://f.example",
                                "PAYMENTS_FILE", "pay.yaml")
                        .file())
                .contains(Path.of("pay.yaml"));
        assertProductionFault(
                "production needs an https:// URL",
                "PUBLIC_URL",
                "http://api.example.com",
                "X402_HOST",
                "x402.example.com",
                "X402_FACILITATOR",
                "https://f.example",
                "PAYMENTS_FILE",
                "pay.yaml");
    }

    @ParameterizedTest
    @CsvSource({
        "http://f.example.com, false",
        "http://93.184.216.34:80/x402, false",
        "http://127.0.0.1:4021, true",
        "http://192.168.1.5/x402, true",
        "http://localhost:4021, true",
        "http://facilitator:4021, true",
        "https://f.example.com, true",
    })
    void inProductionPlainHttpIsForLoopbackAndPrivateAddresses(String url, boolean allowed) {
        assertThat(read("X402_FACILITATOR", url, "X402_PROOF_FACILITATOR", url)
                        .facilitator()
                        .url())
                .contains(URI.create(url));
        if (allowed) {
            assertThat(production("X402_FACILITATOR", url).facilitator().url()).contains(URI.create(url));
        } else {
            String fault = " is \"" + url + "\", which is plain http; production needs https://";
            assertProductionFault("INBOXD_X402_FACILITATOR" + fault, "X402_FACILITATOR", url);
            assertProductionFault("INBOXD_X402_PROOF_FACILITATOR" + fault, "X402_PROOF_FACILITATOR", url);
        }
    }

    @Test
    void limitsAndRetentionHaveTheNamesOfPayments() {
        Settings settings = Settings.read(
                Map.of(
                        "INBOXD_LIMITS", "challenges=1,payments=2,payments_open=3,wallets=4",
                        "INBOXD_RETENTION", "payments=90d"),
                Map.of());
        assertThat(settings.policy().limits().of("payments_open", 20)).isEqualTo(3);
        assertThat(settings.storage().retention()).containsEntry("payments", Duration.ofDays(90));
        assertFault("payments at least 90d", "RETENTION", "payments=89d");
        assertFault("events and metrics at least 121d", "RETENTION", "metrics=120d");
    }
}
