package dev.inboxd.screening;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.mail.screen.ScreenAttachment;
import dev.inboxd.mail.screen.ScreenInput;
import dev.inboxd.mail.screen.ScreenReason;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.net.NetConfig;
import dev.inboxd.net.TargetRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Another judge at INBOXD_SCREEN_URL (docs/operating.md, "Another judge"). */
class ExternalJudgeHttpTest {
    private static final FakeEndpoint.Behaviour REVIEW =
            FakeEndpoint.respond(200, "Content-Type: application/json\r\n", """
            {"verdict":"review","reasons":["secrecy_request","xylophone",7,\
            "secrecy_request"],"x":1}""");

    private FakeEndpoint endpoint;

    @BeforeEach
    void start() {
        endpoint = FakeEndpoint.start();
    }

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
    }

    private SecuredWorld world(String mode, String required) {
        return SecuredWorld.start(
                Map.of("INBOXD_SCREEN_URL", endpoint.url("/judge"), "INBOXD_SCREEN_REQUIRED", required), mode);
    }

    private static HttpProbe.Answer shown(SecuredWorld secured, String mail) {
        return secured.world().http().get(secured.path(mail)).is(200);
    }

    @Test
    void theStricterVerdictOfBothCounts() {
        endpoint.always(REVIEW);
        try (SecuredWorld secured = world("hold", "off")) {
            HttpProbe.Answer shown = shown(secured, secured.mail("Lunch", "At noon?"));
            assertThat(shown.at("security.verdict")).isEqualTo("review");
            assertThat(shown.at("security.reasons")).isEqualTo(List.of("secrecy_request"));
            assertThat(shown.text("security.model")).matches("inboxd-rules-\\d+\\+external");
            assertThat(shown.list("labels")).asString().contains("held");
            FakeEndpoint.Received asked = endpoint.take();
            Map<?, ?> question = (Map<?, ?>) Objects.requireNonNull(Json.parse(asked.content()));
            assertThat(Set.copyOf(question.keySet()))
                    .isEqualTo(Set.of("subject", "from_name", "headers", "text", "attachments"));
            assertThat(List.of(
                            String.valueOf(question.get("subject")),
                            String.valueOf(question.get("from_name")),
                            String.valueOf(question.get("text"))))
                    .containsExactly("Lunch", "Pal", "At noon?\n");
            assertThat(String.valueOf(question.get("headers"))).contains("Pal <pal@friend.test>");
            endpoint.always(FakeEndpoint.respond(200, "", json("verdict", "clear")));
            HttpProbe.Answer order = shown(secured, secured.order());
            assertThat(order.at("security.verdict")).isEqualTo("review");
            assertThat(order.text("security.model")).endsWith("+external");
            HttpProbe.Answer clear = shown(secured, secured.mail("Lunch", "At one?"));
            assertThat(clear.at("security.verdict")).isEqualTo("clear");
            assertThat(clear.text("security.model")).endsWith("+external");
        }
    }

    @Test
    void whileScanningIsOffItIsNotAsked() {
        try (SecuredWorld secured = world("", "off")) {
            secured.mail("Lunch", "At noon?");
            assertThat(endpoint.received()).isEmpty();
        }
    }

    @Test
    void whenItIsSilentTheRulesCountUnlessItIsRequired() {
        endpoint.always(FakeEndpoint.status(500));
        try (SecuredWorld secured = world("hold", "off")) {
            HttpProbe.Answer shown = shown(secured, secured.mail("Lunch", "At noon?"));
            assertThat(shown.at("security.verdict")).isEqualTo("clear");
            assertThat(shown.text("security.model")).doesNotContain("external");
            assertThat(secured.world().anonymous().get("/metrics").is(200).text())
                    .contains("inboxd_screen_external_total{outcome=\"silent\"} 1.0")
                    .contains("inboxd_screen_external_total{outcome=\"answered\"} 0.0");
        }
        try (SecuredWorld secured = world("hold", "on")) {
            HttpProbe.Answer shown = shown(secured, secured.mail("Lunch", "At noon?"));
            assertThat(shown.at("security.reasons")).isEqualTo(List.of("scan_failed"));
            HttpProbe.Answer order = shown(secured, secured.order());
            assertThat(order.list("security.reasons")).asString().contains("instruction_override", "scan_failed");
        }
    }

    private static Optional<ScreenVerdict> ask(ExternalJudge judge) {
        ScreenInput mail = new ScreenInput("Hello", null, "Hello.", null, List.of(), List.of(), "");
        return judge.ask(mail, ExternalJudge.TIMEOUT);
    }

    /** A judge as this class of the service asks it. */
    private interface Judged {
        void by(ExternalJudge judge) throws Exception;
    }

    private static void asked(String url, Judged what) throws Exception {
        try (FakeDns dns = FakeDns.start();
                ExternalJudge judge = new ExternalJudge(
                        new NetConfig(dns.servers(), TargetRules.DEVELOPMENT, "test").operatorHttp(),
                        URI.create(url),
                        new Metrics())) {
            what.by(judge);
        }
    }

    @Test
    @Tag("long")
    void oneThatHangsIsLeftAloneAfterThreeTimes() throws Exception {
        endpoint.always(endpoint.hang());
        asked(endpoint.url("/judge"), judge -> {
            for (int i = 0; i < 3; i++) {
                long start = System.nanoTime();
                assertThat(ask(judge)).isEmpty();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            }
            assertThat(ask(judge)).isEmpty();
            assertThat(endpoint.received()).hasSize(3);
        });
    }

    @Test
    void whatIsNoVerdictIsSilence() throws Exception {
        for (FakeEndpoint.Behaviour answer : List.of(
                FakeEndpoint.respond(200, "", json("verdict", "maybe")),
                FakeEndpoint.respond(200, "", "not json"),
                FakeEndpoint.respond(302, "Location: " + endpoint.url("/other") + "\r\n", ""),
                FakeEndpoint.respond(200, "", json("verdict", "clear", "x", "x".repeat(20_000))))) {
            endpoint.always(answer);
            asked(endpoint.url("/judge"), judge -> assertThat(ask(judge)).isEmpty());
            assertThat(endpoint.take().path()).isEqualTo("/judge");
        }
        assertThat(endpoint.received()).isEmpty();
    }

    @Test
    void itGetsAQuarterOfAMebibyteOfTextsAtMost() throws Exception {
        endpoint.always(REVIEW);
        ScreenInput mail = new ScreenInput(
                "\u00e9".repeat(100),
                null,
                "\ud83d\ude00".repeat(65_500),
                "h".repeat(100_000),
                List.of(new ScreenAttachment("a.txt", "text/plain", "x".repeat(1_000))),
                List.of(),
                "");
        asked(endpoint.url("/judge"), judge -> judge.ask(mail, Duration.ofSeconds(10)));
        Map<?, ?> question =
                (Map<?, ?>) Objects.requireNonNull(Json.parse(endpoint.take().content()));
        int octets = 0;
        for (String member : List.of("subject", "text", "html")) {
            octets += String.valueOf(question.get(member)).getBytes(StandardCharsets.UTF_8).length;
        }
        assertThat(octets).isBetween(256 * 1024 - 3, 256 * 1024);
        assertThat(String.valueOf(question.get("text"))).doesNotEndWith("\ud83d");
    }

    /** The example of docs/operating.md: a judge in a few lines. */
    @Test
    void aJudgeIsAFewLines() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/judge", exchange -> {
            String mail = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String answer = mail.contains("piccolo")
                    ? json("verdict", "review", "reasons", List.of("standing_order"))
                    : json("verdict", "clear");
            exchange.sendResponseHeaders(200, answer.length());
            exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
        try {
            asked("http://127.0.0.1:" + server.getAddress().getPort() + "/judge", judge -> {
                assertThat(ask(judge)).hasValue(ScreenVerdict.CLEAR);
                ScreenInput mail = new ScreenInput("The piccolo", null, null, null, List.of(), List.of(), "");
                assertThat(judge.ask(mail, ExternalJudge.TIMEOUT).orElseThrow().reasons())
                        .containsExactly(ScreenReason.STANDING_ORDER);
            });
        } finally {
            server.stop(0);
        }
    }
}
