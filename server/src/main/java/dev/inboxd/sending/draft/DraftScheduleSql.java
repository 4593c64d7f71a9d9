package dev.inboxd.sending.draft;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.ClaimedRows;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** SQL on the schedule of drafts. Only drafts that wait or are being sent have a {@code due_at}. */
final class DraftScheduleSql {
    private static final String CLAIMED = " where {d} and d.draft_id = :draft and d.claimed_by = :claim";

    private DraftScheduleSql() {}

    /**
     * Who claims a draft.
     *
     * @param attempt the attempt, whose message is stored only as long as the claim is valid
     * @param node the node that makes it
     */
    record Claim(UUID attempt, UUID node) {}

    /** A due draft: for its first attempt, for another one, or because its claim has expired. */
    record DueDraft(UUID organization, UUID draft) {
        View view() {
            return View.of(organization);
        }
    }

    private static final String DUE = """

            from draft d
            join inbox i on i.organization_id = {organization} and i.inbox_id = d.inbox_id and not i.deleting
            where d.organization_id = {organization} and d.due_at is not null
              and not exists (select from organization o where o.organization_id = {organization}
                              and o.sending_stopped_at is not null)
              and not exists (select from pod p where p.organization_id = {organization} and p.pod_id = d.pod_id
                              and p.sending_stopped_at is not null)""";

    /** When the next draft of an organization is due, without what waits for the end of a stop. */
    static final String NEXT = "select d.due_at" + DUE + " order by d.due_at limit 1";

    /** The drafts that nodes are sending. */
    static final ClaimedRows HELD = new ClaimedRows(
            "drafts", "draft", "node_id", "due_at", "c.claimed_by is not null and c.due_at is not null");

    /** The drafts of an organization that are due longest. */
    static List<DueDraft> due(Tx tx, View view, int most) {
        return tx.sql(view, "select d.draft_id" + DUE + " and {d} and d.due_at <= {now} order by d.due_at limit :most")
                .bind("most", most)
                .list(row -> new DueDraft(view.organization(), row.uuid("draft_id")));
    }

    /**
     * Claims a due draft for the time of a lease.
     *
     * @return the number of the attempt, or empty when the draft is not due any more
     */
    static Optional<Integer> claim(Tx tx, DueDraft due, Claim by, Duration lease) {
        return tx.sql(due.view(), """
                update draft d
                set send_status = 'sending', claimed_by = :claim, node_id = :node, attempts = d.attempts + 1,
                    due_at = {now} + make_interval(secs => :lease)
                where {d} and d.draft_id = :draft and d.due_at <= {now} returning d.attempts""")
                .bind("draft", due.draft())
                .bind("claim", by.attempt)
                .bind("node", by.node)
                .bind("lease", lease.toSeconds())
                .first(row -> row.integer("attempts"));
    }

    /** Marks a claimed draft as failed; it is not sent before it gets a new send time. */
    static int fail(Tx tx, DueDraft due, UUID claim, String why) {
        return tx.sql(
                        due.view(),
                        "update draft d set send_status = 'failed', claimed_by = null, due_at = null,"
                                + " send_error = :why" + CLAIMED)
                .bind("why", why)
                .bind("draft", due.draft())
                .bind("claim", claim)
                .run();
    }

    /** Returns a claimed draft to the schedule. */
    static int postpone(Tx tx, DueDraft due, UUID claim, Duration wait) {
        return tx.sql(
                        due.view(),
                        "update draft d set send_status = 'scheduled', claimed_by = null,"
                                + " due_at = {now} + make_interval(secs => :wait)" + CLAIMED)
                .bind("draft", due.draft())
                .bind("claim", claim)
                .bind("wait", wait.toSeconds())
                .run();
    }

    /** Makes the drafts that a node was sending due now. */
    static void release(Tx tx, View all, UUID node) {
        tx.sql(
                        all,
                        "update draft d set due_at = {now} where {d} and d.node_id = :node"
                                + " and d.claimed_by is not null and d.due_at is not null")
                .bind("node", node)
                .run();
    }
}
