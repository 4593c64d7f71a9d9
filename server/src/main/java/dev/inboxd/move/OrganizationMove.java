package dev.inboxd.move;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.database.copy.CopyLock;
import dev.inboxd.base.database.copy.CopyTarget;
import dev.inboxd.base.database.copy.DatabaseCopy;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.base.database.copy.TableLayout;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.job.OrganizationMark;
import dev.inboxd.base.job.OrganizationMark.State;
import dev.inboxd.base.vault.Vault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Moves one organization with its addresses, domains and keys to another installation, while both run. In the target it
 * stands still until the source is marked: at no moment both serve it.
 */
public final class OrganizationMove {
    private static final String PURPOSE = "check value";
    private static final int PASSES = 3;
    private static final Duration UNTIL_HELD = Duration.ofMinutes(15);
    private static final Duration UNTIL_READ_ONLY = Duration.ofMinutes(1);

    private final MovePlace source;
    private final MovePlace target;
    private final Vault vault;
    private final UUID organization;

    /**
     * A move.
     *
     * @param source the installation where the organization is
     * @param target the installation where it will be, of the same version
     * @param vault with the master keys of the target first, and those of the source among or behind them
     */
    public OrganizationMove(MovePlace source, MovePlace target, Vault vault, UUID organization) {
        this.source = source;
        this.target = target;
        this.vault = vault;
        this.organization = organization;
    }

    /**
     * Moves it. Killed anywhere, it is run again and goes on.
     *
     * @throws MoveException when something of it is another organization's in the target, and nothing was written; when
     *     the two places do not fit
     */
    public void run(MoveProgress progress) {
        try (Database from = new Database(source.location(), null);
                Database to = new Database(target.location(), null)) {
            OrganizationMark mark =
                    new MarkChanges(from).marks().organizations().get(organization);
            if (mark == null || mark.state() != State.MOVED) {
                move(from, to, progress);
            } else if (!target.name().equals(mark.movedTo())) {
                throw new MoveException("The organization moved already, to " + mark.movedTo() + ".");
            }
            new MarkChanges(to).unmark(organization);
            progress.step(MoveStep.OPENED);
        }
    }

    /**
     * Lets an organization go on whose move was given up. What of it is in the target stands still there, and the next
     * move goes on with it.
     */
    public static void abandon(Database.Location source, UUID organization) {
        try (Database database = new Database(source, null)) {
            MarkChanges marks = new MarkChanges(database);
            OrganizationMark mark = marks.marks().organizations().get(organization);
            if (mark != null && mark.state() != State.MOVED) {
                marks.unmark(organization);
            }
        }
    }

    private void move(Database from, Database to, MoveProgress progress) {
        MarkChanges marks = new MarkChanges(from);
        try (CopyTarget copy = prepared(from, to);
                MoveBlobs blobs =
                        new MoveBlobs(source.blobs(), target.blobs(), count -> progress.show("blobs: " + count))) {
            progress.step(MoveStep.BEGUN);
            for (int i = 0; i < PASSES; i++) {
                pass(copy, blobs, progress);
            }
            progress.step(MoveStep.COPIED);
            mark(marks, State.HELD, UNTIL_HELD);
            progress.step(MoveStep.HELD);
            pass(copy, blobs, progress);
            mark(marks, State.READ_ONLY, UNTIL_READ_ONLY);
            progress.step(MoveStep.READ_ONLY);
            finish(copy, blobs, progress);
        }
    }

    private void finish(CopyTarget copy, MoveBlobs blobs, MoveProgress progress) {
        try (CopyLock lock = CopyLock.of(source.location(), organization);
                Snapshot last = Snapshot.of(source.location(), organization)) {
            new DatabaseCopy(last, copy, vault).run((table, _, _, _) -> progress.show("rows: " + table));
            blobs.copy(last, organization::equals, true);
            try (Snapshot written = Snapshot.of(target.location(), organization)) {
                List<String> differences = DatabaseCopy.differences(last, written, vault);
                if (!differences.isEmpty()) {
                    throw new MoveException(String.join(" ", differences) + " Nothing has moved; run this again.");
                }
            }
            progress.step(MoveStep.VERIFIED);
            lock.commit(tx -> MarkChanges.mark(tx, organization, new OrganizationMark(State.MOVED, target.name())));
            progress.step(MoveStep.MARKED);
        }
    }

