package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Exposition;
import dev.inboxd.testing.SmtpProbe;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator's Prometheus reads. */
class MetricsHttpTest {
    private static final String MAIL = "From: jo@example.com\r\nSubject: Private words\r\n\r\nHello\r\n";
    private static final Pattern UNIT_OF_OTHERS =
            Pattern.compile("(_ms|_millis|_milliseconds|_minutes|_hours|_days|_kb|_mb|_percent)(_|$)");
    private static final Pattern OF_TIME = Pattern.compile("(age|lag|oldest|latency|wait|expiry|attempt|commit)$");
    /** An id, an address, a key, an IP address. */
    private static final Pattern UNBOUNDED =
            Pattern.compile("@|[0-9a-f]{8}-[0-9a-f]{4}|inb_|\\b\\d+\\.\\d+\\.\\d+\\.\\d+\\b|example");

    private static final Map<String, Set<String>> BOUNDED = Map.of(
            "port", Set.of("mx", "submission"),
            "command", Set.of("mail", "rcpt", "data"),
            "result",
                    Set.of(
                            "accepted",
                            "refused",
                            "deferred",
                            "delivered",
                            "relayed",
                            "entrusted",
                            "captured",
                            "delayed",
                            "held",
                            "bounced",
                            "rejected",
                            "pass",
                            "fail",
                            "none",
                            "softfail",
                            "neutral",
                            "policy",
                            "temperror",
                            "permerror"),
            "state", Set.of("queued", "deferred", "sending", "active", "idle"),
            "way", Set.of("inbox", "server"));

    @RegisterExtension
    private static final World world =
            World.start(Map.of("INBOXD_LIMITS", "requests=2000,searches=1", "INBOXD_PRIVATE_TARGETS", "allow"));

    private static Exposition read;

    /** One of each: mail in, refused and submitted, a send, a webhook that fails, a rate that refuses. */
    @BeforeAll
    static void start() throws Exception {
        String inbox = world.inbox("read");
        try (FakeEndpoint broken = FakeEndpoint.start().always(FakeEndpoint.status(500))) {
            world.http()
                    .post("/v0/webhooks", json("url", broken.url("/hook"), "event_types", List.of("message.sent")))
                    .is(200);
            assertThat(world.mail("jo@example.com", inbox, MAIL)).startsWith("250");
            assertThat(world.mail("jo@example.com", "nobody@mail.localhost", MAIL))
                    .startsWith("550");
            world.http()
                    .post(
                            "/v0/inboxes/" + inbox + "/messages/send",
                            json("to", List.of("ann@example.com"), "text", "Hi"))
                    .is(200);
            login();
            HttpProbe search = world.http();
            for (int i = 0; i < 30; i++) {
                search.get("/v0/inboxes/" + inbox + "/messages/search?q=hello");
            }
            Eventually.await(() -> !scrape().families().isEmpty()
                    && scrape().value("inboxd_delivery_attempts_total", "result", "captured") == 1
                    && scrape().value("inboxd_webhook_attempts_total", "outcome", "failed") == 1);
        }
        read = scrape();
    }

    private static void login() {
        try (SmtpProbe probe = new SmtpProbe(world.submissionPort())) {
            assertThat(probe.command("EHLO client.example")).startsWith("250");
            assertThat(probe.command("MAIL FROM:<a@example.com>")).startsWith("530");
        }
    }

    private static Exposition scrape() {
        return Exposition.read(world.anonymous().get("/metrics").is(200).text());
    }

    @Test
    void mailThatCameIsCountedByWhatBecameOfIt() {
        assertThat(read.value("inboxd_mail_accepted_total", "port", "mx")).isEqualTo(1);
        assertThat(read.value("inboxd_mail_accepted_bytes_total", "port", "mx")).isEqualTo(MAIL.length());
        assertThat(read.value("inboxd_mail_refused_total", "port", "mx", "command", "rcpt", "status", "5.1.1"))
                .isEqualTo(1);
        assertThat(read.value("inboxd_mail_commit_seconds_count", "port", "mx")).isEqualTo(1);
        assertThat(read.value("inboxd_mail_commit_seconds_sum", "port", "mx")).isBetween(0.000_1, 10.0);
        assertThat(read.value("inboxd_mail_authentication_total", "method", "spf", "result", "none"))
                .isEqualTo(1);
        assertThat(read.value("inboxd_smtp_sessions_total", "port", "mx")).isGreaterThanOrEqualTo(1);
        assertThat(read.value("inboxd_smtp_sessions_total", "port", "submission"))
                .isEqualTo(1);
    }

