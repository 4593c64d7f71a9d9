package dev.inboxd.mailbox.deletion;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;

/** Deletes all mail of an organization, slice by slice (decision 0001); its inboxes stay. */
public final class OrganizationErasure {
    private final Database database;
    private final Blobs blobs;

    /** Deletes from a database and a blob store. */
    public OrganizationErasure(Database database, Blobs blobs) {
        this.database = database;
        this.blobs = blobs;
    }

    private record DeletedSlice(int messages, List<String> blobs) {
        DeletedSlice {
            blobs = List.copyOf(blobs);
        }
    }

    /** Deletes some messages, and says how many; none when none are left. */
    public int slice(UUID organization) {
        DeletedSlice slice = database.write(organization, tx -> slice(tx, View.of(organization)));
        slice.blobs.forEach(name -> blobs.delete(new BlobKey(organization, name)));
        return slice.messages;
    }

    private static DeletedSlice slice(Tx tx, View all) {
        List<UUID> ids = tx.sql(
                        all, "select m.message_id from message m where m.organization_id = {organization} limit :slice")
                .bind("slice", Erasure.SLICE)
                .list(row -> row.uuid("message_id"));
        if (ids.isEmpty()) {
            return new DeletedSlice(0, List.of());
        }
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<String> garbage = Erasure.appendTo(trip, all, ids);
        trip.run();
        return new DeletedSlice(ids.size(), garbage.rows());
    }
}