    /** Sees that it fits, and has it stand still in the target before its first row is there. */
    private CopyTarget prepared(Database from, Database to) {
        requireFit(from, to);
        CopyTarget copy;
        try (Snapshot now = Snapshot.of(source.location(), organization)) {
            copy = CopyTarget.into(target.location(), now.migrations());
            try {
                requireNothingTaken(now, copy);
            } catch (RuntimeException conflict) {
                copy.close();
                throw conflict;
            }
        }
        MarkChanges targetMarks = new MarkChanges(to);
        targetMarks.mark(organization, new OrganizationMark(State.READ_ONLY, target.name()));
        if (!targetMarks.awaitAll(UNTIL_READ_ONLY)) {
            copy.close();
            throw new MoveException("A process of the target does not answer: nothing has moved.");
        }
        return copy;
    }

    private void requireFit(Database from, Database to) {
        try (Snapshot snapshot = Snapshot.of(target.location())) {
            Snapshot.Identity identity = snapshot.identity()
                    .orElseThrow(() -> new MoveException("The service was never started on the target."));
            if (!target.blobs().storeId().equals(Optional.of(identity.store()))) {
                throw new MoveException("The target has another blob store: name its own with --to-blob-url.");
            }
            vault.open(PURPOSE, identity.keyCheck());
        }
        boolean isThere = exists(to);
        if (isThere && !new MarkChanges(to).marks().organizations().containsKey(organization)) {
            throw new MoveException("The organization is in the target already.");
        }
        if (!exists(from)) {
            throw new MoveException("There is no organization " + organization + " in the source.");
        }
        String sourceDomain = domain(from);
        if (!sourceDomain.equals(domain(to))) {
            List<String> addresses = addresses(from, sourceDomain);
            if (!addresses.isEmpty()) {
                throw new MoveException("Addresses of the organization are at " + sourceDomain + ", the domain of the"
                        + " source, for which the target takes no mail: " + String.join(", ", addresses));
            }
        }
    }

    private void requireNothingTaken(Snapshot now, CopyTarget copy) {
        List<String> conflicts = new ArrayList<>();
        for (TableLayout table : now.tables()) {
            now.read(table, chunk -> conflicts.addAll(copy.conflicts(table, chunk, organization)));
        }
        if (!conflicts.isEmpty()) {
            throw new MoveException(String.join(" ", conflicts) + " Nothing was written.");
        }
    }

    private void pass(CopyTarget copy, MoveBlobs blobs, MoveProgress progress) {
        try (Snapshot now = Snapshot.of(source.location(), organization)) {
            new DatabaseCopy(now, copy, vault).run((table, _, _, _) -> progress.show("rows: " + table));
            blobs.copy(now, organization::equals, false);
        }
    }

    private void mark(MarkChanges marks, State state, Duration patience) {
        marks.mark(organization, new OrganizationMark(state, target.name()));
        if (!marks.awaitAll(patience)) {
            throw new MoveException("A process of the source did not come to rest within " + patience.toMinutes()
                    + " min. Nothing has moved; run this again.");
        }
    }

    private boolean exists(Database database) {
        return database.read(tx -> tx.sql(View.of(organization), "select 1 as one from organization o where {o}")
                .exists());
    }

    private static String domain(Database database) {
        return database.read(tx -> tx.sql("select i.domain from installation i where i.name = 'inboxd'")
                .single(row -> row.text("domain")));
    }

    private List<String> addresses(Database database, String domain) {
        return database.read(tx -> tx.sql(
                        View.of(organization),
                        "select i.address from inbox i where {i} and right(i.address, length(:at)) = :at limit 20")
                .bind("at", "@" + domain)
                .list(row -> row.text("address")));
    }
}
