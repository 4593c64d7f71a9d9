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

    /** Held mail that is looked at: some of it may be spam or in the trash as well. */
    private static final int NEWEST = 2_000;

    /** Bit 16 is that of the label held, as in the index; what is hidden for another reason as well is not shown. */
    private static final String COUNT = """
            select (select count(*) from (
                        select 1 from draft d join inbox i on i.organization_id = {organization}
                                                          and i.inbox_id = d.inbox_id and not i.deleting
                        where {d} and d.created_at >= coalesce(:view_since::timestamptz, '-infinity')
                          and d.send_status in ('awaiting_approval', 'sending')
                          and d.send_status = 'awaiting_approval'
                        limit :most) as drafts)::int as drafts,
                   (select count(*) from (
                        select 1 from (
                            select m.inbox_id, ({m visible} and m.restricted = 16) as shown from message m
                            where {m} and m.restricted & 16 <> 0 order by m.created_at desc limit :newest) as n
                        join inbox i on i.organization_id = {organization} and i.inbox_id = n.inbox_id
                                    and not i.deleting
                        where n.shown limit :most) as held)::int as held""";

    /** What waits of that which the view shows. */
    public static WaitingTotal of(Tx tx, View view) {
        return tx.sql(view, COUNT)
                .bind("newest", NEWEST)
                .bind("most", MOST)
                .single(row -> new WaitingTotal(row.integer("drafts"), row.integer("held")));
    }
}
