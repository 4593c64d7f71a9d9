package dev.inboxd.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The normal form of a URL is the one that browsers and Node have; the tables were written by the latter. */
final class UrlParserTest {
    private static final String REFUSED = "-";

    @TestFactory
    Stream<DynamicTest> anAbsoluteUrlHasTheNormalFormOfTheStandard() {
        return rows("absolute")
                .map(row -> DynamicTest.dynamicTest(
                        row.getFirst(),
                        () -> assertThat(resolved(row.getFirst(), null)).isEqualTo(row.get(1))));
    }

    @TestFactory
    Stream<DynamicTest> aReferenceLeadsWhereTheStandardSays() {
        return rows("relative")
                .map(row -> DynamicTest.dynamicTest(
                        row.get(1) + " at " + row.getFirst(),
                        () -> assertThat(resolved(row.get(1), UrlParser.parse(row.getFirst())))
                                .isEqualTo(row.get(2).startsWith("a:") ? REFUSED : row.get(2))));
    }

    @Test
    void theNormalFormOfANormalFormIsItself() throws UrlSyntaxException {
        Random random = new Random(8);
        String alphabet = "aB/\\.?%2e#é日|[]{}\"'<>^`~:;=&+ \u00ad-0x";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder url = new StringBuilder("https://hook.example/");
            for (int j = random.nextInt(12); j > 0; j--) {
                url.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            HttpUrl once = UrlParser.resolve(url.toString(), null);
            assertThat(UrlParser.resolve(once.toString(), null))
                    .as(url.toString())
                    .isEqualTo(once);
            assertThat(once.toString()).as(url.toString()).matches("[!-~]+");
        }
    }

    private static String resolved(String reference, @Nullable HttpUrl base) {
        try {
            return UrlParser.resolve(reference, base).toString();
        } catch (UrlSyntaxException refused) {
            return REFUSED;
        }
    }

    private static Stream<List<String>> rows(String name) {
        try (InputStream in = UrlParserTest.class.getResourceAsStream("/corpora/urls/" + name + ".tsv")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> Arrays.stream(line.split("\t"))
                            .map(cell -> String.valueOf(Json.stored(cell)))
                            .toList());
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
