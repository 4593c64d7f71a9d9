package dev.inboxd.queue;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The mail of an organization that waits to leave, a recipient each, and its next attempt at once. */
public final class WaitingMail {
    /** Recipients that are tried at once. */
    public static final int MOST = 1_000;

    private final Database database;

    /** The queue of a database, over all nodes. */
    public WaitingMail(Database database) {
        this.database = database;
    }

    private record Waiting(Instant due, UUID submission, int position, JsonObject json) {
        static Waiting read(Row row) {
            boolean sending = row.text("state").equals("sending");
            Instant due = row.instant("due_at");
            return new Waiting(
                    due,
                    row.uuid("submission_id"),
                    row.integer("position"),
                    JsonObject.of("submission_id", row.uuid("submission_id"))
                            .with("position", row.integer("position"))
                            .with("recipient", row.text("recipient"))
                            .with("status", row.text("state"))
                            .with("attempt_count", row.integer("attempts"))
                            .with("next_attempt_at", sending ? null : due)
                            .with("is_due", row.flag("is_due"))
                            .with("is_stopped", row.flag("is_stopped"))
                            .with("answer", DeliveryStatuses.answer(row.textOrNull("last_reply")))
                            .with("created_at", row.instant("created_at"))
                            .with("from", row.text("sender"))
                            .with("subject", row.textOrNull("subject"))
                            .with("inbox_id", row.text("address"))
                            .with("message_id", row.text("name"))
                            .with("thread_id", row.uuid("thread_id")));
        }
    }

    /** A page of what waits in a view, the next due first. */
    public JsonObject list(View view, PageRequest page) {
        Cursor after = page.after();
        List<Waiting> rows = database.read(tx -> tx.sql(
                        view,
                        """
                select r.submission_id, r.position, r.recipient, r.state, r.attempts, r.due_at,
                    r.due_at <= {now} as is_due,
                    coalesce(o.sending_stopped_at, p.sending_stopped_at) is not null as is_stopped, r.last_reply,
                    s.created_at, left(m.sender, 512) as sender, left(m.subject, 512) as subject,
                    m.name, m.thread_id, i.address
                from submission_recipient r
                join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
                join message m on m.organization_id = s.organization_id and m.message_id = s.message_id
                join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id
                join pod p on p.organization_id = i.organization_id and p.pod_id = i.pod_id
                join organization o on o.organization_id = r.organization_id
                where {m} and r.organization_id = {organization} and r.due_at is not null
                """
                                + (after == null
                                        ? ""
                                        : " and (r.due_at, r.submission_id, r.position) > (:due, :id, :position)")
                                + " order by r.due_at, r.submission_id, r.position limit :limit")
                .bind("due", after == null ? null : after.instant(0))
                .bind("id", after == null ? null : after.uuid(1))
                .bind("position", after == null ? null : (int) after.number(2))
                .bind("limit", page.fetch())
                .list(Waiting::read));
        return page.listing(
                "waiting",
                page.slice(rows, row -> Cursor.of(row.due, row.submission, (long) row.position)),
                Waiting::json);
    }

    /** A recipient of mail that waits. */
    public record Recipient(UUID submission, int position) {}

    /**
     * How mail stands that waits; what is being sent is in no number.
     *
     * @param waiting recipients whose next attempt is later
     * @param due recipients whose next attempt is due, and waits for its destination or its turn
     * @param stopped recipients that wait for the end of a stop of the organization, or of a pod
     */
    public record Standing(long waiting, long due, long stopped) {}

    /** How the mail of an organization stands, or that for one recipient of it; one of another is none. */
    public static Standing standing(Tx tx, UUID organization, @Nullable Recipient recipient) {
        return RetrySql.standing(tx, View.of(organization), recipient);
    }

    /**
     * Makes the mail for one recipient due now; one of another organization is none. A destination that rests goes on
     * resting: it rests for all who send from here.
     *
     * @return the number of recipients that are due now
     */
    public static int retry(Tx tx, UUID organization, Recipient recipient) {
        return RetrySql.retryRecipient(tx, View.of(organization), recipient);
    }

    /**
     * Makes mail of an organization due now, the next first, in the same way.
     *
     * @param most recipients, up to {@link #MOST}
     * @return the number of recipients that are due now
     */
    public static int retryAll(Tx tx, UUID organization, int most) {
        return RetrySql.next(tx, View.of(organization), Math.min(MOST, most));
    }
}
