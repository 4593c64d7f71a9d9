package dev.inboxd.tenant.review;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;

/**
 * How much of an inbox waits.
 *
 * @param inbox its address
 * @param drafts that wait for an approval
 * @param held mail that the agent does not get
 */
public record WaitingCount(String inbox, int drafts, int held) {
    /** Bit 16 is that of the label held, as in the index; what is hidden for another reason as well is not shown. */
    private static final String COUNT = """
            select i.address, sum(w.drafts)::integer as drafts, sum(w.held)::integer as held
            from (select d.inbox_id, 1 as drafts, 0 as held from draft d
                  where d.organization_id = {organization} and d.send_status in ('awaiting_approval', 'sending')
                    and d.send_status = 'awaiting_approval'
                  union all
                  select m.inbox_id, 0, 1 from message m
                  where m.organization_id = {organization} and m.restricted & 16 <> 0 and m.restricted = 16) w
            join inbox i on i.organization_id = {organization} and i.inbox_id = w.inbox_id
            group by i.address order by i.address limit :most""";

    private static final int MOST = 20;

    /** The inboxes of an organization where something waits, at most twenty. */
    public static List<WaitingCount> of(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), COUNT)
                .bind("most", MOST)
                .list(row -> new WaitingCount(row.text("address"), row.integer("drafts"), row.integer("held")));
    }
}
