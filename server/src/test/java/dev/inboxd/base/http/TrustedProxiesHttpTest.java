package dev.inboxd.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.proxy.TrustedProxies;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers behind proxies, and web pages that call. */
class TrustedProxiesHttpTest {
    private static void who(RouteTable table) {
        table.at(Level.ORGANIZATION)
                .get(Gate.PUBLIC, "/who", request -> Response.ok(JsonObject.of("address", request.remoteAddress())));
        table.at(Level.ROOT).get(Gate.PUBLIC, "/healthz", _ -> Response.ok());
    }

    private static TestServer server(List<String> proxies, List<String> origins) {
        return new TestServer(
                TrustedProxiesHttpTest::who, ConnectionLimits.Limits.USUAL, new HttpSettings.Clients(proxies, origins));
    }

    @ParameterizedTest
    @Proves("A29b")
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Forwarded-For | 203.0.113.9                          | 203.0.113.9",
                "X-Forwarded-For | 198.51.100.1, 203.0.113.9            | 203.0.113.9",
                "X-Forwarded-For | 198.51.100.1, 203.0.113.9, 10.1.2.3  | 203.0.113.9",
                "X-Forwarded-For | 10.1.2.3, 127.0.0.1                  | 10.1.2.3",
                "X-Forwarded-For | 203.0.113.9:4711                     | 203.0.113.9",
                "X-Forwarded-For | [2001:db8::1]:4711                   | 2001:db8:0:0:0:0:0:1",
                "X-Forwarded-For | 198.51.100.1, unknown                | 127.0.0.1",
                "X-Forwarded-For | ' , ,'                               | 127.0.0.1",
                "Forwarded       | for=198.51.100.1, for=203.0.113.9;proto=https;by=10.1.1.1 | 203.0.113.9",
                "Forwarded       | 'proto=https; For=\"[2001:db8::1]:80\"'                  | 2001:db8:0:0:0:0:0:1",
                "Forwarded       | for=_hidden                          | 127.0.0.1",
            })
    void theLastAddressBeforeTheTrustedProxiesIsTheCallers(String header, String value, String caller)
            throws Exception {
        TrustedProxies proxies =
                new TrustedProxies(List.of("127.0.0.1", "10.0.0.0/8"), new org.eclipse.jetty.server.Handler.Wrapper());
        HttpFields fields = HttpFields.build().add(header, value);
        assertThat(proxies.client(InetAddress.ofLiteral("127.0.0.1"), false, fields)
                        .address())
                .isEqualTo(caller);
    }

    @ParameterizedTest
    @Proves("A29b")
    @CsvSource(
            delimiter = '|',
            value = {
                "203.0.113.9               | https             | true",
                "203.0.113.9               | http              | false",
                "203.0.113.9               | HTTPS             | true",
                "                          | https             | true",
                "                          |                   | false",
                "203.0.113.9, 10.1.2.3     | https, http       | true",
                "203.0.113.9, 10.1.2.3     | http, https       | false",
                // Who writes the first element is the client itself: only what the proxy says of it counts.
                "198.51.100.1, 203.0.113.9 | https, http       | false",
                "203.0.113.9, 10.1.2.3     | https             | true",
            })
    void theProtocolIsThatOfTheSameHop(String addresses, String protocols, boolean secure) throws Exception {
        TrustedProxies proxies =
                new TrustedProxies(List.of("127.0.0.1", "10.0.0.0/8"), new org.eclipse.jetty.server.Handler.Wrapper());
        HttpFields.Mutable fields = HttpFields.build();
        if (addresses != null) {
            fields.add("X-Forwarded-For", addresses);
        }
        if (protocols != null) {
            fields.add("X-Forwarded-Proto", protocols);
        }
        assertThat(proxies.client(InetAddress.ofLiteral("127.0.0.1"), false, fields)
                        .secure())
                .isEqualTo(secure);
    }

    @Test
    @Proves("A29b")
    void whatAProxySaysOfTheProtocolIsBelievedOfTrustedOnesAlone() {
        for (boolean trusted : List.of(true, false)) {
            try (TestServer server = server(trusted ? List.of("127.0.0.1") : List.of(), List.of())) {
                HttpProbe.Answer answer = server.as(null)
                        .with("X-Forwarded-Proto", "https")
                        .get("/v0/who")
                        .is(200);
                assertThat(answer.header("Strict-Transport-Security")).isEqualTo(trusted ? "max-age=31536000" : null);
            }
        }
    }

    @Test
    void nobodyElseIsBelieved() {
        try (TestServer server = server(List.of("10.0.0.0/8", "::1"), List.of())) {
            assertThat(server.as(null)
                            .with("X-Forwarded-For", "203.0.113.9")
                            .get("/v0/who")
                            .is(200)
                            .text("address"))
                    .isEqualTo("127.0.0.1");
        }
        try (TestServer server = server(List.of("127.0.0.0/30"), List.of())) {
            assertThat(server.as(null)
                            .with("X-Forwarded-For", "203.0.113.9")
                            .get("/v0/who")
                            .is(200)
                            .text("address"))
                    .isEqualTo("203.0.113.9");
            assertThat(server.as(null).get("/v0/who").is(200).text("address")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void aTrustedProxyMayHaveAnyNumberOfConnections() throws IOException {
        try (TestServer server = new TestServer(
                        TrustedProxiesHttpTest::who,
                        new ConnectionLimits.Limits(Duration.ofSeconds(30), 1),
                        new HttpSettings.Clients(List.of("127.0.0.1"), List.of()));
                RawSocket one = new RawSocket(server.port());
                RawSocket two = new RawSocket(server.port())) {
            for (RawSocket socket : List.of(one, two)) {
                socket.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(socket.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void anyWebPageMayCallWithAKeyOfItsOwn() {
        try (TestServer server = server(List.of(), List.of())) {
            HttpProbe page = server.as(null).with("Origin", "https://app.example");
            HttpProbe.Answer answer = page.get("/v0/who").is(200);
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("*");
            assertThat(answer.header("Access-Control-Expose-Headers")).contains("X-Request-Id", "Retry-After", "ETag");
            assertThat(answer.header("Access-Control-Allow-Credentials")).isNull();
            assertThat(page.get("/v0/nothing").is(404).header("Access-Control-Allow-Origin"))
                    .isEqualTo("*");
            assertThat(page.get("/healthz").is(200).header("Access-Control-Allow-Origin"))
                    .isNull();

            HttpProbe.Answer asked = page.with("Access-Control-Request-Method", "PATCH")
                    .send("OPTIONS", "/v0/who", null)
                    .is(204);
            assertThat(asked.header("Access-Control-Allow-Methods")).contains("PATCH", "DELETE");
            assertThat(asked.header("Access-Control-Allow-Headers"))
                    .contains("Authorization", "Idempotency-Key", "If-Match");
            for (String names : List.of("user-agent, x-signup-token", "range", "X-My-Client_9")) {
                assertThat(page.with("Access-Control-Request-Method", "GET")
                                .with("Access-Control-Request-Headers", names)
                                .send("OPTIONS", "/download/x", null)
                                .is(204)
                                .header("Access-Control-Allow-Headers"))
                        .isEqualTo(names);
            }
            assertThat(page.with("Access-Control-Request-Method", "GET")
                            .with("Access-Control-Request-Headers", "x; y=\"z\"")
                            .send("OPTIONS", "/api/v1/app/x", null)
                            .is(204)
                            .header("Access-Control-Allow-Headers"))
                    .startsWith("Authorization");
            assertThat(asked.header("Access-Control-Max-Age")).isEqualTo("86400");
            assertThat(asked.header("Access-Control-Allow-Origin")).isEqualTo("*");
            page.send("OPTIONS", "/v0/who", null).is(404);
        }
    }

    @Test
    void aListOfOriginsKeepsOtherPagesOut() {
        try (TestServer server = server(List.of(), List.of("https://app.example"))) {
            HttpProbe.Answer ours = server.as(null)
                    .with("Origin", "https://app.example")
                    .get("/v0/who")
                    .is(200);
            assertThat(ours.header("Access-Control-Allow-Origin")).isEqualTo("https://app.example");
            assertThat(ours.header("Vary")).isEqualTo("Origin");
            HttpProbe other = server.as(null).with("Origin", "https://evil.example");
            assertThat(other.get("/v0/who").is(200).header("Access-Control-Allow-Origin"))
                    .isNull();
            assertThat(other.with("Access-Control-Request-Method", "GET")
                            .send("OPTIONS", "/v0/who", null)
                            .is(204)
                            .header("Access-Control-Allow-Origin"))
                    .isNull();
        }
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({
        "/v0/who, true",
        "/v0/nothing, true",
        "/mcp, true",
        "/.well-known/openid-configuration, true",
        "/v0/authorize, false",
        "/v0/authorize/begin, false",
        "/v0/sign-in/code, false",
        "/console, false",
        "/healthz, false"
    })
    void noOtherPageCallsWhereCookiesAre(String path, boolean open) {
        try (TestServer server = server(List.of(), List.of())) {
            HttpProbe page = server.as(null).with("Origin", "https://app.example");
            assertThat(page.get(path).header("Access-Control-Allow-Origin")).isEqualTo(open ? "*" : null);
        }
    }
}
