package dev.inboxd.base.telemetry;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.telemetry.OtlpReceiver.SentSpan;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a collector gets of a server that has one: spans and meters, and nothing of the mail. */
class OtlpHttpTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static OtlpReceiver collector;
    private static World world;
    private static String inbox;
    private static String sent;

    @BeforeAll
    static void start() throws Exception {
        collector = new OtlpReceiver();
        world = World.start(Map.of(
                "INBOXD_OTLP_ENDPOINT", collector.url(),
                "INBOXD_OTLP_HEADERS", "x-tenant=a%20b,authorization=Bearer%20collector-key",
                "INBOXD_OTLP_INTERVAL", "1s",
                "INBOXD_PRIVATE_TARGETS", "allow"));
        inbox = world.inbox("traced-box");
        try (FakeEndpoint broken = FakeEndpoint.start().always(FakeEndpoint.status(503))) {
            world.http()
                    .post(
                            "/v0/webhooks",
                            json("url", broken.url("/hook-token"), "event_types", List.of("message.sent")))
                    .is(200);
            assertThat(world.mail(
                            "traced-author@example.com",
                            inbox,
                            "From: traced-author@example.com\r\nSubject: private-subject\r\n\r\nprivate-body\r\n"))
                    .startsWith("250");
            sent = world.http()
                    .post("/v0/inboxes/" + inbox + "/messages/send", """
                    {"to":["traced-recipient@example.com"],
                    "subject":"private-subject","text":"private-body"}""")
                    .is(200)
                    .text("message_id");
            world.http()
                    .with("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                    .get("/v0/inboxes/" + inbox + "/messages?labels=private-query")
                    .is(200);
            world.http().get("/nowhere/private-path").is(404);
            Eventually.await(() -> !collector.spans("deliver").isEmpty()
                    && !collector.spans("POST webhook").isEmpty()
                    && !collector.spans("unknown route").isEmpty()
                    && collector.metrics("inboxd.delivery.attempts").stream()
                            .anyMatch(metric ->
                                    metric.message(7).messages(1).stream().anyMatch(point -> point.real(4) == 1)));
        }
    }

    @AfterAll
    static void stop() {
        world.close();
        collector.close();
    }

    private static SentSpan only(String name) {
        assertThat(collector.spans(name)).as(name).hasSize(1);
        return collector.spans(name).getFirst();
    }

    @Test
    void aRequestIsASpanOfItsRouteWithALinkToItsCaller() {
        SentSpan span = only("GET /v0/inboxes/{inbox_id}/messages");
        assertThat(span.attributes())
                .containsEntry("http.request.method", "GET")
                .containsEntry("http.route", "/v0/inboxes/{inbox_id}/messages")
                .containsEntry("http.response.status_code", "200")
                .hasEntrySatisfying("inboxd.request_id", id -> assertThat(id).startsWith("req_"));
        assertThat(span.nanos()).isBetween(1_000L, Duration.ofMinutes(1).toNanos());
        assertThat(span.message().number(6)).as("server").isEqualTo(2);
        assertThat(span.message().messages(13)).singleElement().satisfies(link -> {
            assertThat(link.hex(1)).isEqualTo(TRACE);
            assertThat(link.hex(2)).isEqualTo("00f067aa0ba902b7");
        });
        assertThat(span.message().hex(1))
                .as("a stranger does not choose the trace")
                .isNotEqualTo(TRACE);
        assertThat(only("unknown route").attributes()).containsEntry("http.response.status_code", "404");
    }

    @Test
    void aMessageADeliveryAndAWebhookAreSpans() {
        assertThat(only("SMTP message").attributes())
                .containsEntry("inboxd.port", "mx")
                .containsEntry("smtp.reply_code", "250")
                .containsKeys("inboxd.mail_id", "inboxd.size");
        assertThat(only("deliver").attributes())
                .containsEntry("inboxd.results", "captured")
                .containsEntry("inboxd.way", "server")
                .containsEntry("inboxd.recipients", "1");
        SentSpan webhook = only("POST webhook");
        assertThat(webhook.attributes())
                .containsEntry("http.response.status_code", "503")
                .containsEntry("error.type", "503")
                .containsEntry("inboxd.attempt", "1");
        assertThat(webhook.message().message(15).number(3)).as("error").isEqualTo(2);
        assertThat(webhook.message().number(6)).as("client").isEqualTo(3);
    }

    @Test
    void metersHaveTheirNamesUnitsAndBuckets() {
        ProtobufMessage accepted = collector.metrics("inboxd.mail.accepted").getLast();
        assertThat(accepted.message(7).number(3)).as("monotonic").isEqualTo(1);
        assertThat(accepted.message(7).number(2)).as("cumulative").isEqualTo(2);
        assertThat(accepted.message(7).messages(1)).anySatisfy(point -> {
            assertThat(point.attributes(7)).containsEntry("port", "mx");
            assertThat(point.real(4)).isEqualTo(1);
        });
        ProtobufMessage commit = collector.metrics("inboxd.mail.commit").getLast();
        assertThat(commit.text(3)).isEqualTo("s");
        ProtobufMessage histogram = commit.message(9).messages(1).stream()
                .filter(point -> point.attributes(9).containsValue("mx"))
                .findFirst()
                .orElseThrow();
        List<Long> counts = histogram.packed(6);
        assertThat(counts.stream().mapToLong(count -> count).sum()).isEqualTo(1).isEqualTo(histogram.number(4));
        assertThat(histogram.packed(7)).hasSize(counts.size() - 1);
        assertThat(Double.longBitsToDouble(histogram.packed(7).getFirst())).isEqualTo(0.001);
        assertThat(histogram.real(5)).isBetween(0.000_1, 30.0);
        assertThat(collector.metrics("inboxd.disk.free.bytes").getLast().text(3))
                .isEqualTo("By");
        assertThat(collector.metrics("inboxd.build.info").getLast().message(5).messages(1))
                .hasSize(1);
    }

    @Test
    void whoSendsIsSaidAndTheHeadersAreThere() {
        assertThat(collector.resources())
                .isNotEmpty()
                .allSatisfy(resource -> assertThat(resource)
                        .containsEntry("service.name", "inboxd")
                        .containsKeys("service.version", "service.instance.id"));
        assertThat(collector.deliveries("/base/v1/traces")).isNotEmpty().allSatisfy(one -> {
            assertThat(one.headers()).containsEntry("X-tenant", List.of("a b"));
            assertThat(one.headers()).containsEntry("Authorization", List.of("Bearer collector-key"));
        });
    }

    @Test
    void nothingOfTheMailItsPeopleOrTheKeysLeaves() {
        assertThat(collector.everything())
                .doesNotContain("private-", "traced-", "@mail", "@example", "hook-token", "collector-key")
                .doesNotContain(world.key(), inbox, sent);
    }

    @Test
    @Tag("long")
    void aCollectorThatIsAwayHindersNothing() throws IOException {
        int nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = free.getLocalPort();
        }
        long began = System.nanoTime();
        try (World alone = World.start(Map.of("INBOXD_OTLP_ENDPOINT", "http://127.0.0.1:" + nobody))) {
            assertThat(alone.mail("jo@example.com", alone.inbox("alone"), "Subject: x\r\n\r\nHello\r\n"))
                    .startsWith("250");
            for (int i = 0; i < 2_200; i++) {
                alone.anonymous().get("/healthz").is(200);
            }
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(60));
    }
}
