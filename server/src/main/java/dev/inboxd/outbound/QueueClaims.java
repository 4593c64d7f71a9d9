package dev.inboxd.outbound;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.ClaimedRows;
import dev.inboxd.base.job.TakeOver;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Mail that nodes have claimed.
 *
 * @param inProgress what this process is delivering of an organization, which is not released
 */
record QueueClaims(Function<UUID, List<QueueItem>> inProgress) implements TakeOver.Claims {
    private static final ClaimedRows SENDING = new ClaimedRows(
            "outgoing", "submission_recipient", "claimed_by", "due_at", "c.state = 'sending' and c.due_at is not null");

    @Override
    public ClaimedRows rows() {
        return SENDING;
    }

    @Override
    public void release(Tx tx, View all, UUID node) {
        DeliveryQueueSql.release(tx, all, node, inProgress.apply(all.organization()));
    }
}
