package dev.inboxd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final String KEY = "6f1d8c02b7a94e53c1f0a2d498e7b365";

    @Test
    void withoutAnySettingItRunsOnLoopbackAndSendsNothing() {
        Settings settings = read(Map.of());
        assertThat(settings.mode()).isEqualTo(Settings.Mode.DEV);
        assertThat(settings.dataDirectory()).isEqualTo(Path.of("data").toAbsolutePath());
        assertThat(settings.network().bind().isLoopbackAddress()).isTrue();
        assertThat(settings.network().httpPort()).isEqualTo(8080);
        assertThat(settings.network().smtpPort()).isEqualTo(2525);
        assertThat(settings.network().submissionPort()).isEqualTo(5870);
        assertThat(settings.network().admin().port()).isEqualTo(OptionalInt.empty());
        assertThat(settings.names().publicUrl()).isEmpty();
        assertThat(settings.names().domain()).isEqualTo("mail.localhost");
        assertThat(settings.names().mxHost()).isEqualTo("mx.mail.localhost");
        assertThat(settings.storage().database()).isEmpty();
        assertThat(settings.storage().blobs().getPath()).endsWith("/data/blobs");
        assertThat(settings.delivery().way()).isEqualTo(Settings.Delivery.Route.SANDBOX);
        assertThat(settings.policy().signUp()).isEqualTo(Settings.SignUp.OPEN);
        assertThat(settings.policy().privateTargets()).isEqualTo(Settings.PrivateTargets.ALLOW);
        assertThat(settings.policy().limits().enforced()).isFalse();
        assertThat(settings.policy().maxMessage()).isEqualTo(40L * 1024 * 1024);
        assertThat(settings.log()).isEqualTo(Settings.LogFormat.TEXT);
    }

    @Test
    void productionServesOthersAndIsClosedByDefault() {
        Settings settings = read(production());
        assertThat(settings.network().bind().isAnyLocalAddress()).isTrue();
        assertThat(settings.network().httpBind().isLoopbackAddress()).isTrue();
        assertThat(settings.network().admin().port()).hasValue(9090);
        assertThat(settings.names().publicUrl()).contains(URI.create("https://api.example.com"));
        assertThat(settings.delivery().way()).isEqualTo(Settings.Delivery.Route.DIRECT);
        assertThat(settings.policy().signUp()).isEqualTo(Settings.SignUp.CLOSED);
        assertThat(settings.policy().privateTargets()).isEqualTo(Settings.PrivateTargets.DENY);
        assertThat(settings.policy().limits().enforced()).isTrue();
        assertThat(settings.storage().secretKeys()).containsExactly(new Secret(KEY));
        assertThat(settings.log()).isEqualTo(Settings.LogFormat.JSON);
    }

    @Test
    void aFlagWinsOverItsVariable() {
        Settings settings = Settings.read(Map.of("INBOXD_HTTP_PORT", "81"), Map.of("--http-port", "82"));
        assertThat(settings.network().httpPort()).isEqualTo(82);
    }

    @Test
    void anEmptyVariableIsOneThatIsNotSet() {
        assertThat(read(Map.of("INBOXD_HTTP_PORT", " ")).network().httpPort()).isEqualTo(8080);
    }

    @Test
    void aRelayMeansDeliveryByRelay() {
        Settings.Delivery delivery = read(Map.of("INBOXD_RELAY", "smtp://joe:p%40ss+1@relay.example"))
                .delivery();
        assertThat(delivery.way()).isEqualTo(Settings.Delivery.Route.RELAY);
        assertThat(delivery.relay())
                .contains(new RelayServer(
                        new HostPort("relay.example", 587),
                        false,
                        true,
                        Optional.of(new Credentials("joe", new Secret("p@ss+1")))));
    }

    @ParameterizedTest
    @CsvSource({
        "smtp://relay.example, relay.example:25, false",
        "smtps://relay.example, relay.example:465, true",
        "smtp://[::1]:1025, [::1]:1025, false",
    })
    void aRelaysPortFollowsFromItsScheme(String url, String server, boolean tls) {
        RelayServer relay = read(Map.of("INBOXD_RELAY", url)).delivery().relay().orElseThrow();
        assertThat(relay.server()).hasToString(server);
        assertThat(relay.implicitTls()).isEqualTo(tls);
    }

    @ParameterizedTest
    @CsvSource({
        "postgres://joe:s%2Fx@db1:5433/mail, jdbc:postgresql://db1:5433/mail, joe, s/x",
        "postgresql://joe@db1/mail?sslmode=require, jdbc:postgresql://db1/mail?sslmode=require, joe, ''",
        "'postgres://joe:x@db1,db2:5433/mail', 'jdbc:postgresql://db1,db2:5433/mail', joe, x",
        "jdbc:postgresql://db1/mail?user=joe&ssl=true&password=x, jdbc:postgresql://db1/mail?ssl=true, joe, x",
    })
    void aDatabaseUrlIsSplitIntoAPlaceThatMayBeShownAndALogin(String url, String jdbc, String user, String password) {
        ExternalDatabase database =
                read(Map.of("INBOXD_DATABASE_URL", url)).storage().database().orElseThrow();
        assertThat(database)
                .isEqualTo(new ExternalDatabase(jdbc, Optional.of(new Credentials(user, new Secret(password)))));
    }

    @Test
    void theHostsOfADatabaseAreNamedOneByOne() {
        ExternalDatabase database = read(Map.of(
                        "INBOXD_DATABASE_URL",
                        "postgres://joe:x@db1,[2001:db8::2]:5433/mail?targetServerType=primary&ssl=true"))
                .storage()
                .database()
                .orElseThrow();
        assertThat(database.wantsPrimary()).isTrue();
        assertThat(database.hosts())
                .extracting(host -> host.name() + " " + host.database().jdbcUrl())
                .containsExactly(
                        "db1 jdbc:postgresql://db1/mail?ssl=true",
                        "[2001:db8::2]:5433 jdbc:postgresql://[2001:db8::2]:5433/mail?ssl=true");
        assertThat(database.hosts()).allMatch(host -> host.database().login().equals(database.login()));
        for (String other : List.of("postgres://db1,db2/mail", "postgres://db1,db2/mail?targetServerType=any")) {
            assertThat(read(Map.of("INBOXD_DATABASE_URL", other))
                            .storage()
                            .database()
                            .orElseThrow()
                            .wantsPrimary())
                    .isFalse();
        }
    }

    @Test
    void listsPairsAndSizesAreRead() {
        Settings settings = read(Map.of(
                "INBOXD_DNS_SERVERS", "10.0.0.1, 10.0.0.2:5353,2001:db8::1",
                "INBOXD_TRUSTED_PROXIES", "10.0.0.0/8,::1",
                "INBOXD_CORS_ORIGINS", "https://a.example,http://b.example:3000",
                "INBOXD_LIMITS", "webhooks=10,api_keys=3",
                "INBOXD_RETENTION", "submissions=30d",
                "INBOXD_MAX_MESSAGE", "1 MiB",
                "INBOXD_ADMIN_PORT", "9000"));
        assertThat(settings.delivery().dnsServers())
                .containsExactly(
                        new HostPort("10.0.0.1", 53), new HostPort("10.0.0.2", 5353), new HostPort("2001:db8::1", 53));
        assertThat(settings.network().trustedProxies()).containsExactly("10.0.0.0/8", "::1");
        assertThat(settings.network().corsOrigins()).containsExactly("https://a.example", "http://b.example:3000");
        assertThat(settings.policy().limits())
                .isEqualTo(new Settings.Limits(true, Map.of("webhooks", 10, "api_keys", 3)));
        assertThat(settings.storage().retention()).isEqualTo(Map.of("submissions", Duration.ofDays(30)));
        assertThat(settings.policy().maxMessage()).isEqualTo(1024 * 1024);
        assertThat(settings.network().admin().port()).hasValue(9000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INBOXD_MODE | prod",
                "INBOXD_HTTP_PORT | 65536",
                "INBOXD_SMTP_PORT | -1",
                "INBOXD_OUTBOUND_SMTP_PORT | 0",
                "INBOXD_ADMIN_PORT | no",
                "INBOXD_BIND | localhost",
                "INBOXD_PUBLIC_URL | https://api.example.com/",
                "INBOXD_PUBLIC_URL | ftp://api.example.com",
                "INBOXD_PUBLIC_URL | https://joe@api.example.com",
                "INBOXD_TRUSTED_PROXIES | 10.0.0.0/33",
                "INBOXD_TRUSTED_PROXIES | proxy.example",
                "INBOXD_SMTP_PROXIES | maybe",
                "INBOXD_CORS_ORIGINS | https://a.example/path",
                "INBOXD_DOMAIN | -bad.example",
                "INBOXD_DOMAIN | bad..example",
                "INBOXD_DATABASE_URL | mysql://db/mail",
                "INBOXD_DATABASE_URL | postgres://db",
                "INBOXD_BLOB_URL | blobs",
                "INBOXD_BLOB_URL | s3://joe:pass@bucket",
                "INBOXD_DELIVERY | never",
                "INBOXD_RELAY | http://relay.example",
                "INBOXD_DNS_SERVERS | 10.0.0.1:99999",
                "INBOXD_HTTP_TLS | yes",
                "INBOXD_SECRET_KEY | short",
                "INBOXD_SECRET_KEY | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "INBOXD_SIGNUP | maybe",
                "INBOXD_SIGNUP_TOKEN | short",
                "INBOXD_SIGNUP_TOKEN | sixteen characters",
                "INBOXD_ADMIN_TOKEN | thirty-one-visible-characters-1",
                "INBOXD_ADMIN_TOKEN | thirty-two characters with spaces in",
                "INBOXD_PRIVATE_TARGETS | some",
                "INBOXD_LIMITS | webhooks=many",
                "INBOXD_LIMITS | webhooks=1,webhooks=2",
                "INBOXD_LIMITS | webhook=1",
                "INBOXD_MAX_MESSAGE | 40GB",
                "INBOXD_MAX_MESSAGE | 99999999999999 MiB",
                "INBOXD_MAX_MESSAGE | 10",
                "INBOXD_OPERATOR_INBOX | operator",
                "INBOXD_RETENTION | submissions=forever",
                "INBOXD_RETENTION | events=120d",
                "INBOXD_RETENTION | metrics=90d",
                "INBOXD_SPAM_URL | rspamd:11333",
                "INBOXD_CLAMAV | :3310",
                "INBOXD_LOG | xml",
            })
    void aWrongValueIsRefusedByNameWithWhatIsAllowed(String variable, String value) {
        assertThatThrownBy(() -> read(Map.of(variable, value)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(variable)
                .hasMessageContaining("allowed: ");
    }

    @Test
    void allFaultsAreToldAtOnce() {
        assertThatThrownBy(() -> read(Map.of("INBOXD_HTTP_PORT", "x", "INBOXD_LOG", "y", "INBOXD_HTP_PORT", "1")))
                .hasMessageContaining("3 settings are wrong")
                .hasMessageContaining("INBOXD_HTTP_PORT is \"x\"")
                .hasMessageContaining("INBOXD_LOG is \"y\"")
                .hasMessageContaining("INBOXD_HTP_PORT is not a setting; did you mean INBOXD_HTTP_PORT?");
    }

    @Test
    void anUnknownNameThatResemblesNoneIsRefusedWithoutAGuess() {
        assertThatThrownBy(() -> read(Map.of("INBOXD_COLOUR_OF_THE_SKY", "blue")))
                .hasMessageContaining("INBOXD_COLOUR_OF_THE_SKY is not a setting\n");
    }

    @Test
    void theLaunchersOwnVariableAndThoseOfOthersArePassedOver() {
        assertThat(read(Map.of("INBOXD_JAVA_OPTS", "-Xmx1g", "HOME", "/"))).isNotNull();
    }

    @ParameterizedTest
    @Proves("P22")
    @ValueSource(strings = {"INBOXD_RELAY", "INBOXD_DATABASE_URL", "INBOXD_SECRET_KEY"})
    void aWrongSecretIsNotRepeated(String variable) {
        assertThatThrownBy(() -> read(Map.of(variable, "canary")))
                .hasMessageContaining(variable)
                .hasMessageNotContaining("canary");
    }

    @Test
    @Proves("P22")
    void secretsAreNotPrintedWithTheSettings() {
        Map<String, String> given = production();
        given.put("INBOXD_RELAY", "smtp://joe:canary@relay.example");
        given.put("INBOXD_DATABASE_URL", "postgres://joe:canary@db/mail");
        assertThat(read(given).toString())
                .doesNotContain("canary")
                .doesNotContain(KEY)
                .contains("***");
    }

    @Test
    void settingsThatContradictEachOtherAreRefused() {
        assertThatThrownBy(() -> read(Map.of("INBOXD_DELIVERY", "relay"))).hasMessageContaining("needs INBOXD_RELAY");
        assertThatThrownBy(() -> read(Map.of("INBOXD_DELIVERY", "direct", "INBOXD_RELAY", "smtp://relay.example")))
                .hasMessageContaining("leave out one of them");
        assertThatThrownBy(() -> read(Map.of("INBOXD_TLS_CERT", "pom.xml"))).hasMessageContaining("go together");
        assertThatThrownBy(() -> read(Map.of("INBOXD_SMTP_PORT", "8080"))).hasMessageContaining("its own port");
        assertThatThrownBy(() -> read(Map.of("INBOXD_SMTP_PROXIES", "xclient")))
                .hasMessageContaining("needs INBOXD_TRUSTED_PROXIES");
    }

    @Test
    void theAdminTokenCrossesNoNetworkInTheClear() {
        Map<String, String> given = new HashMap<>(Map.of(
                "INBOXD_ADMIN_PORT", "9090",
                "INBOXD_ADMIN_BIND", "10.0.0.1",
                "INBOXD_ADMIN_TOKEN", "0123456789abcdef0123456789abcdef"));
        assertThatThrownBy(() -> read(given)).hasMessageContaining("INBOXD_ADMIN_BIND is \"10.0.0.1\"");
        given.put("INBOXD_TRUSTED_PROXIES", "10.0.0.2");
        assertThat(read(given).network().admin().bind().getHostAddress()).isEqualTo("10.0.0.1");
        given.remove("INBOXD_TRUSTED_PROXIES");
        given.put("INBOXD_HTTP_TLS", "on");
        assertThat(read(given).network().admin().hosts()).isEmpty();
    }

    @Test
    void aCertificateThatCannotBeReadIsRefused() {
        assertThatThrownBy(() -> read(Map.of("INBOXD_TLS_CERT", "/no/cert", "INBOXD_TLS_KEY", "/no/key")))
                .hasMessageContaining("INBOXD_TLS_CERT is \"/no/cert\"")
                .hasMessageContaining("INBOXD_TLS_KEY is \"/no/key\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INBOXD_PUBLIC_URL", "INBOXD_DOMAIN", "INBOXD_SECRET_KEY"})
    void productionNeedsWhatCannotBeGuessed(String variable) {
        Map<String, String> given = production();
        given.remove(variable);
        assertThatThrownBy(() -> read(given)).hasMessageContaining(variable + " must be set in production");
    }

    @ParameterizedTest
    @CsvSource({
        "INBOXD_PUBLIC_URL, http://api.example.com",
        "INBOXD_DOMAIN, mail.localhost",
        "INBOXD_DOMAIN, intranet",
        "INBOXD_PRIVATE_TARGETS, allow",
    })
    void productionRefusesAnUnsafeValue(String variable, String value) {
        Map<String, String> given = production();
        given.put(variable, value);
        assertThatThrownBy(() -> read(given)).hasMessageContaining(variable).hasMessageContaining("production");
    }

    @ParameterizedTest
    @Proves("P22a")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "-         | -                   | -        | true", // nobody does TLS: only this machine reaches HTTP
                "-         | 127.0.0.1           | -        | true", // a proxy on this machine does
                "-         | 127.0.0.1, 10.0.0.5 | -        | false", // a proxy elsewhere does
                "0.0.0.0   | 10.0.0.0/8          | -        | false",
                "0.0.0.0   | -                   | cert.pem | false",
                "-         | -                   | cert.pem | false", // we do
                "127.0.0.1 | -                   | -        | true",
            })
    void keysCrossNoNetworkInTheClear(
            String bind, String proxies, String certificate, boolean loopback, @TempDir Path folder)
            throws IOException {
        Map<String, String> given = production();
        if (bind != null) {
            given.put("INBOXD_BIND", bind);
        }
        if (proxies != null) {
            given.put("INBOXD_TRUSTED_PROXIES", proxies);
        }
        if (certificate != null) {
            Path file = Files.writeString(folder.resolve(certificate), "");
            given.putAll(Map.of(
                    "INBOXD_HTTP_TLS", "on", "INBOXD_TLS_CERT", file.toString(), "INBOXD_TLS_KEY", file.toString()));
        }
        Settings settings = read(given);
        assertThat(settings.network().httpBind().isLoopbackAddress()).isEqualTo(loopback);
        assertThat(settings.network().bind().isLoopbackAddress()).isEqualTo("127.0.0.1".equals(bind));
    }

    @ParameterizedTest
    @Proves("P22a")
    @CsvSource(
            delimiter = '|',
            value = {
                "INBOXD_BIND            | 0.0.0.0                  |                 |      | in clear text",
                "INBOXD_HTTP_TLS        | on                       |                 |      | INBOXD_TLS_CERT",
                "INBOXD_TRUSTED_PROXIES | '10.0.0.5, 0.0.0.0/0'    |                 |      | contain every address",
                "INBOXD_TRUSTED_PROXIES | ::/0                     |                 |      | contain every address",
                "INBOXD_SIGNUP          | open                     | INBOXD_LIMITS   | off  | without limit",
            })
    void productionOpensNoDoorThatWasNotDecidedOn(String one, String value, String other, String its, String why) {
        Map<String, String> given = production();
        given.put(one, value);
        if (other != null) {
            given.put(other, its);
        }
        assertThatThrownBy(() -> read(given))
                .hasMessageContaining(one)
                .hasMessageContaining(why)
                .hasMessageContaining("production");
    }

    @Test
    void signUpByTokenAndItsTokenGoTogether() {
        assertThatThrownBy(() -> read(Map.of("INBOXD_SIGNUP", "token"))).hasMessageContaining("INBOXD_SIGNUP_TOKEN");
        String token = "a-token-for-tests-alone";
        assertThatThrownBy(() -> read(Map.of("INBOXD_SIGNUP_TOKEN", token)))
                .hasMessageContaining("INBOXD_SIGNUP=token")
                .hasMessageNotContaining(token);
        Settings settings = read(Map.of("INBOXD_SIGNUP", "token", "INBOXD_SIGNUP_TOKEN", token));
        assertThat(settings.policy().signUpToken().map(Secret::value)).contains(token);
    }

    @Test
    void productionTakesOpenDoorsAndCapturedMailOnlyWhenTheyAreAskedFor() {
        Map<String, String> given = production();
        given.put("INBOXD_SIGNUP", "open");
        given.put("INBOXD_DELIVERY", "sandbox");
        Settings settings = read(given);
        assertThat(settings.policy().signUp()).isEqualTo(Settings.SignUp.OPEN);
        assertThat(settings.delivery().way()).isEqualTo(Settings.Delivery.Route.SANDBOX);
    }

    @Test
    void everyDefaultIsItselfAllowed() {
        for (Settings.Mode mode : List.of(Settings.Mode.values())) {
            for (Setting<?> setting : SettingTable.ALL) {
                assertThat(setting.defaultIn(mode).map(setting.form().parser()).isPresent())
                        .as(setting.variable())
                        .isEqualTo(setting.defaultIn(mode).isPresent());
            }
        }
    }

    private static Settings read(Map<String, String> environment) {
        return Settings.read(environment, Map.of());
    }

    private static Map<String, String> production() {
        Map<String, String> given = new HashMap<>();
        given.put("INBOXD_MODE", "production");
        given.put("INBOXD_PUBLIC_URL", "https://api.example.com");
        given.put("INBOXD_DOMAIN", "mail.example.com");
        given.put("INBOXD_SECRET_KEY", KEY);
        return given;
    }
}
