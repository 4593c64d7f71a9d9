package dev.inboxd.server.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is old is found by an index of its time, however large the table is. */
class RetentionPlansDbTest {
    /** Tables that are read whole: their rows are bounded by people, inboxes and days, not by mail. */
    private static final Set<String> SMALL = Set.of(
            "calendar_deletion",
            "connect_request",
            "console_session",
            "dropped_count",
            "inbox_send_count",
            "oidc_consent",
            "send_count",
            "sign_in_code",
            "sign_in_key");

    /** The plan when reading the whole table is out of the question, as with many rows. */
    private static String plan(Statement statement, String sql) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("explain (costs off) " + sql)) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        }
        return String.join("\n", lines);
    }

    private static String indexes(Statement statement, String table) throws SQLException {
        try (ResultSet rows = statement.executeQuery("select string_agg(i.indexdef, ' ') from pg_indexes i"
                + " where i.schemaname = 'public' and i.tablename = '" + table + "'")) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    @Test
    void theOldestRowsComeFromAnIndexInTheirOrder() throws SQLException {
        Database.Location location = TestPostgres.migrated();
        List<String> whole = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                Statement statement = connection.createStatement()) {
            statement.execute("set enable_seqscan = off");
            statement.execute("set enable_sort = off");
            statement.execute("set enable_bitmapscan = off");
            for (RetentionRule rule : RetentionRule.USUAL) {
                String first = "using btree (" + rule.since().replace("d.", "");
                if (!indexes(statement, rule.table()).toLowerCase(Locale.ROOT).contains(first)) {
                    whole.add(rule.table());
                    continue;
                }
                assertThat(plan(
                                statement,
                                rule.oldest(5_000)
                                        .replace("{now}", "statement_timestamp()")
                                        .replace(":kept", "86400")))
                        .contains(" on " + rule.table() + " d")
                        .contains("Index Cond");
            }
        }
        assertThat(whole).containsExactlyInAnyOrderElementsOf(SMALL);
    }
}
