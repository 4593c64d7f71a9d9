package dev.inboxd.sending;

import dev.inboxd.platform.database.ClockReservation;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import dev.inboxd.platform.database.GroupCommit;
import dev.inboxd.platform.database.PendingCommit;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the rows of acknowledged sends, those of many organizations in one commit, each organization in its turn. A
 * cleanup that took many clock rows out of turn would delay the next sends and the completion of the last.
 */
final class IdempotencyCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyCleanup.class);

    private final AnsweredSends answered;
    private final GroupCommit<List<AnsweredSends.SendRow>> writes;

    /** A cleanup of one database. */
    IdempotencyCleanup(Database database, AnsweredSends answered) {
        this.answered = answered;
        this.writes = GroupCommit.of(database, (_, organization, some) -> new Removal(organization, some));
    }

    /**
     * Deletes the rows of acknowledged sends and waits for the commits. Rows that cannot be deleted now are left to the
     * next run.
     */
    void run() {
        Map<UUID, List<AnsweredSends.SendRow>> all =
                answered.removable().stream().collect(Collectors.groupingBy(AnsweredSends.SendRow::organization));
        writes.submitAll(all.values(), IdempotencyCleanup::organization).forEach(this::finish);
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
