package dev.inboxd.mailbox.search.merge;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
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
 * Removes replaced segments that no search reads any more, small ones of all organizations together. It takes no
 * organization's clock, so it delays no writer and waits for none; removals raise no events.
 */
final class SegmentCleanup {
    /** A segment of up to this many documents is removed at once, a larger one in slices of its blocks. */
    private static final int SMALL = 256;
    /** Documents of the segments that are removed together. */
    private static final int TOGETHER = 2_000;

    private static final int MOST = 500;
    private static final int SLICE = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(SegmentCleanup.class);

    /**
     * The segment rows are locked before their blocks are read. A writer or remover of a segment takes the same lock,
     * so no block is left without its segment.
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
                select x.key, x.part from search_block x
                where {x} and x.scope_id = :scope and x.run = :run limit :slice)
            delete from search_block b using gone g
            where {b} and b.scope_id = :scope and b.run = :run and b.key = g.key and b.part = g.part""";

    private final Database database;
    private final BooleanSupplier closing;

    /**
     * Cleans up all organizations.
     *
     * @param closing whether to leave the rest to the next start
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

    /** A segment that is due for removal. */
    private record ObsoleteSegment(UUID organization, UUID scope, long number, int documents) {
        boolean isSmall() {
            return documents <= SMALL;
        }
    }

    /** Removes the segments that are due, except those that another node is removing. */
    void run() {
        boolean more = true;
        while (more && !closing.getAsBoolean()) {
            List<ObsoleteSegment> due = database.read(SegmentCleanup::due);
            int removed = 0;
            for (List<ObsoleteSegment> portion : portions(due)) {
                removed += closing.getAsBoolean() ? 0 : removeOrLater(portion);
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

    /** The segments that are removed together: as many small ones as fit, or a large one alone. */
    private static List<List<ObsoleteSegment>> portions(List<ObsoleteSegment> due) {
        List<List<ObsoleteSegment>> portions = new ArrayList<>();
        List<ObsoleteSegment> small = new ArrayList<>();
        int documents = 0;
        for (ObsoleteSegment segment : due) {
            if (!segment.isSmall()) {
                portions.add(List.of(segment));
                continue;
            }
            if (documents + segment.documents > TOGETHER) {
                portions.add(small);
                small = new ArrayList<>();
                documents = 0;
            }
            small.add(segment);
            documents += segment.documents;
        }
        portions.add(small);
        return portions;
    }

    /** A failure of one organization must not keep the segments of the others. */
    private int removeOrLater(List<ObsoleteSegment> segments) {
        try {
            return remove(segments);
        } catch (RuntimeException failure) {
            Map<UUID, List<ObsoleteSegment>> own = byOrganization(segments);
            if (own.size() > 1 && !DatabaseFailure.isRetryable(failure)) {
                return own.values().stream().mapToInt(this::removeOrLater).sum();
            }
            LOG.warn(
                    "segment removal failed, retried later: organizations={} cause={}",
                    own.keySet(),
                    failure.toString());
            return 0;
        }
    }

    /** Returns how many segments were removed. */
    private int remove(List<ObsoleteSegment> segments) {
        if (segments.isEmpty()) {
            return 0;
        }
        return segments.getFirst().isSmall()
                ? database.writeGlobal(tx -> removeSmall(tx, segments))
                : removeLarge(segments.getFirst());
    }

    private static int removeSmall(Tx tx, List<ObsoleteSegment> segments) {
        Map<UUID, RoundTrip.Result<ObsoleteSegment>> locked = new HashMap<>();
        tx.acrossTenants(
                byOrganization(segments),
                (trip, view, obsolete) -> locked.put(view.organization(), lock(trip, view, obsolete)));
        tx.acrossTenants(locked, (trip, view, ours) -> {
            trip.change(view, REMOVE_BLOCKS, ours.rows());
            trip.change(view, REMOVE, ours.rows());
        });
        return locked.values().stream().mapToInt(ours -> ours.rows().size()).sum();
    }

    private int removeLarge(ObsoleteSegment segment) {
        int blocks = SLICE;
        while (blocks == SLICE && !closing.getAsBoolean()) {
            blocks = database.writeGlobal(tx -> removeSlice(tx, segment));
        }
        return blocks < 0 ? 0 : 1;
    }

    /**
     * Removes a slice of blocks, and the segment with the last slice. Returns the number of blocks; -1 when another
     * node has the segment.
     */
    private static int removeSlice(Tx tx, ObsoleteSegment segment) {
        View view = View.of(segment.organization);
        RoundTrip opening = tx.roundTrip();
        RoundTrip.Result<ObsoleteSegment> ours = lock(opening, view, List.of(segment));
        opening.run();
        if (ours.rows().isEmpty()) {
            return -1;
        }
        int blocks = tx.sql(view, REMOVE_SLICE)
                .bind("scope", segment.scope)
                .bind("run", segment.number)
                .bind("slice", SLICE)
                .run();
        if (blocks < SLICE) {
            RoundTrip last = tx.roundTrip();
            last.change(view, REMOVE, List.of(segment));
            last.run();
        }
        return blocks;
    }

    private static RoundTrip.Result<ObsoleteSegment> lock(RoundTrip trip, View view, List<ObsoleteSegment> segments) {
        return trip.query(
                view,
                LOCK,
                segments,
                row -> new ObsoleteSegment(
                        view.organization(), row.uuid("scope_id"), row.longer("run"), row.integer("documents")));
    }

    private static Map<UUID, List<ObsoleteSegment>> byOrganization(List<ObsoleteSegment> segments) {
        return segments.stream().collect(Collectors.groupingBy(ObsoleteSegment::organization));
    }
}
