package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The packages know only whom they may know (docs/architecture.md). */
class BoundaryTest {
    private static final Boundaries RULES = Boundaries.read(Path.of("cli/src/test/resources/boundaries.txt"));
    private static final PackageGraph GRAPH = PackageGraph.of(SourceTree.CLASSES);

    @Test
    void theCompiledClassesAndTheRulesAgree() {
        assertThat(GRAPH.uses().keySet()).contains("root", "base.database", "inbound", "mail.message");
        assertThat(RULES.broken(GRAPH)).isEmpty();
    }

    /** The page says of every package what is there; those of {@code mail} are in a table of its own README. */
    @Test
    void everyPackageIsInTheTablesOfThePages() throws IOException {
        String architecture = Files.readString(Path.of("docs/architecture.md"));
        String mail = Files.readString(Path.of("mail/README.md"));
        assertThat(GRAPH.uses().keySet())
                .filteredOn(name -> !name.equals("root"))
                .allSatisfy(name -> assertThat(name.startsWith("mail.") ? mail : architecture)
                        .contains("`" + name + "`"));
    }

    @Test
    void anArrowThatPointsUpIsSeen() {
        assertThat(RULES.broken(with("base.database", "dev.inboxd.base.http.Routes")))
                .contains("base.database -> base.http points upwards");
    }

    @Test
    void anEdgeInsideALayerWithoutAReasonIsSeen() {
        assertThat(RULES.broken(with("mailbox.label", "dev.inboxd.mailbox.message.Messages")))
                .contains("mailbox.label -> mailbox.message is not listed");
    }

    @Test
    void aPackageThatUsesMoreThanItsOwnRuleSaysIsSeen() {
        assertThat(RULES.broken(with("smtp.client", "dev.inboxd.base.json.Json")))
                .contains("smtp.client -> base.json is more than its rule allows");
    }

    @Test
    void aCircleIsSeen() {
        assertThat(RULES.broken(with("mailbox.attachment", "dev.inboxd.mailbox.message.Messages")))
                .anyMatch(broken -> broken.startsWith("a cycle among"));
    }

    @Test
    void aLibraryOutsideItsPackageIsSeen() {
        assertThat(RULES.broken(with("tenant.inbox", "java.sql.Connection"))).contains("tenant.inbox uses java.sql");
        assertThat(RULES.broken(with("tenant.inbox", "com.example.New")))
                .contains("tenant.inbox uses com.example.New, which has no line");
    }

    private static PackageGraph with(String user, String used) {
        Map<String, Set<String>> uses = new TreeMap<>(GRAPH.uses());
        Set<String> more = new TreeSet<>(uses.getOrDefault(user, Set.of()));
        more.add(used);
        uses.put(user, more);
        return new PackageGraph(uses);
    }
}
