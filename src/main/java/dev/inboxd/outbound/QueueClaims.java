package dev.inboxd.outbound;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.job.TakeOver;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Mail that nodes have claimed.
 *
 * @param inProgress what this process is delivering of an organization, which is not released
 */
record QueueClaims(Function<UUID, List<QueueItem>> inProgress) implements TakeOver.Claims {
    @Override
    public boolean isHeld(Tx tx, View all, @Nullable UUID node) {
        return tx.sql(
                        all,
                        "select 1 as one from submission_recipient r where r.organization_id = {organization}"
                                + " and r.due_at is not null and r.state = 'sending'"
                                + " and (:node::uuid is null or r.claimed_by = :node) limit 1")
                .bind("node", node)
                .first(row -> row.integer("one"))
                .isPresent();
    }

    @Override
    public void release(Tx tx, View all, @Nullable UUID node) {
        DeliveryQueueSql.release(tx, all, node, inProgress.apply(all.organization()));
    }
}
