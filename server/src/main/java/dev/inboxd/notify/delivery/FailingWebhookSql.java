package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Database;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Webhooks whose endpoints fail, over all organizations: an operator's figure, which no caller sees. */
final class FailingWebhookSql {
    private FailingWebhookSql() {}

    /**
     * Enabled webhooks that nothing could be delivered to for a while.
     *
     * @param since when the first of them began to fail; null when none does
     */
    record FailingWebhooks(long number, @Nullable Instant since) {}

    /** The failing webhooks now. Reads the rows of webhooks once, as the look for due deliveries does. */
    static FailingWebhooks read(Database database) {
        return database.read(
                tx -> tx.sqlAcrossTenants("select count(*) as number, min(w.failing_since) as since from webhook w"
                                + " where w.enabled and w.failing_since is not null")
                        .single(row -> new FailingWebhooks(row.longer("number"), row.instantOrNull("since"))));
    }
}
