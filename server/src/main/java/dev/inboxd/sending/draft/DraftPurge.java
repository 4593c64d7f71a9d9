package dev.inboxd.sending.draft;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.sending.limit.ExemptRecipients;
import dev.inboxd.tenant.inbox.Inboxes;
import java.util.List;
import java.util.UUID;

/** Deletes the drafts of a deleted inbox slice by slice (decision 0001); no route shows them any more. */
public final class DraftPurge implements Jobs.Handler, Inboxes.DeletionHook {
    /** The kind of the job; its subject is the inbox id. */
    public static final String KIND = "draft.purge";

    private static final int SLICE = 200;

    private final Database database;
    private final Jobs jobs;
    private final DraftFiles files;

    /** A purge of a database and a blob store. */
    public DraftPurge(Database database, Blobs blobs, Jobs jobs) {
        this.database = database;
        this.jobs = jobs;
        this.files = new DraftFiles(database, blobs);
    }

    @Override
    public void deleted(Tx tx, UUID organization, UUID inbox) {
        ExemptRecipients.endAll(tx, organization, inbox);
        jobs.add(tx, organization, KIND, inbox.toString());
    }

    @Override
    public boolean run(UUID organization, String subject) {
        View inbox = View.of(organization).inbox(UUID.fromString(subject));
        Slice slice = database.write(organization, tx -> slice(tx, inbox));
        files.free(organization, slice.files);
        return slice.drafts == 0;
    }

    private record Slice(int drafts, List<DraftFile> files) {}

    private static Slice slice(Tx tx, View inbox) {
        List<UUID> drafts = tx.sql(inbox, "select d.draft_id from draft d where {d} limit :slice")
                .bind("slice", SLICE)
                .list(row -> row.uuid("draft_id"));
        List<DraftFile> files = DraftFileSql.ofDrafts(tx, inbox, drafts).values().stream()
                .flatMap(List::stream)
                .toList();
        RoundTrip trip = tx.roundTrip();
        DraftSql.appendDelete(trip, inbox, drafts);
        trip.run();
        return new Slice(drafts.size(), files);
    }
}
