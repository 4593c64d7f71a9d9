package dev.inboxd.sending.draft;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** SQL on the schedule of drafts. Only drafts that wait or are being sent have a {@code due_at}. */
final class DraftScheduleSql {
    private static final String CLAIMED = " where {d} and d.draft_id = :draft and d.claimed_by = :claim";

    private DraftScheduleSql() {}

    /** A due draft: for its first attempt, for another one, or because its claim has expired. */
    record DueDraft(UUID organization, UUID draft) {
        View view() {
            return View.of(organization);
        }
    }

    private static final String DUE = """

            from draft d
            join inbox i on i.organization_id = d.organization_id and i.inbox_id = d.inbox_id and not i.deleting
            where d.due_at <= {now}
              and not exists (select from organization o where o.organization_id = %1$s
                              and o.sending_stopped_at is not null)
              and not exists (select from pod p where p.organization_id = %1$s and p.pod_id = d.pod_id
                              and p.sending_stopped_at is not null)""";

    /** Organizations with due drafts; the query locks nothing. */
    static List<UUID> organizationsWithDue(Tx tx) {
        return tx.sqlAcrossTenants(
                        "select distinct d.organization_id" + DUE.formatted("d.organization_id") + " limit 500")
                .list(row -> row.uuid("organization_id"));
    }

    /** The drafts of an organization that are due longest. */
    static List<DueDraft> due(Tx tx, View view, int most) {
        return tx.sql(
                        view,
                        "select d.draft_id" + DUE.formatted("{organization}")
                                + " and {d} order by d.due_at limit :most")
                .bind("most", most)
                .list(row -> new DueDraft(view.organization(), row.uuid("draft_id")));
    }

    /**
     * Claims a due draft for the time of a lease.
     *
     * @return the number of the attempt, or empty when the draft is not due any more
     */
    static Optional<Integer> claim(Tx tx, DueDraft due, UUID claim, Duration lease) {
        return tx.sql(due.view(), """
                update draft d
                set send_status = 'sending', claimed_by = :claim, attempts = d.attempts + 1,
                    due_at = {now} + make_interval(secs => :lease)
                where {d} and d.draft_id = :draft and d.due_at <= {now} returning d.attempts""")
                .bind("draft", due.draft())
                .bind("claim", claim)
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

    /** The organizations with claimed drafts. */
    static List<UUID> claimed(Tx tx) {
        return tx.sqlAcrossTenants("select distinct d.organization_id from draft d where d.claimed_by is not null"
                        + " and d.due_at is not null")
                .list(row -> row.uuid("organization_id"));
    }

    /** Ends all claims of an organization. */
    static int reclaim(Tx tx, View view) {
        return tx.sql(view, "update draft d set due_at = {now} where {d} and d.send_status = 'sending'")
                .run();
    }
}
