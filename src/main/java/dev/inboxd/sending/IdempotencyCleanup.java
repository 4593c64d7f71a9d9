package dev.inboxd.sending;

import dev.inboxd.platform.database.ClockReservation;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import dev.inboxd.platform.database.GroupCommit;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the rows of acknowledged sends, those of many organizations in one commit, each organization in its turn. A
 * cleanup that took many clock rows out of turn would delay the next sends and the completion of the last.
 */
final class IdempotencyCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyCleanup.class);

    private static final RowStatement<AnsweredSends.SendRow> FORGET = RowStatement.of(
            "delete from send_memory s using {rows} as r" + " where {s} and s.key = r.key and s.fence = r.fence",
            RowStatement.text("key", AnsweredSends.SendRow::key),
            RowStatement.bigint("fence", AnsweredSends.SendRow::fence));

    private final AnsweredSends heard;
    private final GroupCommit<CleanupBatch> writes;

    /** Removes the notes from a database. */
    IdempotencyCleanup(Database database, AnsweredSends heard) {
        this.heard = heard;
        this.writes = GroupCommit.whole(database, new Work());
    }

    /**
     * The notes of one organization.
     *
     * @param over completed when they are removed, or are left for the next run
     */
    private record CleanupBatch(List<AnsweredSends.SendRow> notes, CompletableFuture<Void> over) {}

    /** Removes what can be forgotten, and waits for it; what cannot be removed now is tried again at the next run. */
    void run() {
        Map<UUID, List<CleanupBatch>> all = new HashMap<>();
        heard.removable().stream()
                .collect(Collectors.groupingBy(AnsweredSends.SendRow::organization))
                .forEach((organization, notes) ->
                        all.put(organization, List.of(new CleanupBatch(notes, new CompletableFuture<>()))));
        writes.addAll(all);
        all.values().forEach(some -> some.getFirst().over.join());
    }

    private final class Work implements GroupCommit.Work<CleanupBatch> {
        @Override
        public Database.PlannedChange planned(UUID organization, List<CleanupBatch> some) {
            List<AnsweredSends.SendRow> notes =
                    some.stream().flatMap(each -> each.notes.stream()).toList();
            // It takes no number of the clock: whoever follows the clock, as search does, would look for what is new.
            return new Database.PlannedChange(
                    organization, ClockReservation.numbers(0), _ -> new Removal(organization, notes));
        }

        @Override
        public void written(UUID organization, List<CleanupBatch> some) {
            some.forEach(each -> {
                heard.remove(each.notes);
                each.over.complete(null);
            });
        }

        @Override
        public void failed(UUID organization, List<CleanupBatch> some, Throwable failure) {
            if (failure instanceof Problem || failure instanceof DatabaseFailure) {
                LOG.debug("The answered sends of organization {} are forgotten later", organization, failure);
            } else {
                LOG.warn("The answered sends of organization {} cannot be forgotten", organization, failure);
            }
            some.forEach(each -> each.over.complete(null));
        }
    }

    private record Removal(UUID organization, List<AnsweredSends.SendRow> notes) implements Database.Change {
        @Override
        public void prefetch(RoundTrip opening) {}

        @Override
        public void write(RoundTrip writes) {
            writes.change(View.of(organization), FORGET, notes);
        }

        @Override
        public @Nullable Runnable rest() {
            return null;
        }
    }
}