    @Test
    void whatLeavesIsCountedAndSoIsTheQueue() {
        assertThat(read.value("inboxd_delivery_attempt_seconds_count", "way", "server"))
                .isEqualTo(1);
        for (String state : List.of("queued", "deferred", "sending")) {
            assertThat(read.value("inboxd_queue_recipients", "state", state)).isBetween(0.0, 1.0);
            assertThat(read.value("inboxd_queue_oldest_seconds", "state", state))
                    .isBetween(0.0, 60.0);
        }
        assertThat(read.sum("inboxd_webhooks_failing")).isBetween(0.0, 1.0);
        assertThat(read.value("inboxd_events_total", "type", "message.sent")).isEqualTo(1);
    }

    @Test
    void ratesPoolDiskCertificateAndProcessAreThere() {
        assertThat(read.value("inboxd_rate_refusals_total", "rate", "searches")).isGreaterThan(5);
        assertThat(read.sum("inboxd_database_connections")).isBetween(1.0, 100.0);
        assertThat(read.sum("inboxd_database_wait_seconds_count")).isGreaterThan(20);
        assertThat(read.sum("inboxd_disk_free_bytes")).isGreaterThan(1 << 20);
        assertThat(read.sum("inboxd_disk_size_bytes")).isGreaterThan(read.sum("inboxd_disk_free_bytes"));
        assertThat(read.sum("inboxd_certificate_expiry_timestamp_seconds"))
                .isGreaterThan((double) world.clock().instant().getEpochSecond());
        assertThat(read.sum("inboxd_search_lag_seconds")).isBetween(0.0, 60.0);
        assertThat(read.sum("process_cpu_seconds_total")).isGreaterThan(0.1);
        assertThat(read.sum("process_start_time_seconds")).isGreaterThan(1e9);
        assertThat(read.sum("process_resident_memory_bytes")).isGreaterThan(1 << 24);
        assertThat(read.sum("jvm_memory_heap_used_bytes")).isLessThanOrEqualTo(read.sum("jvm_memory_heap_max_bytes"));
        assertThat(read.sum("jvm_gc_collection_seconds_total")).isNotNegative();
        assertThat(read.value(
                        "inboxd_build_info",
                        "version",
                        "dev",
                        "java",
                        Runtime.version().toString()))
                .isEqualTo(1);
    }

    /** https://prometheus.io/docs/practices/naming: base units, and the suffix of a counter. */
    @Test
    void namesFollowTheConventions() {
        read.families().values().forEach(family -> {
            String name = family.name();
            assertThat(name).matches("(inboxd|process|jvm)_[a-z0-9]+(_[a-z0-9]+)*");
            assertThat(UNIT_OF_OTHERS.matcher(name).find()).as(name).isFalse();
            assertThat(name.endsWith("_total")).as(name).isEqualTo(family.type().equals("counter"));
            assertThat(OF_TIME.matcher(name).find()).as(name + " has no unit").isFalse();
            if (family.type().equals("histogram")) {
                assertThat(name).endsWith("_seconds");
            }
            assertThat(family.help()).as(name).hasSizeGreaterThan(5);
        });
    }

    @Test
    void labelsHaveOneOutOfAFewValues() {
        Set<String> names = Set.of(
                "port", "command", "status", "result", "method", "route", "outcome", "why", "type", "state", "rate",
                "reply", "way", "version", "java", "le", "call", "variant", "network");
        read.families().values().stream()
                .flatMap(family -> family.samples().stream())
                .forEach(sample -> {
                    assertThat(names)
                            .as(sample.name())
                            .containsAll(sample.labels().keySet());
                    sample.labels().forEach((label, value) -> {
                        assertThat(UNBOUNDED.matcher(value).find())
                                .as(sample.toString())
                                .isFalse();
                        assertThat(value.length()).as(sample.toString()).isBetween(1, 100);
                        assertThat(BOUNDED.getOrDefault(label, Set.of(value))).contains(value);
                    });
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a_total 1\n",
                "# TYPE a counter\na 1\n",
                "# HELP a b\n# TYPE a counter\na{x=1} 1\n",
                "# HELP a b\n# TYPE a gauge\na 1\na 1\n",
                "# HELP a b\n# TYPE a gauge\nb 1\n",
                "# HELP a b\n# TYPE a gauge\na 1\n# HELP a b\n# TYPE a gauge\na 2\n",
                "# HELP a b\n# TYPE a gauge\na one\n",
                "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
                "# HELP a b\n# TYPE a gauge\n",
                "# HELP a b\n# TYPE a gauge\na 1"
            })
    void theReaderIsStrict(String wrong) {
        assertThatThrownBy(() -> Exposition.read(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
}
