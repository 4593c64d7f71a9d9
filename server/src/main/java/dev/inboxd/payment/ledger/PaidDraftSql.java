package dev.inboxd.payment.ledger;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;

/** Drafts whose sending is being paid for: nobody changes or sends one until its payment is over (payments.md §8). */
public final class PaidDraftSql {
    private PaidDraftSql() {}

    /** Lets drafts wait for a payment, in the transaction that reserves it. */
    public static void wait(Tx tx, UUID organization, List<UUID> drafts) {
        if (!drafts.isEmpty()) {
            tx.sql(
                            View.of(organization),
                            "update draft d set send_status = 'awaiting_payment', due_at = null"
                                    + " where d.organization_id = {organization} and d.draft_id = any (:ids)")
                    .bind("ids", drafts.toArray(UUID[]::new))
                    .run();
        }
    }

    /** Gives drafts their state back, in the transaction that ends the payment or carries out what it paid for. */
    public static void endWait(Tx tx, UUID organization, List<UUID> drafts) {
        if (!drafts.isEmpty()) {
            tx.sql(View.of(organization), """
                    update draft d
                    set send_status = case when d.approval = 'awaiting' then 'awaiting_approval'
                                           when d.send_error is not null then 'failed'
                                           when d.send_at is not null then 'scheduled' end,
                        due_at = case when d.send_error is null and d.approval is distinct from 'awaiting'
                                      then d.send_at end
                    where d.organization_id = {organization} and d.draft_id = any (:ids)
                      and d.send_status = 'awaiting_payment'""")
                    .bind("ids", drafts.toArray(UUID[]::new))
                    .run();
        }
    }
}
