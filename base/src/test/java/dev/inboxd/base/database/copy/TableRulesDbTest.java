package dev.inboxd.base.database.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.inboxd.base.database.Database;
import dev.inboxd.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a new table or column must be decided about, so that no copy forgets it. */
class TableRulesDbTest {
    /** The columns of octets that nothing seals: hashes, MACs of codes that live for minutes, and what is no secret. */
    private static final Set<String> NOT_SEALED = Set.of(
            "api_key.hash",
            "api_key.public_key",
            "api_key_secret.hash",
            "app_secret.hash",
            "attachment.text",
            "calendar_client_id.body_hash",
            "calendar_feed.hash",
            "calendar_feed_token.hash",
            "connect_link.hash",
            "connect_request.digest",
            "delivery.payload",
            "draft_attachment.raw",
            "message_content.bodies",
            "message_content.raw",
            "message_content.sha256",
            "message_content.shown",
            "message_piece.sha256",
            "message_reference.reference",
            "oauth_grant.client_hash",
            "oauth_grant.code_hash",
            "oidc_code.hash",
            "oidc_code.token_hash",
            "oidc_consent.hash",
            "oidc_token.hash",
            "oidc_transaction.consent_hash",
            "oidc_transaction.cookie_hash",
            "one_time_code.code_mac",
            "passkey.credential_id",
            "passkey.public_key",
            "payment.request_hash",
            "payment_key.key",
            "rate_budget.bucket",
            "redelivery.digest",
            "search_block.content",
            "search_text.content",
            "send_memory.fingerprint",
            "sign_in_code.code_mac",
            "sign_in_key.challenge",
            "sign_in_key.cookie_hash",
            "spam_model.counts",
            "submission.raw",
            "webhook.token_hash");

    private final Database.Location location = TestPostgres.migrated();

    @Test
    void everyTableIsCopiedOrLeftForAReason() {
        Set<String> decided = new TreeSet<>(TableRules.COPIED);
        decided.addAll(TableRules.LEFT.keySet());
        assertThat(decided)
                .isEqualTo(names("select c.relname from pg_class c where c.relkind in ('r', 'p')"
                        + " and c.relnamespace = 'public'::regnamespace and not c.relispartition"));
        assertThat(TableRules.COPIED).doesNotContainAnyElementsOf(TableRules.LEFT.keySet());
    }

    @Test
    void everyColumnOfOctetsIsSealedOrNot() {
        Set<String> decided = new TreeSet<>(SealedColumns.PURPOSES.keySet());
        decided.addAll(NOT_SEALED);
        assertThat(decided)
                .isEqualTo(names("select table_name || '.' || column_name from information_schema.columns"
                        + " where table_schema = 'public' and data_type = 'bytea'"));
        assertThat(SealedColumns.PURPOSES.keySet()).doesNotContainAnyElementsOf(NOT_SEALED);
    }

    @Test
    void everyKeyIsOfTypesThatCanBeRead() {
        try (Snapshot snapshot = Snapshot.of(location)) {
            assertThat(snapshot.tables())
                    .hasSize(TableRules.COPIED.size())
                    .allSatisfy(table -> assertThat(table.key())
                            .isNotEmpty()
                            .allSatisfy(column -> assertThatCode(() -> KeyText.of(column.type(), new byte[16]))
                                    .doesNotThrowAnyException()));
        }
    }

    private Set<String> names(String sql) {
        Set<String> names = new TreeSet<>();
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }
}
