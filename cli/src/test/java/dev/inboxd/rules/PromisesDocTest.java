package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A test of the short form proves each row of docs/promises.md, and every test that proves something names a row. */
class PromisesDocTest {
    private static final Pattern ROW = Pattern.compile("\\| ([PA]\\d+[a-z]?) \\| .+ \\|");

    @Test
    void everyRowHasAProofAndEveryProofARow() throws Exception {
        List<String> rows = rows();
        Proofs proofs =
                Proofs.of(SourceTree.TEST_CLASSES, Path.of("suite"), Path.of("server/src/test/resources/dialogs"));
        Files.write(Path.of("target/promises.md"), proofs.table(rows));
        assertThat(proofs.faults(rows)).isEmpty();
    }

    @Test
    void everyIdStandsOnceAndBelowTheOneItBelongsTo() throws IOException {
        List<String> rows = rows();
        assertThat(rows).hasSizeGreaterThan(90).doesNotHaveDuplicates();
        assertThat(rows).allSatisfy(id -> assertThat(rows).contains(id.replaceAll("[a-z]$", "")));
    }

    /** Those of the design that concern what comes in and what goes out. */
    @Test
    void everyAttackOnReceivingSendingAndInputIsThere() throws IOException {
        Set<Integer> numbers = Set.of(
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22, 23, 24, 25, 38, 39, 40, 41, 42,
                43);
        assertThat(rows())
                .containsAll(numbers.stream().map(number -> "A" + number).toList());
    }

    @Test
    void whatDoesNotFitIsSeen() {
        Proofs proofs = new Proofs();
        proofs.readText("suite/chaos/run", List.of("#!/bin/sh", "# Proves P1, P3a"));
        proofs.readText("suite/sdk/checks/raw.js", List.of("// Proves P2", "await check(\"raw\", async () => {"));
        proofs.readText("suite/sdk/checks/lost.js", List.of("// Proves P2"));
        proofs.readText("pom.xml", List.of("# Proves P2"));
        proofs.readText("suite/sdk/long", List.of("#!/bin/sh", "# Proves P5"));
        assertThat(proofs.faults(List.of("P1", "P2", "P4", "P5")))
                .containsExactlyInAnyOrder(
                        "P4 has no proof",
                        "P5 is proved in the long form alone, by [`suite/sdk/long`]",
                        "suite/sdk/long is not run and proves something",
                        "P3a is no row, and is proved by [`suite/chaos`]",
                        "suite/sdk/checks/lost.js proves something where no check follows",
                        "pom.xml is not run and proves something");
        assertThat(proofs.table(List.of("P1"))).contains("| P1 | `suite/chaos` |");
    }

    private static List<String> rows() throws IOException {
        return Files.readAllLines(Path.of("docs/promises.md")).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1))
                .toList();
    }
}
