package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A package can be read in one sitting: so many lines, so many types, and few types that only make sense together. */
class PackageSizesTest {
    private static final ExceptionList EXCEPTIONS = ExceptionList.read(Path.of("cli/src/test/resources/packages.txt"));
    private static final int LINES = 2000;
    /** In the list, lines are rounded up to these. */
    private static final int STEP = 100;

    private static final int TYPES = 25;
    private static final int KNOT = 3;

    @Test
    void noPackageIsLargerThanTheListSays() throws IOException {
        assertThat(EXCEPTIONS.difference(violations())).isEmpty();
    }

    @Test
    void aKnotIsSeen() {
        Map<String, Set<String>> uses = Map.of(
                "A",
                Set.of("B", "E"),
                "B",
                Set.of("C"),
                "C",
                Set.of("D"),
                "D",
                Set.of("A"),
                "E",
                Set.of(),
                "F",
                Set.of("A"));
        assertThat(new TypeGraph(uses).knots()).containsExactly(new TreeSet<>(Set.of("A", "B", "C", "D")));
    }

    private static NavigableMap<String, String> violations() throws IOException {
        Map<String, Integer> lines = new TreeMap<>();
        Map<String, Integer> types = new TreeMap<>();
        for (Path file : SourceTree.files(SourceTree.MAIN, ".java")) {
            String folder = file.getParent().toString().replaceFirst("^.*/src/main/java/dev/inboxd/?", "");
            String name = folder.isEmpty() ? "root" : folder.replace('/', '.');
            lines.merge(name, Files.readAllLines(file).size(), Integer::sum);
            types.merge(name, file.endsWith("package-info.java") ? 0 : 1, Integer::sum);
        }
        NavigableMap<String, String> violations = new TreeMap<>();
        lines.forEach((name, count) -> {
            if (count > LINES) {
                violations.put("lines " + name + " " + (count + STEP - 1) / STEP * STEP, count + " lines");
            }
        });
        types.forEach((name, count) -> {
            if (count > TYPES) {
                violations.put("types " + name + " " + count, "more than " + TYPES);
            }
        });
        for (NavigableSet<String> knot : TypeGraph.of(SourceTree.CLASSES).knots()) {
            if (knot.size() > KNOT) {
                violations.put(
                        "knot " + knot.first().replaceFirst("^dev\\.inboxd\\.", "") + " " + knot.size(),
                        String.join(", ", knot));
            }
        }
        return violations;
    }
}
