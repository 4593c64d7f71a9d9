package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.value.TextArray;
import dev.inboxd.testing.TestPostgres;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts that travel as one text come back as they were. */
class TextArrayDbTest {
    /** The characters for private use of the first plane, all of them. */
    private static final String TAKEN = IntStream.rangeClosed(0xE000, 0xF8FF)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();

    static Stream<List<String>> lists() {
        return Stream.of(
                List.of(),
                List.of(""),
                List.of("", ""),
                List.of("a", "", "b"),
                List.of("\"quoted\"", "back\\slash", "{brace}", "com,ma", "null", "NULL"),
                List.of("line\nend", "Zo\u00eb", "\ud83d\ude80"),
                List.of("\ue000", "\ue001\ue000"),
                List.of(TAKEN, "after"));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void theListIsTheSame(List<String> texts) {
        assertThat(read(TextArray.packed(texts))).isEqualTo(texts);
    }

    private static List<String> read(@Nullable String packed) {
        try (Database database = new Database(TestPostgres.database(), null)) {
            return database.read(tx -> tx.sql("select kept.texts from (select " + TextArray.unpacked("r.texts")
                            + " as texts from (select :packed::text as texts) as r) as kept")
                    .bind("packed", packed)
                    .single(row -> row.texts("texts")));
        }
    }
}
