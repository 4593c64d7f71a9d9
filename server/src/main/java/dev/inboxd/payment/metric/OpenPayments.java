package dev.inboxd.payment.metric;

import dev.inboxd.base.database.Database;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Payments that need a look, over all organizations: an operator's figures, which no caller sees.
 *
 * @param open those without an outcome, counted up to 10,000
 * @param since when the first of them began; null when there is none
 * @param owed those that were paid for what could not be done, counted up to 10,000
 */
public record OpenPayments(long open, @Nullable Instant since, long owed) {
    private static final int MOST = 10_000;

    /** The payments now; reads the part of their rows that has no good end. */
    public static OpenPayments read(Database database) {
        return database.read(tx -> tx.sqlAcrossTenants("""
                        select count(*) filter (where q.state <> 'owed') as open,
                            min(q.created_at) filter (where q.state <> 'owed') as since,
                            count(*) filter (where q.state = 'owed') as owed
                        from (select p.state, p.created_at from payment p
                            where p.state in ('reserved', 'settling', 'owed') limit :most) as q""")
                .bind("most", MOST)
                .single(row -> new OpenPayments(row.longer("open"), row.instantOrNull("since"), row.longer("owed"))));
    }
}
