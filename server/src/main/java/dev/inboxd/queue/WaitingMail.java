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
                select r.submission_id, r.position, r.recipient, r.state, r.attempts - r.held as attempts, r.due_at,
                    r.last_reply, s.created_at, left(m.sender, 512) as sender, left(m.subject, 512) as subject,
                    m.name, m.thread_id, i.address
                from submission_recipient r
                join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
                join message m on m.organization_id = s.organization_id and m.message_id = s.message_id
                join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id
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
                page.slice(rows, each -> Cursor.of(each.due, each.submission, (long) each.position)),
                Waiting::json);
    }

    /**
     * Makes the mail for one recipient due now, on every node; one of another organization is none.
     *
     * @return the number of recipients that are tried now
     */
    public static int retry(Tx tx, UUID organization, UUID submission, int position) {
        return tell(tx, RetrySql.one(tx, View.of(organization), submission, position));
    }

    /**
     * Makes all mail of an organization due now, {@link #MOST} recipients of it at once.
     *
     * @return the number of recipients that are tried now
     */
    public static int retryAll(Tx tx, UUID organization) {
        return tell(tx, RetrySql.next(tx, View.of(organization), MOST));
    }

    private static int tell(Tx tx, List<String> destinations) {
        destinations.stream().distinct().forEach(domain -> tx.signal(RetrySql.CHANNEL, domain));
        return destinations.size();
    }
}
