package dev.inboxd.notify.webhook;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.job.TakeOver;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Deliveries that nodes have claimed; what this node is posting is not released, whatever its name was. */
record DeliveryClaims(AttemptRunner attempts) implements TakeOver.Claims {
    @Override
    public boolean isHeld(Tx tx, View all, @Nullable UUID node) {
        return DeliverySql.isClaimed(tx, all, node);
    }

    @Override
    public void release(Tx tx, View all, @Nullable UUID node) {
        DeliverySql.release(tx, all, node, attempts.posted(all.organization()));
    }
}
