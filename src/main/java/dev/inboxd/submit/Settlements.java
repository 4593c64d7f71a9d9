package dev.inboxd.submit;

import dev.inboxd.database.Database;
import dev.inboxd.database.JointWrites;
import dev.inboxd.event.EventLog;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Writes down how parcels fared, those that end at about the same time in one commit. */
final class Settlements {
    private final JointWrites<Ended> writes;
    private final EventLog log;

    /**
     * A parcel that was tried.
     *
     * @param outcomes of its recipients
     * @param done completed after the commit, or with what went wrong
     */
    record Ended(Parcel parcel, Map<Parcel.Recipient, Outcome> outcomes, CompletableFuture<Void> done) {
        Ended {
            outcomes = Collections.unmodifiableMap(new LinkedHashMap<>(outcomes)); // in their order
        }
    }

    Settlements(Database database, EventLog log) {
        this.log = log;
        this.writes = new JointWrites<>(database, new Work());
    }

    /**
     * Settles what can be settled and says when the rest is due again. Blocks until the commit.
     *
     * @throws RuntimeException when nothing of it could be written
     */
    void settle(Parcel parcel, Map<Parcel.Recipient, Outcome> outcomes) {
        Ended ended = new Ended(parcel, outcomes, new CompletableFuture<>());
        writes.add(parcel.organization(), ended);
        try {
            ended.done.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }

    private final class Work implements JointWrites.Work<Ended> {
        @Override
        public Database.Planned planned(UUID organization, List<Ended> ended) {
            return new Database.Planned(organization, Settlement.numbers(ended), tx -> new Settlement(tx, log, ended));
        }

        @Override
        public void written(UUID organization, List<Ended> ended) {
            ended.forEach(each -> each.done.complete(null));
        }

        @Override
        public void failed(UUID organization, List<Ended> ended, Throwable failure) {
            ended.forEach(each -> each.done.completeExceptionally(failure));
        }
    }
}
