package dev.inboxd.tenant.review;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;

/**
 * How much of an organization waits for a person.
 *
 * @param drafts that wait for an approval, at most {@link #MOST}
 * @param held messages that the agents do not get, at most {@link #MOST}
 */
public record WaitingTotal(int drafts, int held) {
    /** What is counted of each at most. */
    public static final int MOST = 100;

    /** Bit 16 is that of the label held, as in the index; what is hidden for another reason as well is not shown. */
    private static final String COUNT = """
            select (select count(*) from (
                        select 1 from draft d
                        where d.organization_id = {organization} and d.send_status in ('awaiting_approval', 'sending')
                          and d.send_status = 'awaiting_approval'
                        limit :most) as drafts)::int as drafts,
                   (select count(*) from (
                        select 1 from message m where {m visible} and m.restricted & 16 <> 0 and m.restricted = 16
                        limit :most) as held)::int as held""";

    /** What waits of that which the view shows. */
    public static WaitingTotal of(Tx tx, View view) {
        return tx.sql(view, COUNT)
                .bind("most", MOST)
                .one(row -> new WaitingTotal(row.integer("drafts"), row.integer("held")));
    }
}
