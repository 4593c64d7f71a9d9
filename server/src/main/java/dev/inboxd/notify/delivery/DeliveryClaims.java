package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.ClaimedRows;
import dev.inboxd.base.job.TakeOver;
import java.util.UUID;

/** Deliveries that nodes have claimed; what this node is posting is not released, whatever its name was. */
record DeliveryClaims(AttemptRunner attempts) implements TakeOver.Claims {
    @Override
    public ClaimedRows rows() {
        return DeliverySql.CLAIMED;
    }

    @Override
    public void release(Tx tx, View all, UUID node) {
        DeliverySql.release(tx, all, node, attempts.posted(all.organization()));
    }
}
