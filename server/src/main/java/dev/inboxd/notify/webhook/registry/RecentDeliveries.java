package dev.inboxd.notify.webhook.registry;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The newest deliveries of a webhook.
 *
 * @param all how many there are, at most ten
 * @param failing how many of them were given up, or failed and are tried again
 */
public record RecentDeliveries(int all, int failing) {
    private static final String SQL = """
            select w.webhook_id, count(l.seq) as total,
                   count(d.seq) filter (where d.failed_at is not null or d.attempts > 0) as failing
            from webhook w
            left join lateral (
                select x.seq from (
                    (select a.seq from delivery_attempt a where {a} and a.webhook_id = w.webhook_id
                     group by a.seq order by a.seq desc limit 10)
                    union
                    (select n.seq from delivery n where {n} and n.webhook_id = w.webhook_id
                     order by n.seq desc limit 10)) as x
                order by x.seq desc limit 10) as l on true
            left join delivery d on d.organization_id = w.organization_id and d.webhook_id = w.webhook_id
                                and d.seq = l.seq
            where {w} and w.webhook_id = any (:webhooks)
            group by w.webhook_id""";

    /** Those of some webhooks, by their ids. */
    public static Map<String, RecentDeliveries> of(Tx tx, View all, Collection<String> webhooks) {
        Map<String, RecentDeliveries> byWebhook = new HashMap<>();
        tx.sql(all, SQL)
                .bind("webhooks", webhooks.toArray(String[]::new))
                .list(row -> byWebhook.put(
                        row.text("webhook_id"), new RecentDeliveries(row.integer("total"), row.integer("failing"))));
        return byWebhook;
    }
}
