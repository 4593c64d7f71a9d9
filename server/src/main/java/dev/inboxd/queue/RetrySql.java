package dev.inboxd.queue;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;

/**
 * Makes queued mail due now, although its destination is backed off. The mail loses none of its attempts, and what was
 * held up here is counted already.
 */
public final class RetrySql {
    /** Tells the nodes of a domain that is to be tried now. */
    public static final String CHANNEL = "inboxd_outgoing";

    private static final String CHANGE = """
            update submission_recipient r set due_at = {now},
                held = r.held + (r.attempts > r.held)::integer
            where r.organization_id = {organization} and r.state = 'queued' and r.due_at > {now}""";

    private RetrySql() {}

    /** The mail for a domain; returns the number of its recipients. */
    public static int toDomain(Tx tx, View all, String domain) {
        return tx.sql(all, CHANGE + " and r.destination = :domain")
                .bind("domain", domain)
                .run();
    }

    /** The mail for one recipient; returns its domain, or nothing when it does not wait. */
    static List<String> one(Tx tx, View all, UUID submission, int position) {
        return tx.sql(all, CHANGE + " and r.submission_id = :id and r.position = :position returning r.destination")
                .bind("id", submission)
                .bind("position", position)
                .list(row -> row.text("destination"));
    }

    /** What is due next of the mail of an organization; returns the domain of each recipient. */
    static List<String> next(Tx tx, View all, int most) {
        return tx.sql(all, CHANGE + """
                 and (r.submission_id, r.position) in (
                    select x.submission_id, x.position from submission_recipient x
                    where x.organization_id = {organization} and x.state = 'queued' and x.due_at > {now}
                    order by x.due_at limit :most)
                returning r.destination""").bind("most", most).list(row -> row.text("destination"));
    }
}
