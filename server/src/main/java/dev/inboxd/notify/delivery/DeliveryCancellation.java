package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Jobs;
import java.util.UUID;

/**
 * Cancels the deliveries of a webhook.
 *
 * @param jobs deletes the rows in the background
 * @param deliveries drops the deliveries from memory at once
 */
public record DeliveryCancellation(Jobs jobs, DeliveryDispatcher deliveries) {
    /** The job that deletes the waiting deliveries of a webhook that was deleted or disabled. */
    private static final String CANCEL = "webhook.cancel";

    /** Deletes the rows in that database; once, before the jobs start. */
    public void register(Database database) {
        jobs.handle(
                CANCEL,
                (organization, webhook) -> database.write(
                        organization,
                        tx -> DeliverySql.cancel(tx, View.of(organization), webhook)
                                && DeliverySql.forget(tx, View.of(organization), webhook)));
    }

    /**
     * Cancels the waiting deliveries of a webhook that this transaction deletes or disables; takes effect after the
     * commit.
     */
    public void cancel(Tx tx, UUID organization, String id) {
        jobs.add(tx, organization, CANCEL, id);
        tx.afterCommit(() -> deliveries.forget(id));
    }
}
