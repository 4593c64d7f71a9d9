package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The list of statements is complete by the sources, and a run of the tests says the same of it whatever comes first in
 * it.
 */
class StatementListTest {
    private static final RowStatement<UUID> LOOKUP = RowStatement.of(
            "select {tenant}m.message_id, m.name from {rows} as r"
                    + " join message m on {m} and m.message_id = r.message_id",
            RowStatement.uuid("message_id", id -> id));
    private static final RowStatement<UUID> INSERT = RowStatement.of(
            "insert into message_security (organization_id, message_id, verdict)"
                    + " select {organization}, r.message_id, 'clear' from {rows} as r on conflict do nothing",
            RowStatement.uuid("message_id", id -> id));
    private static final UUID SOMEBODY = UUID.fromString("01900000-0000-7000-8000-000000000001");

    /** Each literal of the program with a statement, or a part of one, is in a line of the list. */
    @Test
    void everyStatementOfTheSourcesIsListed() throws IOException {
        String listed = StatementTexts.listed().stream()
                .flatMap(text -> Stream.of(text, StatementForms.common(text)))
                .collect(Collectors.joining("\n"));
        Map<String, String> missing = new TreeMap<>();
        for (Path file : SourceTree.files(SourceTree.MAIN, ".java")) {
            if (!isBelowTheTemplates(file)) {
                StatementOrigins.statements(Files.readString(file))
                        .filter(beginning -> !listed.contains(beginning))
                        .forEach(beginning ->
                                missing.put(beginning, file.getFileName().toString()));
            }
        }
        assertThat(missing)
                .as("add the text of the statement to server/src/test/resources/statements.txt")
                .isEmpty();
    }

    /** These packages send SQL of their own, before there are views and organizations. */
    private static boolean isBelowTheTemplates(Path file) {
        return file.startsWith("base/src/main/java/dev/inboxd/base/database");
    }

    @Test
    void theFormsOfAStatementAreOneStatement() {
        View all = View.of(SOMEBODY);
        for (RowStatement<UUID> statement : List.of(LOOKUP, INSERT)) {
            List<String> forms = List.of(
                    text(statement.sql(1), all),
                    text(statement.sql(2), all),
                    text(statement.sql(1), all.inbox(SOMEBODY)),
                    text(statement.sql(2), all.inbox(SOMEBODY)),
                    SqlTemplate.across(statement.acrossTenants(), SqlDialect.CLUSTER)
                            .sql()
                            .replaceAll("\\s+", " "));
            assertThat(forms.stream().distinct()).hasSizeGreaterThan(2);
            assertThat(forms.stream().map(StatementForms::common).distinct()).hasSize(1);
            for (String first : forms) {
                assertThat(StatementTexts.unlisted(forms, List.of(first))).isEmpty();
            }
        }
    }

    /** What is no scope of a row stays what it is. */
    @Test
    void acrossOrganizationsTimeIsTimeAndNoAlias() {
        RowStatement<UUID> late = RowStatement.of(
                "select {tenant}m.message_id from {rows} as r join message m on {m} and m.created_at < {now}"
                        + " and m.created_at < {real_now}",
                RowStatement.uuid("message_id", id -> id));
        assertThat(SqlTemplate.across(late.acrossTenants(), SqlDialect.CLUSTER).sql())
                .endsWith("m.created_at < statement_timestamp() and m.created_at < statement_timestamp()");
    }

    @Test
    void anotherStatementIsNoForm() {
        String listed = text(LOOKUP.sql(1), View.of(SOMEBODY));
        List<String> others = List.of(
                listed.replace("m.name", "m.subject"),
                listed + " and m.outgoing",
                text(INSERT.sql(2), View.of(SOMEBODY)),
                text(INSERT.sql(1), View.of(SOMEBODY)).replace("do nothing", "do update set verdict = 'clear'"));
        assertThat(StatementTexts.unlisted(others, List.of(listed))).isEqualTo(others);
    }

    private static String text(String sql, View view) {
        return SqlTemplate.of(sql, view, SqlDialect.CLUSTER).sql().replaceAll("\\s+", " ");
    }
}
