package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every statement of the program keeps what a cluster needs (docs/decisions/0068-citus.md). */
class StatementRulesTest {
    private static final Path EXCEPTIONS = Path.of("server/src/test/resources/statement-rules.txt");
    private static final Path FOUND = Path.of("target/statement-rules.txt");
    private static final String TO_BE_SAID = "why?";

    /** The form for rows of several organizations, which keep their own statements on a cluster. */
    private static final String SEVERAL = RowStatement.TENANT;

    private static final Set<String> NOT_PARSED = Set.of("alter", "analyze", "create", "explain", "lock", "truncate");

    private static Connection connect() throws SQLException {
        Database.Location location = TestPostgres.migrated();
        return DriverManager.getConnection(location.url(), location.user(), location.password());
    }

    private static Set<String> broken(Connection connection, StatementTree.Catalog catalog, String sql)
            throws SQLException {
        return StatementRules.brokenBy(StatementTree.of(connection, sql), catalog);
    }

    @Test
    void noStatementBreaksARuleThatIsNotListed() throws IOException, SQLException {
        StatementOrigins origins = StatementOrigins.read();
        Set<String> violations = new TreeSet<>();
        int checked = 0;
        try (Connection connection = connect()) {
            StatementTree.Catalog catalog = StatementTree.Catalog.of(connection);
            StatementTree.show(connection);
            for (String sql : StatementTexts.listed()) {
                if (!sql.contains(SEVERAL) && !NOT_PARSED.contains(sql.split(" ", 2)[0]) && !origins.isOfTests(sql)) {
                    checked++;
                    broken(connection, catalog, sql).forEach(rule -> violations.add(rule + "\t" + sql));
                }
            }
        }
        assertThat(checked).isGreaterThan(1_000);
        assertThat(difference(violations)).isEmpty();
    }

