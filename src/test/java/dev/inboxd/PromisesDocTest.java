package dev.inboxd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every proof that docs/promises.md names is there. */
class PromisesDocTest {
    private static final Path DOCUMENT = Path.of("docs/promises.md");
    private static final Pattern METHOD = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
    private static final Pattern SUITE = Pattern.compile("`suite/(\\w+)(?:: ([^`]+))?`");

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Map<String, String> sources = sources("src/test/java", ".java");
        String document = Files.readString(DOCUMENT);
        assertThat(METHOD.matcher(document).results().toList())
                .hasSizeGreaterThan(30)
                .allSatisfy(named -> assertThat(sources.getOrDefault(named.group(1) + ".java", ""))
                        .contains(" " + named.group(2) + "("));
    }

    @Test
    void everySuiteAndCheckThatIsNamedExists() throws IOException {
        String checks = String.join("\n", sources("suite/sdk/checks", ".js").values());
        assertThat(SUITE.matcher(Files.readString(DOCUMENT)).results().toList())
                .isNotEmpty()
                .allSatisfy(named -> {
                    assertThat(Path.of("suite", named.group(1), "run")).isExecutable();
                    assertThat(checks).contains(named.group(2) == null ? "" : "check(\"" + named.group(2) + "\"");
                });
    }

    @Test
    void everyPromiseHasAProof() throws IOException {
        List<String> rows = Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("| P") || line.startsWith("| |"))
                .toList();
        assertThat(rows).isNotEmpty().allMatch(row -> METHOD.matcher(row).find());
    }

    /** Those of the design that concern what comes in and what goes out. */
    @Test
    void everyAttackOnReceivingSendingAndInputHasAProof() throws IOException {
        List<String> rows = Files.readAllLines(DOCUMENT);
        IntStream.of(
                        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22, 23, 24, 25, 38, 39, 40,
                        41, 42, 43)
                .forEach(number -> assertThat(rows)
                        .as("A" + number)
                        .anyMatch(row -> row.startsWith("| A" + number + " |")
                                && METHOD.matcher(row).find()));
    }

    private static Map<String, String> sources(String folder, String suffix) throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(suffix)).toList()) {
                sources.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return sources;
    }
}
