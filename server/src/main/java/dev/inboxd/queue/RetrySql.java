package dev.inboxd.queue;

import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import org.jspecify.annotations.Nullable;

/**
 * Makes queued mail due now, although its destination is backed off. The mail loses none of its attempts, and what was
 * held up here is counted already.
 */
public final class RetrySql {
    /** Tells the nodes of a domain whose rest the operator ends. */
    public static final String CHANNEL = "inboxd_outgoing";

    private static final String CHANGE = """
            update submission_recipient r set due_at = {now},
                held = r.held + (r.attempts > r.held)::integer
            where r.organization_id = {organization} and r.state = 'queued' and r.due_at > {now}""";

    private static final String STANDING = """
            select count(*) filter (where w.queued and w.later and not w.stopped) as waiting,
                count(*) filter (where w.queued and not w.later and not w.stopped) as due,
                count(*) filter (where w.queued and w.stopped) as stopped
            from (
                select r.state = 'queued' as queued, r.due_at > {now} as later,
                    coalesce(o.sending_stopped_at, p.sending_stopped_at) is not null as stopped
                from submission_recipient r
                join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
                join inbox i on i.organization_id = s.organization_id and i.inbox_id = s.inbox_id
                join pod p on p.organization_id = i.organization_id and p.pod_id = i.pod_id
                join organization o on o.organization_id = r.organization_id
                where r.organization_id = {organization} and r.due_at is not null""";

    private RetrySql() {}

    /** The mail for a domain; returns the number of its recipients. */
    public static int toDomain(Tx tx, View all, String domain) {
        return tx.sql(all, CHANGE + " and r.destination = :domain")
                .bind("domain", domain)
                .run();
    }

    /** How the mail of an organization stands, or that for one recipient of it. */
    static WaitingMail.Standing standing(Tx tx, View all, WaitingMail.@Nullable Recipient recipient) {
        return named(
                        tx.sql(
                                all,
                                STANDING
                                        + (recipient == null
                                                ? ""
                                                : " and r.submission_id = :id and r.position = :position")
                                        + ") w"),
                        recipient)
                .single(row ->
                        new WaitingMail.Standing(row.longer("waiting"), row.longer("due"), row.longer("stopped")));
    }

    /** The mail for one recipient; returns 0 when it does not wait. */
    static int retryRecipient(Tx tx, View all, WaitingMail.Recipient recipient) {
        return named(tx.sql(all, CHANGE + " and r.submission_id = :id and r.position = :position"), recipient)
                .run();
    }

    private static Statement named(Statement statement, WaitingMail.@Nullable Recipient recipient) {
        return recipient == null
                ? statement
                : statement.bind("id", recipient.submission()).bind("position", recipient.position());
    }

    /** What is due next of the mail of an organization, but for pods that are stopped. */
    static int next(Tx tx, View all, int most) {
        return tx.sql(all, CHANGE + """
                 and (r.submission_id, r.position) in (
                    select x.submission_id, x.position from submission_recipient x
                    join submission s on s.organization_id = x.organization_id and s.submission_id = x.submission_id
                    join inbox i on i.organization_id = s.organization_id and i.inbox_id = s.inbox_id
                    join pod p on p.organization_id = i.organization_id and p.pod_id = i.pod_id
                    where x.organization_id = {organization} and x.state = 'queued' and x.due_at > {now}
                        and p.sending_stopped_at is null
                    order by x.due_at limit :most)""").bind("most", most).run();
    }
}
