package dev.inboxd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The packages know only whom they may know (docs/architecture.md). */
class BoundaryTest {
    private static final Boundaries RULES = Boundaries.read(Path.of("src/test/resources/boundaries.txt"));
    private static final PackageGraph GRAPH = PackageGraph.of(Path.of("target/classes"));

    @Test
    void theCompiledClassesAndTheRulesAgree() {
        assertThat(GRAPH.uses().keySet()).contains("root", "database", "receive", "mail.message");
        assertThat(RULES.broken(GRAPH)).isEmpty();
    }

    @Test
    void anArrowThatPointsUpIsSeen() {
        assertThat(RULES.broken(with("database", "dev.inboxd.platform.http.Routes")))
                .contains("database -> http points upwards");
    }

    @Test
    void anEdgeBetweenFeaturesWithoutAReasonIsSeen() {
        assertThat(RULES.broken(with("label", "dev.inboxd.tenant.inbox.Inboxes")))
                .contains("label -> inbox is not listed");
    }

    @Test
    void aCircleIsSeen() {
        assertThat(RULES.broken(with("attachment", "dev.inboxd.mailbox.message.Messages")))
                .anyMatch(broken -> broken.startsWith("a cycle among"));
    }

    @Test
    void aLibraryOutsideItsPackageIsSeen() {
        assertThat(RULES.broken(with("inbox", "java.sql.Connection"))).contains("inbox uses java.sql");
        assertThat(RULES.broken(with("inbox", "com.example.New")))
                .contains("inbox uses com.example.New, which has no line");
    }

    private static PackageGraph with(String user, String used) {
        Map<String, Set<String>> uses = new TreeMap<>(GRAPH.uses());
        Set<String> more = new TreeSet<>(uses.getOrDefault(user, Set.of()));
        more.add(used);
        uses.put(user, more);
        return new PackageGraph(uses);
    }
}
