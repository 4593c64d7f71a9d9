package dev.inboxd.base.http.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 §14.1.2, of a file of 10 octets. */
class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=0-9, 0, 10",
        "bytes=2-, 2, 8",
        "bytes=-3, 7, 3",
        "bytes=-30, 0, 10",
        "Bytes=5-500, 5, 5",
        "bytes=9-9, 9, 1",
        "bytes=10-, 0, 0",
        "bytes=-0, 0, 0",
        "bytes=999999999999999999-, 0, 0"
    })
    void oneRangeIsReadAndCutAtTheEnd(String field, long first, long length) {
        assertThat(ByteRange.of(field, 10)).isEqualTo(new ByteRange(first, length));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=a-b",
                "bytes=3-2",
                "bytes=0-1,4-5",
                "items=0-1",
                "bytes=+1-2",
                "bytes=1-2-3",
                "bytes=9999999999999999999-",
                "bytes=٣-٤"
            })
    void anythingElseMeansTheWhole(String field) {
        assertThat(ByteRange.of(field, 10)).isNull();
    }

    @Test
    void noFieldMeansTheWholeAndAnEmptyFileHasNoRange() {
        assertThat(ByteRange.of(null, 10)).isNull();
        assertThat(ByteRange.of("bytes=0-", 0)).isEqualTo(new ByteRange(0, 0));
        assertThat(ByteRange.of("bytes=-5", 0)).isEqualTo(new ByteRange(0, 0));
    }
}
