package dev.inboxd.base.yaml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.Problem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YamlDocumentTest {
    private static YamlDocument read(String yaml) {
        return YamlDocument.read(yaml.getBytes(UTF_8));
    }

    @Test
    void aValueHasTheLineOfItsNameAndAMissingOneThatOfWhatItWouldBeIn() {
        YamlDocument document = read("""
                one: 1

                list:
                  - name: a
                  - price: 2.00
                """);
        assertThat(document.root())
                .isEqualTo(Map.of("one", 1L, "list", List.of(Map.of("name", "a"), Map.of("price", "2.00"))));
        assertThat(document.line(List.of("one"))).isEqualTo(1);
        assertThat(document.line(List.of("list", 1, "price"))).isEqualTo(5);
        assertThat(document.line(List.of("list", 0, "missing"))).isEqualTo(4);
        assertThat(document.line(List.of("missing"))).isEqualTo(1);
    }

    @Test
    void aMemberIsNamedAsItIsWrittenAndWhatIsNoWordStandsInQuotes() {
        assertThat(YamlDocument.member(List.of("apps", 0, "redirect_uris", 2))).isEqualTo("apps[0].redirect_uris[2]");
        assertThat(YamlDocument.member(List.of("prices", "routes", "POST /v0/inbox")))
                .isEqualTo("prices.routes.\"POST /v0/inbox\"");
    }

    @Test
    void whatIsNoUtf8OrTooLargeIsRefused() {
        assertThatThrownBy(() -> YamlDocument.read("é".getBytes(ISO_8859_1)))
                .isInstanceOf(Problem.class)
                .hasMessage("it is not UTF-8");
        assertThatThrownBy(() -> YamlDocument.read(new byte[YamlDocument.MOST_BYTES + 1]))
                .isInstanceOf(Problem.class)
                .hasMessage("it is larger than 1 MiB");
        assertThatThrownBy(() -> read("a: 1\na: 2\n")).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.message()).isEqualTo("line 2: a appears twice");
            assertThat(problem.faults()).allMatch(YamlDocument::isWhole);
        });
    }
}
