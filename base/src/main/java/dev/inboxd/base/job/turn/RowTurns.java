package dev.inboxd.base.job.turn;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of due work that a node takes: a few at a time, however many are due, so that requests find a connection in
 * between. A row that waits for its turn, or has it, is not taken again.
 */
public final class RowTurns {
    private static final Logger LOG = LoggerFactory.getLogger(RowTurns.class);
    private static final int AT_ONCE = 4;

    private final Set<TakenRow> takenRows = ConcurrentHashMap.newKeySet();
    private final Semaphore room = new Semaphore(AT_ONCE, true);
    private final Runnable idle;

    private record TakenRow(String kind, UUID organization) {}

    /** @param idle is called when no row waits any more */
    public RowTurns(Runnable idle) {
        this.idle = idle;
    }

    /** Runs a step for a row, on a thread of its own; a failure is logged. */
    public void run(String kind, UUID organization, Runnable step) {
        TakenRow row = new TakenRow(kind, organization);
        if (takenRows.add(row)) {
            Thread.startVirtualThread(() -> run(row, step));
        }
    }

    private void run(TakenRow row, Runnable step) {
        room.acquireUninterruptibly();
        try {
            step.run();
        } catch (RuntimeException later) {
            LOG.warn("due work postponed organization_id={} cause={}", row.organization, later.toString());
        } finally {
            room.release();
            takenRows.remove(row);
            if (takenRows.isEmpty()) {
                idle.run();
            }
        }
    }
}
