package dev.inboxd.base.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.testing.Proves;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON text to plain values and back. */
class JsonTest {
    @Test
    void everyKindOfValueHasItsForm() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put("none", null);
        map.put("a", List.of("x", 2L));
        JsonObject object = JsonObject.of("map", map)
                .with("absent", null)
                .with("yes", true)
                .with("half", 0.5)
                .with("exact", new BigDecimal("1.10"))
                .with("at", Instant.parse("2026-01-02T03:04:05.678999Z"))
                .with("id", new UUID(0xABCDL, 1))
                .with("raw", new RawJson("{\"b\":1}"))
                .with("list", Arrays.asList("a", null))
                .with("text", "\u0000\"\\\n\u00e4\ud83d\ude00");
        assertThat(Json.text(object))
                .isEqualTo("{\"map\":{\"z\":1,\"a\":[\"x\",2]},\"yes\":true,\"half\":0.5,"
                        + "\"exact\":1.10,\"at\":\"2026-01-02T03:04:05.678Z\","
                        + "\"id\":\"00000000-0000-abcd-0000-000000000001\","
                        + "\"raw\":{\"b\":1},\"list\":[\"a\",null],\"text\":\"\\u0000\\\"\\\\\\n\u00e4\ud83d\ude00\"}");
    }

    @Test
    void aLongTextIsWrittenAsAShortOneIs() {
        String piece = "La de da 12.\r\n\u0000\"\\\t\u007f\u0080\u00e4\u2028\uffff\ud83d\ude00";
        String form = Json.text(piece);
        String inside = form.substring(1, form.length() - 1);
        for (int times : new int[] {30, 60, 1_000, 10_000}) { // below and above what is long, and beyond every buffer
            assertThat(Json.text(piece.repeat(times))).isEqualTo("\"" + inside.repeat(times) + "\"");
        }
    }

    @Test
    void anObjectGrowsBeyondItsFirstRoom() {
        JsonObject object = new JsonObject();
        for (int i = 0; i < 100; i++) {
            object.with("m" + i, i);
        }
        assertThat(Json.text(object)).startsWith("{\"m0\":0,").endsWith("\"m98\":98,\"m99\":99}");
    }

    @Test
    void whatHasNoFormIsAFaultOfOurs() {
        assertThatThrownBy(() -> Json.write(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Json.write(new Object())).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00.000Z",
                "1969-12-31T23:59:59.999Z",
                "2026-02-28T12:34:56.789Z",
                "0000-01-01T00:00:00.000Z",
                "9999-12-31T23:59:59.999Z",
                "2024-02-29T00:00:00.001Z"
            })
    void aTimeIsWrittenAsItIsRead(String text) {
        assertThat(Timestamps.format(Instant.parse(text))).isEqualTo(text);
        assertThat(Timestamps.parse(text)).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05+02:00,2026-01-02T01:04:05Z",
        "2026-01-02t03:04:05z,2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.123456Z,2026-01-02T03:04:05.123456Z"
    })
    void anyRfc3339TimeIsUnderstood(String text, Instant instant) {
        assertThat(Timestamps.parse(text)).isEqualTo(instant);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-01-02",
                "2026-01-02T03:04:05",
                "2026-13-01T00:00:00Z",
                "2026-02-30T00:00:00Z",
                "+999999999-01-01T00:00:00Z",
                "yesterday",
                "1767322800"
            })
    void whatIsNoRfc3339TimeIsNot(String text) {
        assertThat(Timestamps.parse(text)).isNull();
    }

    @Test
    void valuesAreReadAsPlainJava() {
        assertThat(read("{\"b\":[1,-2.5,true,false,null,\"\\ud83d\\ude00\"],\"a\":9223372036854775807}"))
                .isEqualTo(
                        Map.of("b", Arrays.asList(1L, -2.5, true, false, null, "\ud83d\ude00"), "a", Long.MAX_VALUE));
    }

    @ParameterizedTest
    @Proves("A38")
    @ValueSource(
            strings = {
                "{",
                "{}{}",
                "{} x",
                "{'a':1}",
                "{\"a\":NaN}",
                "{\"a\":01}",
                "{\"a\":1,}",
                "[1,]",
                "nul",
                "{\"a\":\"\n\"}",
                "{a:1}",
                "/* */{}",
                "\ufeff{}",
                "{\"a\":+1}",
                "{\"a\":Infinity}",
                "\"\\x\"",
                " "
            })
    void whatIsNotJsonIsRefusedAsAWhole(String text) {
        assertThat(faults(text))
                .singleElement()
                .satisfies(fault -> assertThat(fault.path()).isEmpty());
    }

    @ParameterizedTest
    @Proves("A38")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":{\"b\":[1,1e999]}}       | a.b.1 | too large",
                "{\"a\":99999999999999999999}    | a     | too large",
                "{\"a\":[\"x\\u0000y\"]}         | a.0   | not allowed",
                "{\"a\":\"\\ufffe\"}             | a     | not allowed",
                "{\"a\":\"\\ud800\"}             | a     | surrogate",
                "{\"a\":\"\\udc00\\ud800\"}      | a     | surrogate",
                "{\"a\":1,\"b\":{\"c\":1,\"c\":2}} | b.c | twice",
                "{\"x\\u0000y\":1}               | x…    | not allowed"
            })
    void whatWouldHarmUsLaterIsRefusedWithItsPath(String text, String path, String why) {
        assertThat(faults(text)).singleElement().satisfies(fault -> {
            assertThat(String.join(
                            ".", fault.path().stream().map(Object::toString).toList()))
                    .isEqualTo(path);
            assertThat(fault.message()).contains(why);
            assertThat(Json.text(JsonObject.of("path", fault.path()))).isNotEmpty();
        });
    }

    @Test
    void allThatIsWrongIsToldAtOnceButNotWithoutEnd() {
        assertThat(faults("[1e999,\"\\u0000\",1e999]")).hasSize(3);
        assertThat(faults("[" + "1e999,".repeat(1000) + "1]")).hasSize(100);
    }

    @Test
    @Proves("A38")
    void nestingEndsAtSixtyFour() {
        assertThat(read("[".repeat(64) + "]".repeat(64))).isInstanceOf(List.class);
        assertThat(faults("[".repeat(65) + "]".repeat(65)))
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains("64"));
        assertThat(faults("[".repeat(1_000_000))).hasSize(1);
    }

    @Test
    void aMillionEmptyObjectsAreNotBuilt() {
        assertThat(faults("[" + "{},".repeat(1_000_000) + "{}]")).hasSize(1);
    }

    @Test
    @Proves("A38")
    void onlyUtf8IsRead() {
        for (byte[] bytes : List.of(
                "{}".getBytes(StandardCharsets.UTF_16),
                "{}".getBytes(StandardCharsets.UTF_16LE),
                "\"\u00e4\"".getBytes(StandardCharsets.ISO_8859_1),
                new byte[] {'"', (byte) 0xC0, (byte) 0xAF, '"'},
                new byte[] {'"', (byte) 0xED, (byte) 0xA0, '"'})) {
            assertThat(catchThrowableOfType(Problem.class, () -> Json.parse(bytes))
                            .faults())
                    .hasSize(1);
        }
    }

    private static @Nullable Object read(String text) {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Fault> faults(String text) {
        return catchThrowableOfType(Problem.class, () -> read(text)).faults();
    }
}
