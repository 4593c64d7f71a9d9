package dev.inboxd.mailbox.deletion;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Jobs;
import java.util.List;
import java.util.UUID;

/**
 * Removes the rows and blobs of a deleted inbox in slices, so that no writer waits long for the organization's clock
 * (decision 0001), until nothing of the inbox is left (promise P19).
 */
public final class InboxPurge implements Jobs.Handler {
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
            "delete from thread_claim c where c.organization_id = {organization} and c.claim_id in ("
                    + "select x.claim_id from thread_claim x where x.organization_id = {organization}"
                    + " and x.inbox_id = :inbox limit :slice)",
            "delete from correspondent c where c.organization_id = {organization} and c.inbox_id = :inbox"
                    + " and c.digest in (select x.digest from correspondent x"
                    + " where x.organization_id = {organization} and x.inbox_id = :inbox limit :slice)",
            "delete from inbox_send_count c where c.organization_id = {organization} and (c.inbox_id, c.day) in ("
                    + "select x.inbox_id, x.day from inbox_send_count x where x.organization_id = {organization}"
                    + " and x.inbox_id = :inbox limit :slice)",
            "delete from dropped_message d where d.organization_id = {organization} and (d.inbox_id, d.dropped_id) in ("
                    + "select x.inbox_id, x.dropped_id from dropped_message x"
                    + " where x.organization_id = {organization} and x.inbox_id = :inbox limit :slice)",
            "delete from dropped_count c where c.organization_id = {organization} and (c.inbox_id, c.day) in ("
                    + "select x.inbox_id, x.day from dropped_count x where x.organization_id = {organization}"
                    + " and x.inbox_id = :inbox limit :slice)",
            "with s as (select x.submission_id from submission x where x.organization_id = {organization}"
                    + " and x.inbox_id = :inbox limit :slice), r as (delete from submission_recipient r"
                    + " where r.organization_id = {organization}"
                    + " and r.submission_id in (select s.submission_id from s))"
                    + " delete from submission d where d.organization_id = {organization}"
                    + " and d.submission_id in (select s.submission_id from s)",
            "delete from list_entry l where l.organization_id = {organization}"
                    + " and (l.organization_id, l.direction, l.type, l.owner_id, l.entry) in ("
                    + "select x.organization_id, x.direction, x.type, x.owner_id, x.entry from list_entry x"
                    + " where x.organization_id = {organization} and x.direction in ('send', 'receive', 'reply')"
                    + " and x.type in ('allow', 'block') and x.owner_id = :inbox limit :slice)");

    private final Database database;
    private final Blobs blobs;

    /** Purges from a database and a blob store. */
    public InboxPurge(Database database, Blobs blobs) {
        this.database = database;
        this.blobs = blobs;
    }

    private record DeletedSlice(int messages, List<String> blobs) {
        DeletedSlice {
            blobs = List.copyOf(blobs);
        }
    }

    @Override
    public boolean run(UUID organization, String subject) {
        View view = View.of(organization);
        UUID inbox = UUID.fromString(subject);
        DeletedSlice slice = database.write(organization, tx -> messages(tx, view, inbox));
        slice.blobs.forEach(name -> blobs.delete(new BlobKey(organization, name)));
        return slice.messages == 0 && database.write(organization, tx -> leftovers(tx, view, inbox));
    }

    private static DeletedSlice messages(Tx tx, View view, UUID inbox) {
        List<UUID> ids = tx.sql(
                        view, "select m.message_id from message m where {m} and m.inbox_id = :inbox" + " limit :slice")
                .bind("inbox", inbox)
                .bind("slice", Erasure.SLICE)
                .list(row -> row.uuid("message_id"));
        if (ids.isEmpty()) {
            return new DeletedSlice(0, List.of());
        }
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<String> garbage = Erasure.appendTo(trip, view, ids);
        trip.run();
        return new DeletedSlice(ids.size(), garbage.rows());
    }

    /** Removes a slice of each table. Returns whether nothing was left; then the inbox itself is removed. */
    private static boolean leftovers(Tx tx, View view, UUID inbox) {
        int removed = 0;
        for (String sql : LEFTOVERS) {
            removed += tx.sql(view, sql)
                    .bind("inbox", inbox)
                    .bind("slice", Erasure.SLICE)
                    .run();
        }
        if (removed == 0) {
            tx.sql(view, "delete from inbox i where {i} and i.inbox_id = :inbox and i.deleting")
                    .bind("inbox", inbox)
                    .run();
        }
        return removed == 0;
    }
}
