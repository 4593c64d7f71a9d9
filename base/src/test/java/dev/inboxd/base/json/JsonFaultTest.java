package dev.inboxd.base.json;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.Problem;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no JSON is answered with the place where it stops being some, and what stands there. */
class JsonFaultTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{'username':'hello'} | line 1, column 2 | near: {'username'",
                "username=hello | line 1 | near: username=hel",
                "{\"a\":1,} | line 1, column 8 | near: {\"a\":1,}",
                "{\"a\" 1} | line 1, column 6 | near: {\"a\" 1}",
                "{\"a\":1 | line 1 | where it ends",
                "{\"a\":\"b | line 1 | where it ends",
                "{\"a\":1}{\"b\":2} | line 1 | nothing behind it",
                "{“a”:1} | line 1, column 2 | near: {“a”:1}",
                "{\"a\":😀😀😀😀😀😀😀😀😀} | line 1, column 6 | near: {\"a\":"
            })
    void isToldByLineAndColumnAndWhatIsThere(String body, String place, String near) {
        assertThatThrownBy(() -> Json.parse(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(Problem.class)
                .hasMessageContainingAll(place, near);
    }

    @Test
    void linesAreCounted() {
        assertThatThrownBy(() -> Json.parse("{\n  \"a\": 1,\n  b: 2\n}".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContainingAll("line 3, column 3", "b: 2");
    }
}
