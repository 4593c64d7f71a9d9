package dev.inboxd.move;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.copy.CopyLock;
import dev.inboxd.base.database.copy.CopyTarget;
import dev.inboxd.base.database.copy.DatabaseCopy;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.job.Marks;
import dev.inboxd.base.vault.Vault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Moves a whole installation into an empty database. Killed anywhere, it is run again with the same places and goes on.
 * The source is marked as moved in a committed transaction before a service can start on the target.
 */
public final class MoveRun {
    /** What the processes of the source hold for it, and the target after it. */
    static final String REASON = "move";

    private static final String PURPOSE = "check value";
    private static final int PASSES = 4;
    /** A pass that wrote less is soon repeated, in the minutes in which nothing is written. */
    private static final long LITTLE = 64L << 20;
    /** An attempt to deliver a large message to a slow server may take so long. */
    private static final Duration UNTIL_HELD = Duration.ofMinutes(15);

    private static final Duration UNTIL_READ_ONLY = Duration.ofMinutes(1);

    private final MovePlace source;
    private final MovePlace target;
    private final Vault vault;
    private final MoveProgress progress;

    /**
     * A move.
     *
     * @param source the installation as it is
     * @param target an empty database, and a store that is empty or the source's
     * @param vault with the master keys of the target first, and those of the source among or behind them
     */
    public MoveRun(MovePlace source, MovePlace target, Vault vault, MoveProgress progress) {
        this.source = source;
        this.target = target;
        this.vault = vault;
        this.progress = progress;
    }

    /**
     * Moves it. What fails leaves the source as it is then, held or not; {@link #abandon} lets it go on.
     *
     * @param isHeld whether what is due stays held in the target until an operator resumes
     * @throws MoveException when the two places do not fit, or are not the same in the end
     * @throws dev.inboxd.base.database.copy.CopyException when the target's database is not empty
     */
    public void run(boolean isHeld) {
        try (Database database = new Database(source.location(), null)) {
            MarkChanges marks = new MarkChanges(database);
            String moved = marks.marks().movedTo();
            if (moved == null) {
                move(marks);
            } else if (!moved.equals(target.name())) {
                throw new MoveException("The source moved already, to " + moved + ".");
            }
            open();
        }
        progress.step(MoveStep.OPENED);
        if (!isHeld) {
            resume();
            progress.step(MoveStep.RESUMED);
        }
    }

    /** Lets a source go on whose move was given up; nothing happens to one that moved, or was held by its operator. */
    public static void abandon(Database.Location source) {
        try (Database database = new Database(source, null)) {
            MarkChanges marks = new MarkChanges(database);
            Marks now = marks.marks();
            if (now.movedTo() == null) {
                marks.readOnly(false);
                if (isOurs(now.hold())) {
                    marks.resume();
                }
            }
        }
    }

    private static boolean isOurs(Marks.@Nullable Hold hold) {
        return hold != null && hold.reason().equals(REASON);
    }

    private void move(MarkChanges marks) {
        Snapshot.Identity identity;
        List<String> migrations;
        try (Snapshot now = Snapshot.of(source.location())) {
            identity = now.identity()
                    .orElseThrow(() -> new MoveException(
                            "The service was never started on the source: there is nothing" + " to move."));
            migrations = now.migrations();
        }
        vault.open(PURPOSE, identity.keyCheck()); // or the secrets could not be sealed anew
        try (CopyTarget copy = CopyTarget.begin(target.location(), mark(identity.id()), migrations)) {
            UUID store = new TargetStore(target.blobs()).claim(copy.id(), identity.store());
            try (MoveBlobs blobs = store.equals(identity.store())
                    ? null
                    : new MoveBlobs(source.blobs(), target.blobs(), count -> progress.show("blobs: " + count))) {
                move(marks, copy, blobs, store);
            }
        }
    }

    private void move(MarkChanges marks, CopyTarget copy, @Nullable MoveBlobs blobs, UUID store) {
        progress.step(MoveStep.BEGUN);
        for (int pass = 0; pass < PASSES && pass(copy, blobs) > LITTLE; pass++) {
            progress.show("another pass");
        }
        progress.step(MoveStep.COPIED);
        marks.hold(REASON);
        await(marks, UNTIL_HELD, "mail or webhooks were still on their way");
        progress.step(MoveStep.HELD);
        pass(copy, blobs);
        marks.readOnly(true);
        await(marks, UNTIL_READ_ONLY, "something was still being written");
        progress.step(MoveStep.READ_ONLY);
        finish(copy, blobs, store);
    }

    /** The last pass, the comparison and the mark of the source, with everybody kept from writing. */
    private void finish(CopyTarget copy, @Nullable MoveBlobs blobs, UUID store) {
        try (CopyLock lock = CopyLock.of(source.location());
                Snapshot last = Snapshot.of(source.location())) {
            write(last, copy);
            if (blobs != null) {
                blobs.copy(last, _ -> true, true);
            }
            progress.show("comparing");
            try (Snapshot written = Snapshot.of(target.location())) {
                List<String> differences = DatabaseCopy.differences(last, written, vault);
                if (!differences.isEmpty()) {
                    throw new MoveException(String.join(" ", differences) + " Nothing has moved; run this again.");
                }
            }
            progress.step(MoveStep.VERIFIED);
            copy.migrate();
            recordArrival(store);
            progress.step(MoveStep.SETTLED);
            lock.commit(tx -> MarkChanges.moved(tx, target.name()));
            progress.step(MoveStep.MARKED);
        }
    }

    private long pass(CopyTarget copy, @Nullable MoveBlobs blobs) {
        try (Snapshot now = Snapshot.of(source.location())) {
            long written = write(now, copy);
            if (blobs != null) {
                blobs.copy(now, _ -> true, false);
            }
            return written;
        }
    }

    private long write(Snapshot rows, CopyTarget copy) {
        long[] done = {0};
        return new DatabaseCopy(rows, copy, vault).run((table, added, _, _) -> {
            done[0] += added;
            progress.show("rows: " + table + ", " + done[0]);
        });
    }

    private static void await(MarkChanges marks, Duration patience, String why) {
        if (!marks.awaitAll(patience)) {
            throw new MoveException("A process of the source did not come to rest within " + patience.toMinutes()
                    + " min: " + why + ". Nothing has moved; run this again.");
        }
    }

    /** The target is held, as the source was, and belongs to its own store. */
    private void recordArrival(UUID store) {
        try (Database database = new Database(target.location(), null)) {
            database.runTransient(tx -> {
                MarkChanges.arrived(tx, REASON);
                tx.sql("update installation set store_id = :store, store_marked = true, backup_id = null,"
                                + " backup_until = null where name = 'inboxd'")
                        .bind("store", store)
                        .run();
            });
        }
    }

    /** Lets services start on the target. The source is marked, so everything was settled before. */
    private void open() {
        Optional<String> begun = CopyTarget.begun(target.location());
        if (begun.isEmpty()) {
            return;
        }
        List<String> migrations;
        try (Snapshot now = Snapshot.of(target.location())) {
            migrations = now.migrations();
        }
        try (CopyTarget copy = CopyTarget.begin(target.location(), begun.get(), migrations)) {
            copy.complete();
        }
    }

    private void resume() {
        try (Database database = new Database(target.location(), null)) {
            MarkChanges marks = new MarkChanges(database);
            if (isOurs(marks.marks().hold())) {
                marks.resume();
            }
        }
    }

    private static String mark(UUID installation) {
        return "move of " + installation;
    }
}
