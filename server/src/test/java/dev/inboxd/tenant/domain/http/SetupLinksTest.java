package dev.inboxd.tenant.domain.http;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.net.Dns;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetRules;
import dev.inboxd.tenant.domain.Domain;
import dev.inboxd.tenant.domain.VerificationState;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who hosts a domain's DNS, as that provider says itself. */
class SetupLinksTest {
    private final FakeDns server = FakeDns.start();
    private final Dns dns = new Dns(server.servers(), Duration.ofSeconds(5));
    private final SafeHttp http = new SafeHttp(TargetRules.DEVELOPMENT, dns, "inboxd/test");
    private final FakeEndpoint provider = FakeEndpoint.start();

    @AfterEach
    void stop() throws IOException {
        provider.close();
        http.close();
        server.close();
    }

    private String link() {
        server.text(
                "_domainconnect.hosted.example", URI.create(provider.url("/")).getAuthority());
        Instant now = Instant.EPOCH;
        Domain domain = new Domain(
                "hosted.example",
                null,
                null,
                new Domain.Options(true, false, false, false),
                new Domain.Key("inboxd", "v=DKIM1"),
                VerificationState.NONE,
                now,
                now);
        return Json.text(new SetupLinks(dns, http, "http").json(domain));
    }

    @Test
    void theProviderIsNamed() {
        provider.always(FakeEndpoint.respond(
                200,
                "Content-Type: application/json\r\n",
                json("providerId", "hosts.example", "providerName", " Hosts of Example ")));
        assertThat(link()).isEqualTo(json("supported", false, "provider_name", "Hosts of Example"));
        assertThat(provider.take().path()).isEqualTo("/v2/hosted.example/settings");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {
                    []
                    {}
                    {"providerName":7}
                    {"providerName":" "}""")
    void whatSaysNoNameIsLeftOut(String settings) {
        provider.always(FakeEndpoint.respond(200, "Content-Type: application/json\r\n", settings));
        assertThat(link()).isEqualTo(json("supported", false));
    }

    @Test
    void neitherAnErrorNorARedirectNorTooMuchIsBelieved() {
        provider.then(
                FakeEndpoint.status(500),
                FakeEndpoint.respond(302, "Location: http://127.0.0.1:1/\r\n", json("providerName", "Elsewhere")),
                FakeEndpoint.respond(200, "", json("providerName", "Much", "x", "x".repeat(70_000))));
        for (int i = 0; i < 3; i++) {
            assertThat(link()).isEqualTo(json("supported", false));
        }
    }
}
