package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the runs that nobody reads any more: small ones of all organizations together. It takes no clock: nobody waits
 * for it, and it waits for nobody; it is no change that anyone is told of.
 */
final class SegmentCleanup {
    /** A run of so many documents or fewer goes at once, and a larger one by slices of its blocks. */
    private static final int SMALL = 256;
    /** How many documents the runs that go together have. */
    private static final int TOGETHER = 2_000;

    private static final int MOST = 500;
    private static final int SLICE = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(SegmentCleanup.class);

    /**
     * The rows of runs are locked before their blocks are looked at: who writes on in one, or removes it too, locks it as
     * well, so no block is left without its run.
     */
    private static final RowStatement<ObsoleteSegment> LOCK = RowStatement.of(
            "select {tenant}r.scope_id, r.run, r.documents"
                    + " from {rows} as w join search_run r on {r} and r.scope_id = w.scope and r.run = w.run"
                    + " where not r.live for update of r skip locked",
            naming());

    private static final RowStatement<ObsoleteSegment> REMOVE_BLOCKS = RowStatement.of(
            "delete from search_block b using {rows} as w" + " where {b} and b.scope_id = w.scope and b.run = w.run",
            naming());

    private static final RowStatement<ObsoleteSegment> REMOVE = RowStatement.of(
            "delete from search_run r using {rows} as w" + " where {r} and r.scope_id = w.scope and r.run = w.run",
            naming());

    private static final String REMOVE_SLICE = """
            with gone as materialized (
                select x.key, x.part from search_block x where {x} and x.scope_id = :scope and x.run = :run limit :slice)
            delete from search_block b using gone g
            where {b} and b.scope_id = :scope and b.run = :run and b.key = g.key and b.part = g.part""";

    private final Database database;
    private final BooleanSupplier closing;

    /**
     * A sweep of all organizations.
     *
     * @param closing tells when to leave the rest to the next start
     */
    SegmentCleanup(Database database, BooleanSupplier closing) {
        this.database = database;
        this.closing = closing;
    }

    private static List<RowStatement.Column<ObsoleteSegment>> naming() {
        return List.of(
                RowStatement.uuid("scope", ObsoleteSegment::scope),
                RowStatement.bigint("run", ObsoleteSegment::number));
    }

    /** A run that waits for its removal. */
    private record ObsoleteSegment(UUID organization, UUID scope, long number, int documents) {
        boolean isSmall() {
            return documents <= SMALL;
        }
    }

    /** Removes what is due, but for the runs that another node is removing. */
    void run() {
        boolean more = true;
        while (more && !closing.getAsBoolean()) {
            List<ObsoleteSegment> due = database.read(SegmentCleanup::due);
            int removed = 0;
            for (List<ObsoleteSegment> some : portions(due)) {
                removed += closing.getAsBoolean() ? 0 : removeOrLater(some);
            }
            more = due.size() == MOST && removed > 0;
        }
    }

    private static List<ObsoleteSegment> due(Tx tx) {
        return tx.sqlAcrossTenants("select r.organization_id, r.scope_id, r.run, r.documents from search_run r"
                        + " where r.drop_at <= {now} order by r.drop_at limit :limit")
                .bind("limit", MOST)
                .list(row -> new ObsoleteSegment(
                        row.uuid("organization_id"),
                        row.uuid("scope_id"),
                        row.longer("run"),
                        row.integer("documents")));
    }

    /** What goes together: as many small ones as fit, or a large one alone. */
    private static List<List<ObsoleteSegment>> portions(List<ObsoleteSegment> due) {
        List<List<ObsoleteSegment>> portions = new ArrayList<>();
        List<ObsoleteSegment> small = new ArrayList<>();
        int documents = 0;
        for (ObsoleteSegment run : due) {
            if (!run.isSmall()) {
                portions.add(List.of(run));
                continue;
            }
            if (documents + run.documents > TOGETHER) {
                portions.add(small);
                small = new ArrayList<>();
                documents = 0;
            }
            small.add(run);
            documents += run.documents;
        }
        portions.add(small);
        return portions;
    }

    /** One organization's fault must not keep the runs of the others. */
    private int removeOrLater(List<ObsoleteSegment> runs) {
        try {
            return remove(runs);
        } catch (RuntimeException failure) {
            Map<UUID, List<ObsoleteSegment>> own = byOrganization(runs);
            if (own.size() > 1 && !DatabaseFailure.isRetryable(failure)) {
                return own.values().stream().mapToInt(this::removeOrLater).sum();
            }
            LOG.warn("Replaced runs of {} are removed later: {}", own.keySet(), failure.toString());
            return 0;
        }
    }

    /** Returns how many are gone. */
    private int remove(List<ObsoleteSegment> runs) {
        if (runs.isEmpty()) {
            return 0;
        }
        return runs.getFirst().isSmall()
                ? database.writeGlobal(tx -> removeSmall(tx, runs))
                : removeLarge(runs.getFirst());
    }

    private static int removeSmall(Tx tx, List<ObsoleteSegment> runs) {
        Map<UUID, RoundTrip.Result<ObsoleteSegment>> locked = new HashMap<>();
        tx.acrossTenants(
                byOrganization(runs), (trip, view, some) -> locked.put(view.organization(), lock(trip, view, some)));
        tx.acrossTenants(locked, (trip, view, ours) -> {
            trip.change(view, REMOVE_BLOCKS, ours.rows());
            trip.change(view, REMOVE, ours.rows());
        });
        return locked.values().stream().mapToInt(ours -> ours.rows().size()).sum();
    }

    private int removeLarge(ObsoleteSegment run) {
        int blocks = SLICE;
        while (blocks == SLICE && !closing.getAsBoolean()) {
            blocks = database.writeGlobal(tx -> removeSlice(tx, run));
        }
        return blocks < 0 ? 0 : 1;
    }

    /** How many blocks went, and the run with the last of them; -1 when it is another node's. */
    private static int removeSlice(Tx tx, ObsoleteSegment run) {
        View view = View.of(run.organization);
        RoundTrip opening = tx.roundTrip();
        RoundTrip.Result<ObsoleteSegment> ours = lock(opening, view, List.of(run));
        opening.run();
        if (ours.rows().isEmpty()) {
            return -1;
        }
        int blocks = tx.sql(view, REMOVE_SLICE)
                .bind("scope", run.scope)
                .bind("run", run.number)
                .bind("slice", SLICE)
                .run();
        if (blocks < SLICE) {
            RoundTrip last = tx.roundTrip();
            last.change(view, REMOVE, List.of(run));
            last.run();
        }
        return blocks;
    }

    private static RoundTrip.Result<ObsoleteSegment> lock(RoundTrip trip, View view, List<ObsoleteSegment> runs) {
        return trip.query(
                view,
                LOCK,
                runs,
                row -> new ObsoleteSegment(
                        view.organization(), row.uuid("scope_id"), row.longer("run"), row.integer("documents")));
    }

    private static Map<UUID, List<ObsoleteSegment>> byOrganization(List<ObsoleteSegment> runs) {
        return runs.stream().collect(Collectors.groupingBy(ObsoleteSegment::organization));
    }
}
