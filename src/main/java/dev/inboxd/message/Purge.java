package dev.inboxd.message;

import dev.inboxd.blob.BlobKey;
import dev.inboxd.blob.Blobs;
import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.job.Jobs;
import java.util.List;
import java.util.UUID;

/**
 * Removes what a deleted inbox leaves behind, slice by slice, so that nobody waits long for the organization's clock
 * (architecture §8.1), until nothing of it is left (promise P19).
 */
public final class Purge implements Jobs.Handler {
    private static final int SLICE = 200;

    /** The tables that hold rows of an inbox beside its messages, each removed by a slice of its key. */
    private static final List<String> LEFTOVERS = List.of(
            "update search_run r set live = false, drop_at = {now} where {r} and r.scope_id = :inbox and r.live",
            "delete from thread t where t.organization_id = {organization} and t.thread_id in (select x.thread_id"
                    + " from thread x where x.organization_id = {organization} and x.inbox_id = :inbox limit :slice)",
            "delete from message_reference r where r.organization_id = {organization} and r.inbox_id = :inbox"
                    + " and r.reference in (select x.reference from message_reference x"
                    + " where x.organization_id = {organization} and x.inbox_id = :inbox limit :slice)",
            "with e as (select x.seq from event x where x.organization_id = {organization} and x.inbox_id = :inbox"
                    + " limit :slice), d as (delete from delivery d where d.organization_id = {organization}"
                    + " and d.seq in (select e.seq from e))"
                    + " delete from event v where v.organization_id = {organization}"
                    + " and v.seq in (select e.seq from e)",
            "with s as (select x.submission_id from submission x where x.organization_id = {organization}"
                    + " and x.inbox_id = :inbox limit :slice), r as (delete from submission_recipient r"
                    + " where r.organization_id = {organization}"
                    + " and r.submission_id in (select s.submission_id from s))"
                    + " delete from submission d where d.organization_id = {organization}"
                    + " and d.submission_id in (select s.submission_id from s)");

    private final Database database;
    private final Blobs blobs;

    /** Purges from a database and a blob store. */
    public Purge(Database database, Blobs blobs) {
        this.database = database;
        this.blobs = blobs;
    }

    private record Doomed(UUID message, String blob) {}

    @Override
    public boolean run(UUID organization, String subject) {
        View view = View.of(organization);
        UUID inbox = UUID.fromString(subject);
        List<Doomed> doomed = database.write(organization, tx -> messages(tx, view, inbox));
        // After the commit: a blob without a row is garbage, a row without its blob would be a loss.
        doomed.stream().filter(each -> !each.blob.isEmpty())
                .forEach(each -> blobs.delete(new BlobKey(organization, each.blob)));
        return doomed.isEmpty() && database.write(organization, tx -> leftovers(tx, view, inbox));
    }

    private static List<Doomed> messages(Tx tx, View view, UUID inbox) {
        List<Doomed> doomed = tx.sql(view, "select m.message_id, coalesce(c.blob, '') as blob from message m"
                + " join message_content c on c.organization_id = m.organization_id and c.message_id = m.message_id"
                + " where {m} and m.inbox_id = :inbox limit :slice").bind("inbox", inbox).bind("slice", SLICE)
                .list(row -> new Doomed(row.uuid("message_id"), row.text("blob")));
        if (!doomed.isEmpty()) {
            UUID[] ids = doomed.stream().map(Doomed::message).toArray(UUID[]::new);
            RoundTrip trip = tx.roundTrip();
            for (String table : List.of("search_text", "attachment", "message_content", "message")) {
                trip.change(view, "delete from " + table + " d where d.organization_id = {organization}"
                        + " and d.message_id = any (:ids)", "ids", ids);
            }
            trip.run();
        }
        return doomed;
    }

    /** Whether nothing was left; then the inbox itself goes. */
    private static boolean leftovers(Tx tx, View view, UUID inbox) {
        int removed = 0;
        for (String sql : LEFTOVERS) {
            removed += tx.sql(view, sql).bind("inbox", inbox).bind("slice", SLICE).run();
        }
        if (removed == 0) {
            tx.sql(view, "delete from inbox i where {i} and i.inbox_id = :inbox and i.deleting")
                    .bind("inbox", inbox).run();
        }
        return removed == 0;
    }
}
