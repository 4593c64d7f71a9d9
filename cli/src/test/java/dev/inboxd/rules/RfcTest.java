package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The comments of the sources and docs/rfc.tsv tell of the same standards. Its columns: number, title, how much of it
 * is there (Yes; Part, which may be a single section; Later), and the packages whose comments cite it.
 */
class RfcTest {
    private static final Pattern CITATION = Pattern.compile("\\bRFC (\\d+)");

    private record Standard(int number, String title, String status, Set<String> packages) {
        static Standard read(String line) {
            List<String> cells = List.of(line.split("\t", -1));
            assertThat(cells).as(line).hasSize(4).noneMatch(String::isBlank);
            Set<String> packages = cells.get(3).equals("-")
                    ? Set.of()
                    : Set.copyOf(List.of(cells.get(3).split(" ")));
            return new Standard(Integer.parseInt(cells.get(0)), cells.get(1), cells.get(2), packages);
        }
    }

    @Test
    void everyCitedStandardIsListedOnceAndInOrder() throws IOException {
        List<Integer> listed = standards().stream().map(Standard::number).toList();
        assertThat(listed)
                .doesNotHaveDuplicates()
                .isSorted()
                .containsAll(citations().keySet());
    }

    @Test
    void whatIsListedAsThereIsCitedWhereTheListSays() throws IOException {
        Map<Integer, Set<String>> citations = citations();
        for (Standard standard : standards()) {
            assertThat(standard.status()).as("RFC " + standard.number()).isIn("Yes", "Part", "Later");
            assertThat(citations.getOrDefault(standard.number(), Set.of()))
                    .as("RFC " + standard.number())
                    .containsAll(standard.packages());
            assertThat(standard.packages().isEmpty())
                    .as("RFC " + standard.number() + " is nowhere")
                    .isEqualTo(!citations.containsKey(standard.number()));
            assertThat(standard.status().equals("Later") || !standard.packages().isEmpty())
                    .as("RFC " + standard.number() + " is there, and no comment cites it")
                    .isTrue();
        }
    }

    private static List<Standard> standards() throws IOException {
        return Files.readAllLines(Path.of("docs/rfc.tsv")).stream()
                .skip(1)
                .map(Standard::read)
                .toList();
    }

    /** The packages, as boundaries.txt names them, that cite each number. */
    private static Map<Integer, Set<String>> citations() throws IOException {
        Map<Integer, Set<String>> citations = new TreeMap<>();
        for (Path file : SourceTree.files(SourceTree.MAIN, ".java")) {
            String folder = file.getParent().toString().replaceFirst("^.*/src/main/java/dev/inboxd/?", "");
            String name = folder.isEmpty() ? "root" : folder.replace('/', '.');
            for (String line : Files.readAllLines(file)) {
                Matcher citation = CITATION.matcher(comment(line));
                while (citation.find()) {
                    citations
                            .computeIfAbsent(Integer.valueOf(citation.group(1)), _ -> new TreeSet<>())
                            .add(name);
                }
            }
        }
        return citations;
    }

    /** What of a line is comment, in the form that this project writes them. */
    private static String comment(String line) {
        String text = line.strip();
        boolean whole = Stream.of("*", "/*").anyMatch(text::startsWith);
        int from = text.indexOf("// ");
        return whole ? text : from < 0 ? "" : text.substring(from);
    }
}