    /** What to do about the list, and its right content in {@link #FOUND}; empty when it is right. */
    private static List<String> difference(Set<String> violations) throws IOException {
        List<String> wrong = new ArrayList<>();
        List<String> right = new ArrayList<>();
        Set<String> listed = new TreeSet<>();
        for (String line : Files.readAllLines(EXCEPTIONS)) {
            if (line.startsWith("#")) {
                right.add(line);
                continue;
            }
            List<String> words = List.of(line.split("\t", -1));
            String entry = words.getFirst() + "\t" + words.getLast();
            listed.add(entry);
            if (!violations.contains(entry)) {
                wrong.add("shorten the list, this is no longer needed: " + entry);
            } else if (words.size() != 3
                    || words.get(1).isBlank()
                    || words.get(1).equals(TO_BE_SAID)) {
                wrong.add("say why: " + entry);
            } else {
                right.add(line);
            }
        }
        violations.stream().filter(entry -> !listed.contains(entry)).forEach(entry -> {
            wrong.add("not allowed: " + entry);
            right.add(entry.replaceFirst("\t", "\t" + TO_BE_SAID + "\t"));
        });
        Files.write(FOUND, right);
        return wrong;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select j.kind from job j where j.organization_id = ?|",
                "select j.kind from job j where j.due_at < now()|everywhere",
                "select j.kind from job j where j.organization_id = ? or j.attempts = 1|everywhere",
                "select j.kind from job j where j.organization_id is not distinct from ?|everywhere",
                "select j.kind from job j where j.organization_id = any (?)|everywhere",
                "select j.kind from job j join pod p on p.organization_id = j.organization_id"
                        + " where p.organization_id = ?|",
                "select j.kind from job j left join pod p on p.pod_id = j.job_id"
                        + " where j.organization_id = ?|everywhere",
                "select (select p.name from pod p where p.organization_id = j.organization_id limit 1) from job j"
                        + " where j.organization_id = ?|everywhere",
                "select (select p.name from pod p where p.organization_id = ? limit 1) from job j"
                        + " where j.organization_id = ?|",
                "select x.kind from (select j.* from job j where j.organization_id = ?) x|",
                "select j.kind from job j join (select p.organization_id as o from pod p where p.organization_id = ?) x"
                        + " on x.o = j.organization_id|",
                "select j.kind from unnest(?::uuid[]) as o cross join lateral (select k.kind from job k"
                        + " where k.organization_id = o limit 1) as j|everywhere",
                "with x as (select j.kind from job j) select kind from x|everywhere",
                "select j.kind from job j for update|changes everywhere",
                "delete from job j where j.due_at < now()|changes everywhere",
                "select h.domain from domain_holder h join pod p on p.organization_id = ?|",
                "select l.skeleton from look_alike l join pod p on p.organization_id = ?|other places",
            })
    void aTenantTableIsReadOfOneOrganization(String sql, String rule) throws SQLException {
        assertBroken(sql, rule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "update job j set due_at = now() where j.organization_id = ?|",
                "update job j set due_at = now() + interval '1 second' where j.organization_id = ?|",
                "update job j set due_at = now() + make_interval(secs => j.attempts)"
                        + " where j.organization_id = ?|unstable",
                "update job j set due_at = (now() at time zone 'UTC' + make_interval(secs => j.attempts))"
                        + " at time zone 'UTC'"
                        + " where j.organization_id = ?|",
                "update job j set due_at = coalesce(j.due_at, now()) where j.organization_id = ?|unstable",
                "update job j set due_at = case when ? then now() end where j.organization_id = ?|unstable",
                "update job j set due_at = least(j.due_at, now()) where j.organization_id = ?|",
                "update webhook w set inbox_id = w.inbox_ids[1] where w.organization_id = ?|subscript",
                "update job j set attempts = 1 where j.organization_id = ? returning now() as at|unstable",
                "update message m set labels = r.labels"
                        + " from (select u.l::text[] as labels from unnest(?::text[]) as u (l)) r"
                        + " where m.organization_id = ?|unstable",
                "update message m set labels = r.labels from (select (string_to_array(u.l, left(u.l, 1)))[2:] as labels"
                        + " from unnest(?::text[]) as u (l)) r where m.organization_id = ?|",
            })
    void anUpdateCalculatesTheSameWhereverItRuns(String sql, String rule) throws SQLException {
        assertBroken(sql, rule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "insert into search_text (organization_id, message_id, content) values (?, ?, ?)|",
                "insert into search_text (organization_id, message_id, content) select ?, u.id, ''::bytea"
                        + " from unnest(?::uuid[]) as u (id)|given organization",
                "insert into search_text (organization_id, message_id, content)"
                        + " select k.organization_id, u.id, ''::bytea"
                        + " from unnest(?::uuid[]) as u (id) join organization_clock k on k.organization_id = ?|",
                "insert into search_text (organization_id, message_id, content) values (?, ?, ?)"
                        + " returning content|no alias",
                "insert into search_text as t (organization_id, message_id, content) values (?, ?, ?)"
                        + " returning t.content|",
            })
    void anInsertSaysWhoseRowsItMakes(String sql, String rule) throws SQLException {
        assertBroken(sql, rule);
    }

    private static void assertBroken(String sql, String rule) throws SQLException {
        try (Connection connection = connect()) {
            StatementTree.Catalog catalog = StatementTree.Catalog.of(connection);
            StatementTree.show(connection);
            assertThat(broken(connection, catalog, sql)).isEqualTo(rule == null ? Set.of() : Set.of(rule));
        }
    }

    @Test
    void theTablesThatEveryNodeHasAreThoseOfTheMigration() throws IOException {
        String schema = Files.readString(Path.of("base/src/main/resources/migrations/V0031_7__schema.sql"));
        Matcher placed =
                Pattern.compile("place\\('(\\w+)', '\\w+', 'everywhere'\\)").matcher(schema);
        Set<String> everywhere = placed.results().map(table -> table.group(1)).collect(Collectors.toSet());
        // Few rows, and no statement reads it beside other tables.
        everywhere.remove("organization_mark");
        assertThat(everywhere).isEqualTo(StatementRules.EVERYWHERE);
    }
}
