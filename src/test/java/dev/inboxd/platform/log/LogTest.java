package dev.inboxd.platform.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.inboxd.platform.json.Json;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
        return new String(new LineEncoder(() -> format).encode(event), StandardCharsets.UTF_8);
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
