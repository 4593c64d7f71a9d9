package dev.inboxd.base.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.inboxd.base.json.Json;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Lines that nothing can forge. */
class LogTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678999Z");

    @Test
    void aTextLineReadsPlainly() {
        assertThat(text("request", null, "method", "GET", "route", "/v0/inboxes/{inbox_id}", "status", 200))
                .isEqualTo("2026-01-02T03:04:05.678Z info request method=GET route=/v0/inboxes/{inbox_id}"
                        + " status=200\n");
    }

    @Test
    void aJsonLineIsOneObject() {
        assertThat(json("request", null, "status", 200, "cut", true, "id", "req_1"))
                .isEqualTo(
                        "{\"at\":\"2026-01-02T03:04:05.678Z\",\"level\":\"info\",\"event\":\"request\",\"status\":200,"
                                + "\"cut\":true,\"id\":\"req_1\"}\n");
    }

    @ParameterizedTest
    @Proves("P22")
    @ValueSource(
            strings = {
                "a\n2026-01-02T03:04:05.678Z info request status=200",
                "a\r\nb",
                "a status=500",
                "a\"b",
                "",
                "a\\",
                "\u0085",
                "\u2028",
                "\u001b[2J",
                "\u202e",
                "\u0000",
                "\u00e4",
                "\ud800",
                "a=b",
                "\u009b1m"
            })
    void noValueCanEndItsLineOrLookLikeAField(String hostile) {
        String text = text("request", null, "evil", hostile, "status", 404);
        assertThat(text).matches("[ -~]*\\n").endsWith(" status=404\n");
        assertThat(text.indexOf('\n')).isEqualTo(text.length() - 1);
        assertThat(text).contains(" evil=\"");
        String json = json("request", null, "evil", hostile, "status", 404);
        assertThat(json.indexOf('\n')).isEqualTo(json.length() - 1);
        if (!hostile.contains("\u0000") && !hostile.contains("\ud800")) {
            assertThat(Json.parse(json.getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(Map.of(
                            "at",
                            "2026-01-02T03:04:05.678Z",
                            "level",
                            "info",
                            "event",
                            "request",
                            "evil",
                            hostile,
                            "status",
                            404L));
        }
    }

    @Test
    void aTraceIsIndentedAndItsMessageForgesNothing() {
        Exception cause = new IllegalStateException("x\n2026-01-02T03:04:05.678Z info request status=200");
        assertThat(text("failed", cause, "request_id", "req_1").lines().skip(1))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("    "));
        assertThat(json("failed", cause)).contains("\"trace\":\"java.lang.IllegalStateException: x\\u000a2026");
    }

    @Test
    void aLongValueIsCut() {
        assertThat(text("request", null, "long", "x".repeat(1_000_000))).hasSizeLessThan(3_000);
    }

    @Test
    void linesOfLibrariesNameTheirLogger() {
        LoggingEvent event = event("org.example", "hello\nworld", null);
        assertThat(encode(event, LogFormat.TEXT)).endsWith(" info org.example: \"hello\\u000aworld\"\n");
        assertThat(encode(event, LogFormat.JSON)).contains("\"logger\":\"org.example\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann@human.test",
                "ANN@Human.Test",
                "<ann@human.test>",
                "Ann <ann@human.test>, and others",
                "550 5.1.1 <ann@human.test>: no such user",
                "no mail to ann@human.test.",
                "/v0/inboxes/ann@human.test/messages?to=ann@human.test",
                "/v0/inboxes/ann%40human.test/messages",
                "key \"ann@human.test\" given",
            })
    void whereAddressesAreHashedEqualOnesAreEqualAndNoneIsShown(String value) {
        AddressHash hash = new AddressHash(new byte[32]);
        String ann = hash.apply("ann@human.test");
        assertThat(ann).matches("address:[0-9a-f]{20}");
        assertThat(new AddressHash(new byte[] {1}).apply("ann@human.test")).isNotEqualTo(ann);
        assertThat(hash.account("eip155:8453:0xAB"))
                .matches("address:[0-9a-f]{20}")
                .isEqualTo(hash.account("eip155:8453:0xab"));
        for (LogFormat format : LogFormat.values()) {
            Exception cause = new IllegalStateException(value);
            LoggingEvent event = event(LogLine.LOGGER, "sent " + value, cause, "to", value, "lines", 1);
            String line = new String(encoder(format, hash).encode(event), StandardCharsets.UTF_8);
            assertThat(line).doesNotContainIgnoringCase("human.test").doesNotContainIgnoringCase("ann@");
            assertThat(line.split(ann, -1)).as(line).hasSizeGreaterThanOrEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bounce+ann=human.test@list.test",
                "\"ann human.test\"@list.test",
                "o'ann/human.test@list.test",
                "ann.human.test@[192.0.2.1]",
                "human.test.änn@bücher.test"
            })
    void everyFormOfAnAddressIsHashedWhole(String address) {
        AddressHash hash = new AddressHash(new byte[32]);
        assertThat(hash.apply(address)).matches("address:[0-9a-f]{20}");
        assertThat(hash.apply("<" + address + "> <ann@x.test>")).matches("<address:\\w+> <address:\\w+>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "@@@", "a @ b", "\"@", "x@", "%40", "mx.example.com", "192.0.2.1", "%40%40"})
    void whatIsNoAddressStays(String text) {
        assertThat(new AddressHash(new byte[32]).apply(text)).isEqualTo(text);
    }

    @Test
    void aFloodOfLinesIsCutAndCounted() {
        AtomicLong nanos = new AtomicLong();
        LineLimit limit = new LineLimit("mail_refused", nanos::get);
        List<String> one = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            if (limit.admit("192.0.2.1")) {
                one.add("192.0.2.1");
            }
        }
        assertThat(one).hasSize(LineLimit.OF_ONE_SOURCE);
        int others = 0;
        for (int i = 0; i < 100_000; i++) {
            others += limit.admit("10.0." + i % 20_000) ? 1 : 0;
        }
        assertThat(others + one.size()).isEqualTo(LineLimit.OF_ALL);
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger(LogLine.LOGGER);
        lines.start();
        log.addAppender(lines);
        try {
            assertThat(limit.admit("192.0.2.1")).isTrue();
            limit.report();
        } finally {
            log.detachAppender(lines);
        }
        assertThat(List.copyOf(lines.list))
                .filteredOn(line -> line.getMessage().equals("lines_left_out"))
                .singleElement()
                .satisfies(line -> assertThat(line.getKeyValuePairs().toString())
                        .contains("lines=\"100700\"", "kind=\"mail_refused\"", "192.0.2.1 970"));
    }

    @Test
    void metersAreScraped() {
        Metrics metrics = new Metrics();
        metrics.request("GET", "/v0/inboxes", 200, 7_000_000);
        metrics.registry().counter("inboxd.mails").increment();
        assertThat(metrics.scrape())
                .contains(
                        "inboxd_http_requests_seconds_count{method=\"GET\",route=\"/v0/inboxes\","
                                + "status=\"200\"} 1",
                        "inboxd_mails_total 1.0");
    }

    private static String text(String event, @Nullable Throwable cause, Object... fields) {
        return encode(event(LogLine.LOGGER, event, cause, fields), LogFormat.TEXT);
    }

    private static String json(String event, @Nullable Throwable cause, Object... fields) {
        return encode(event(LogLine.LOGGER, event, cause, fields), LogFormat.JSON);
    }

    private static String encode(LoggingEvent event, LogFormat format) {
        return new String(encoder(format, UnaryOperator.identity()).encode(event), StandardCharsets.UTF_8);
    }

    private static LineEncoder encoder(LogFormat format, UnaryOperator<String> addresses) {
        return new LineEncoder(() -> format, () -> addresses);
    }

    private static LoggingEvent event(String logger, String message, @Nullable Throwable cause, Object... fields) {
        Logger named = new LoggerContext().getLogger(logger);
        LoggingEvent event = new LoggingEvent(LogTest.class.getName(), named, Level.INFO, message, cause, null);
        event.setInstant(AT);
        for (int i = 0; i < fields.length; i += 2) {
            event.addKeyValuePair(new KeyValuePair((String) fields[i], fields[i + 1]));
        }
        return event;
    }
}
