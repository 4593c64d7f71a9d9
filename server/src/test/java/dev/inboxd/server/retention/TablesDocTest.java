package dev.inboxd.server.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.queue.SubmissionRetention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/tables.md says of every table what ends its rows, and the rules do what it says. */
class TablesDocTest {
    private static final Pattern QUOTED = Pattern.compile("`([a-z_]+)`");
    private static final int RULE = 4;

    private static List<String> quoted(String cell) {
        return QUOTED.matcher(cell).results().map(found -> found.group(1)).toList();
    }

    /** The cells of each row of a table of the page, of which the first names tables. */
    private static List<List<String>> rows() throws IOException {
        return Files.readAllLines(Path.of("docs/tables.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> List.of(line.split("\\|", -1)))
                .toList();
    }

    @Test
    void everyTableOfTheSchemaIsThereOnce() throws IOException {
        List<String> told = new ArrayList<>();
        for (List<String> row : rows()) {
            told.addAll(quoted(row.get(1)));
        }
        List<String> tables;
        try (Stream<String> lines = Files.lines(Path.of("server/src/test/resources/schema.txt"))) {
            tables = lines.filter(line -> line.startsWith("table "))
                    .map(line -> line.split(" ", -1)[1])
                    .toList();
        }
        assertThat(tables).hasSizeGreaterThan(80);
        assertThat(told).containsExactlyInAnyOrderElementsOf(tables);
    }

    @Test
    void eachRuleIsThatOfTheProgram() throws IOException {
        Set<String> told = new TreeSet<>();
        for (List<String> row : rows()) {
            if (row.size() > RULE + 1) {
                quoted(row.get(RULE))
                        .forEach(
                                rule -> told.add(rule + " " + quoted(row.get(1)).getFirst()));
            }
        }
        Set<String> rules = new TreeSet<>();
        RetentionRule.USUAL.forEach(rule -> rules.add(rule.name() + " " + rule.table()));
        SubmissionRetention.TABLES.forEach((name, table) -> rules.add(name + " " + table));
        Retention.LOG.forEach((name, tables) -> tables.forEach(table -> rules.add(name + " " + table)));
        assertThat(told).isEqualTo(rules);
    }

    @Test
    void thePageIsReadAsItIsWritten() throws IOException {
        assertThat(rows()).hasSizeGreaterThan(40);
        assertThat(QUOTED.matcher("`a_b`, `c`").results().map(MatchResult::group))
                .containsExactly("`a_b`", "`c`");
    }
}
