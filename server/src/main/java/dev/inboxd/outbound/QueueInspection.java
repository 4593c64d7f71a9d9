package dev.inboxd.outbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Notifications;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.queue.RetrySql;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;

/** The delivery queue as the operator sees it: organizations, recipients and replies, never the content of messages. */
public final class QueueInspection {
    private static final int MAX_ROWS = 1_000;

    private final Database database;

    /** The queue of a database, over all nodes. */
    public QueueInspection(Database database) {
        this.database = database;
    }

    /**
     * The destinations with queued mail, the largest number of recipients first.
     *
     * @return for each domain the number of recipients waiting and being sent, the oldest submission, the next attempt,
     *     and the last reply
     */
    public List<JsonObject> domains() {
        return database.read(tx -> tx.sqlAcrossTenants("""
                select r.destination as domain, count(*) filter (where r.state <> 'sending') as waiting,
                       count(*) filter (where r.state = 'sending') as sending,
                       count(distinct r.organization_id) as organizations, min(s.created_at) as since,
                       min(r.due_at) filter (where r.state <> 'sending') as next_attempt_at,
                       (array_agg(r.last_reply order by r.due_at desc)
                           filter (where r.last_reply is not null))[1] as last_reply
                from submission_recipient r
                join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
                where r.due_at is not null
                group by r.destination order by count(*) desc, r.destination limit :most""")
                .bind("most", MAX_ROWS)
                .list(row -> JsonObject.of("domain", row.text("domain"))
                        .with("waiting", row.longer("waiting"))
                        .with("sending", row.longer("sending"))
                        .with("organizations", row.longer("organizations"))
                        .with("since", row.instant("since"))
                        .with("next_attempt_at", row.instantOrNull("next_attempt_at"))
                        .with("last_reply", row.textOrNull("last_reply"))));
    }

    /** The queued recipients at a domain, the next due first. */
    public List<JsonObject> recipients(String domain) {
        return database.read(tx -> tx.sqlAcrossTenants("""
                select r.recipient, r.organization_id, r.submission_id, r.state, r.attempts, s.created_at, r.due_at,
                       r.last_reply
                from submission_recipient r
                join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
                where r.due_at is not null and r.destination = :domain
                order by r.due_at, r.submission_id, r.position limit :most""")
                .bind("domain", normalize(domain))
                .bind("most", MAX_ROWS)
                .list(QueueInspection::recipient));
    }

    /** One recipient. While it is being sent, its due time is the end of a lease, which is not shown. */
    private static JsonObject recipient(Row row) {
        boolean sending = row.text("state").equals("sending");
        return JsonObject.of("recipient", row.text("recipient"))
                .with("organization_id", row.uuid("organization_id"))
                .with("submission_id", row.uuid("submission_id"))
                .with("state", row.text("state"))
                .with("attempts", row.integer("attempts"))
                .with("since", row.instant("created_at"))
                .with("next_attempt_at", sending ? null : row.instant("due_at"))
                .with("last_reply", row.textOrNull("last_reply"));
    }

    /**
     * Makes the mail for a domain due now, on every node, although the destination is backed off. The mail loses none
     * of its attempts.
     *
     * @return number of recipients that are tried now
     */
    public int retry(String domain) {
        String destination = normalize(domain);
        int recipients = 0;
        for (UUID organization : database.read(tx -> organizationsWaiting(tx, destination))) {
            recipients += database.write(organization, tx -> RetrySql.toDomain(tx, View.of(organization), destination));
        }
        database.<Boolean>writeGlobal(tx -> {
            tx.signal(RetrySql.CHANNEL, destination);
            return true;
        });
        return recipients;
    }

    private static List<UUID> organizationsWaiting(Tx tx, String destination) {
        return tx.sqlAcrossTenants("select distinct r.organization_id from submission_recipient r"
                        + " where r.due_at is not null and r.destination = :domain and r.state = 'queued'")
                .bind("domain", destination)
                .list(row -> row.uuid("organization_id"));
    }

    private static String normalize(String domain) {
        return domain.toLowerCase(Locale.ROOT);
    }

    /** Registers a listener for the domains to be retried, on each node; called before notifications start. */
    public static void onRetry(Notifications signals, Consumer<String> listener) {
        signals.on(RetrySql.CHANNEL, new Notifications.Listener() {
            @Override
            public void notified(String word) {
                listener.accept(word);
            }

            @Override
            public void listening() {
                // After a missed notification the rows are due all the same, and are tried when the destination's
                // back-off ends.
            }
        });
    }
}
