package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * On Citus every statement is one task, on one shard, but for those that {@code suite/citus/tasks.tsv} lists. Its hot
 * statements, each with the use that it is part of, are one task always.
 */
class StatementTasksDbTest {
    private static final Path TABLE = Path.of("suite/citus/tasks.tsv");
    private static final Path FOUND = Path.of("target/tasks.tsv");
    private static final String ONE = "1";
    private static final String ALL = "all";
    private static final Set<String> NOT_PLANNED = Set.of("alter", "analyze", "create", "explain", "lock");
    /** Each is part of what every user waits for. */
    private static final Set<String> USES = Set.of("authentication", "receive", "list", "get", "send", "webhook claim");

    /**
     * A line of the table.
     *
     * @param use what a hot statement is part of; empty for others
     * @param tasks their number, or {@link #ALL} for one on each shard at least
     */
    private record Line(String use, String tasks, String sql) {}

    private static List<Line> table() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (String line : Files.readAllLines(TABLE)) {
            if (!line.startsWith("#")) {
                String[] words = line.split("\t", -1);
                lines.add(new Line(words[0], words[1], words[2]));
            }
        }
        return lines;
    }

    private static List<String> statements() throws IOException {
        StatementOrigins origins = StatementOrigins.read();
        return StatementTexts.listed().stream()
                .filter(sql -> !sql.contains(RowStatement.TENANT)
                        && !NOT_PLANNED.contains(sql.split(" ", 2)[0])
                        && !origins.isOfTests(sql))
                .toList();
    }

    @Test
    void theTableNamesStatementsOfTheProgramAndEveryUseIsOneTask() throws IOException {
        List<Line> table = table();
        assertThat(table.stream().map(Line::sql)).isSubsetOf(statements()).doesNotHaveDuplicates();
        assertThat(table.stream().map(Line::use).filter(use -> !use.isEmpty())).containsAll(USES);
        assertThat(table)
                .allSatisfy(line -> assertThat(line.tasks().equals(ONE))
                        .as(line.sql())
                        .isEqualTo(!line.use().isEmpty()));
    }

    @Test
    void everyStatementTakesAsManyTasksAsTheTableSays() throws IOException, SQLException {
        assumeTrue(TestPostgres.isOnCitus(), "needs Citus (suite/citus)");
        Map<String, String> expected = new LinkedHashMap<>();
        table().forEach(line -> expected.put(line.sql(), line.tasks()));
        List<String> wrong = new ArrayList<>();
        List<String> found = new ArrayList<>();
        Database.Location location = TestPostgres.migrated();
        try (Connection connection =
                DriverManager.getConnection(location.url(), location.user(), location.password())) {
            int shards = shards(connection);
            for (String sql : statements()) {
                String tasks = TaskPlan.tasks(connection, sql);
                String shown = tasks.matches("\\d+") && Integer.parseInt(tasks) >= shards ? ALL : tasks;
                if (!shown.equals(expected.getOrDefault(sql, ONE))) {
                    wrong.add(shown + " instead of " + expected.getOrDefault(sql, ONE) + ": " + sql);
                }
                if (!shown.equals(ONE)) {
                    found.add("\t" + shown + "\t" + sql);
                }
            }
        }
        Files.write(FOUND, Stream.concat(uses(), found.stream()).toList());
        assertThat(wrong).as("what is right is in " + FOUND).isEmpty();
    }

    private static Stream<String> uses() throws IOException {
        return Files.readAllLines(TABLE).stream().filter(line -> !line.startsWith("\t"));
    }

    private static int shards(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery(
                        "select count(*) from pg_dist_shard where logicalrelid = 'organization'::regclass")) {
            count.next();
            return count.getInt(1);
        }
    }
}
