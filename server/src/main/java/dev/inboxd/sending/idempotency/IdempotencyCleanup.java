package dev.inboxd.sending.idempotency;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.PendingCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the rows of acknowledged sends, those of many organizations in one commit, each organization in its turn. A
 * cleanup that took many clock rows out of turn would delay the next sends and the completion of the last.
 */
final class IdempotencyCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyCleanup.class);

    /** At most so many; what is not here is left to the lease of its claim. */
    private static final int MOST = 10_000;

    private final Database database;
    private final AnsweredSends answered;
    /** Claims of sends that came to nothing and could not be released, in the order of their ends. */
    private final Queue<Left> left = new ConcurrentLinkedQueue<>();

    private final GroupCommit<List<AnsweredSends.SendRow>> writes;

    /** A cleanup of one database. */
    IdempotencyCleanup(Database database, AnsweredSends answered) {
        this.database = database;
        this.answered = answered;
        this.writes = GroupCommit.of(database, (_, organization, items) -> new Removal(organization, items));
    }

    /**
     * Deletes the rows of acknowledged sends and waits for the commits. Rows that cannot be deleted now are left to the
     * next run.
     */
    void run() {
        release();
        Map<UUID, List<AnsweredSends.SendRow>> all =
                answered.removable().stream().collect(Collectors.groupingBy(AnsweredSends.SendRow::organization));
        writes.submitAll(all.values(), IdempotencyCleanup::organization).forEach(this::finish);
    }

    private record Left(IdempotencyClaim claim, long since) {
        /** Whether its lease has run out, so that nobody waits for it any more. */
        boolean isOver() {
            return System.nanoTime() - since > IdempotencySql.LEASE.toNanos();
        }
    }

    /** Adds the claim of a send that came to nothing, which could not be released when it ended. */
    void add(IdempotencyClaim claim) {
        if (left.size() < MOST) {
            left.add(new Left(claim, System.nanoTime()));
        }
    }

    private void release() {
        Left next = left.poll();
        while (next != null) {
            if (!next.isOver() && !isReleased(next.claim)) {
                left.add(next); // the next run begins with another one
                return;
            }
            next = left.poll();
        }
    }

    private boolean isReleased(IdempotencyClaim claim) {
        UUID organization = claim.key().organization();
        try {
            database.write(organization, tx -> IdempotencySql.release(tx, View.of(organization), claim));
            return true;
        } catch (Problem | DatabaseFailure away) {
            LOG.debug("release of an Idempotency-Key postponed organization_id={}", organization, away);
            return false;
        }
    }

    private static UUID organization(List<AnsweredSends.SendRow> notes) {
        return notes.getFirst().organization();
    }

    private void finish(PendingCommit<List<AnsweredSends.SendRow>> removal) {
        try {
            answered.remove(removal.await());
        } catch (Problem | DatabaseFailure away) {
            LOG.debug("idempotency cleanup postponed organization_id={}", organization(removal.item()), away);
        } catch (RuntimeException failure) {
            LOG.warn("idempotency cleanup failed organization_id={}", organization(removal.item()), failure);
        }
    }

    private record Removal(View organization, List<List<AnsweredSends.SendRow>> all) implements GroupCommit.Change {
        /** Takes no sequence number: followers of the clock, such as search, would look for new events. */
        @Override
        public ClockReservation claim() {
            return ClockReservation.numbers(0);
        }

        @Override
        public void write(RoundTrip writes) {
            IdempotencySql.appendRemoval(
                    writes, organization, all.stream().flatMap(List::stream).toList());
        }
    }
}
