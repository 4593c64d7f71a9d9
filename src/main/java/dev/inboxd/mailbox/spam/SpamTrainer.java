package dev.inboxd.mailbox.spam;

import dev.inboxd.mail.spam.FeatureCounts;
import dev.inboxd.mail.spam.Features;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.job.PeriodicTask;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains the organizations' spam models in the background, each from the organization's own marks: wrong marks spoil
 * only the model of their organization. A model is written once for all marks of some seconds. The organizations take
 * turns: an organization with many marks learns some, and then the next one does.
 */
public final class SpamTrainer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpamTrainer.class);
    private static final Duration REST = Duration.ofSeconds(5);
    private static final int ORGANIZATIONS = 100;
    private static final int AT_ONCE = 50;
    /** Turns of one organization in one execution of the task; the next execution begins seconds later. */
    private static final int TURNS = 20;
    /** A turn ends after the message during which this time has passed. */
    private static final long TURN = Duration.ofSeconds(1).toNanos();
    /** An id before every organization's. */
    private static final UUID BEFORE_ALL = new UUID(0, 0);
    /** Clean messages learned for each spam message: people mark unwanted mail and seldom the rest. */
    private static final int CLEAN_FOR_SPAM = 2;

    private final Database database;
    private final SpamModels models;
    private final Reader reader;
    private final PeriodicTask task = new PeriodicTask("learning spam", REST, this::trainNow);
    private volatile boolean closing;

    /** Reads a stored message in the way the spam filter read it when it arrived. */
    @FunctionalInterface
    public interface Reader {
        /** The features of a message, or empty when it is no longer there. Called outside of transactions. */
        Optional<Features> read(UUID organization, UUID message);
    }

    /** Trains the models of a database; nothing runs before {@link #start}. */
    public SpamTrainer(Database database, SpamModels models, Reader reader) {
        this.database = database;
        this.models = models;
        this.reader = reader;
    }

    /** The messages of one turn and the model after it. */
    private static final class TrainingBatch {
        private final FeatureCounts counts;
        private final long version;
        private final List<UUID> spam = new ArrayList<>();
        private final List<UUID> clean = new ArrayList<>();
        private final List<UUID> gone = new ArrayList<>();
        private final long begun = System.nanoTime();

        TrainingBatch(SpamModels.StoredModel model) {
            this.counts = model.counts();
            this.version = model.version();
        }

        boolean isLong() {
            return System.nanoTime() - begun > TURN;
        }
    }

    /** Starts the periodic task. */
    public void start() {
        task.start();
    }

    @Override
    public void close() {
        closing = true;
        task.close();
    }

    /** Learns marks now, of each organization some thousand messages at most. */
    public void trainNow() {
        Set<UUID> done = new HashSet<>();
        boolean more = true;
        for (int turn = 0; turn < TURNS && more; turn++) {
            more = takeTurns(done);
        }
    }

    /**
     * Gives each organization with marks one turn.
     *
     * @param done organizations that need no further turn in this execution
     * @return whether an organization has more marks
     */
    private boolean takeTurns(Set<UUID> done) {
        boolean more = false;
        List<UUID> some;
        UUID last = BEFORE_ALL;
        do {
            UUID after = last;
            some = database.read(tx -> SpamMarks.organizations(tx, after, ORGANIZATIONS));
            for (UUID organization : some) {
                if (closing) {
                    return false;
                }
                if (!done.contains(organization) && hasMore(organization)) {
                    more = true;
                } else {
                    done.add(organization);
                }
                last = organization;
            }
        } while (some.size() == ORGANIZATIONS);
        return more;
    }

    /** Learns some marks of an organization; true when it may have more and another turn makes sense. */
    private boolean hasMore(UUID organization) {
        try {
            return trainNow(organization);
        } catch (RuntimeException | StackOverflowError failure) {
            LOG.warn(
                    "spam training failed, retried later: organization_id={} cause={}",
                    organization,
                    failure.toString());
            return false;
        }
    }

    private boolean trainNow(UUID organization) {
        View all = View.of(organization);
        List<SpamMarks.DueMark> due = database.read(tx -> SpamMarks.due(tx, all, AT_ONCE));
        if (due.isEmpty()) {
            return false;
        }
        TrainingBatch batch = new TrainingBatch(database.read(tx -> SpamModels.stored(tx, organization)));
        int taken = 0;
        while (taken < due.size() && !batch.isLong()) {
            take(organization, batch, due.get(taken++));
        }
        boolean more = taken < due.size() || taken == AT_ONCE;
        balance(organization, batch);
        boolean written = database.write(organization, tx -> {
            if (!SpamModels.replace(tx, organization, batch.counts, batch.version)) {
                return false;
            }
            RoundTrip trip = tx.roundTrip();
            SpamMarks.appendLearned(trip, all, batch.spam, true);
            SpamMarks.appendLearned(trip, all, batch.clean, false);
            SpamMarks.appendDelete(trip, all, batch.gone);
            trip.run();
            return true;
        });
        models.changed(organization);
        // When another node has written the same model, there is nothing left to do here.
        return written && more;
    }

    private void take(UUID organization, TrainingBatch batch, SpamMarks.DueMark mark) {
        Optional<Features> features = features(organization, mark.message());
        if (features.isEmpty()) {
            batch.gone.add(mark.message());
            return;
        }
        if (mark.learned() != null) {
            batch.counts.forget(features.get(), mark.learned());
        }
        batch.counts.learn(features.get(), mark.spam());
        (mark.spam() ? batch.spam : batch.clean).add(mark.message());
    }

    /** A message that cannot be read must not keep the others from being learned. */
    private Optional<Features> features(UUID organization, UUID message) {
        try {
            return reader.read(organization, message);
        } catch (RuntimeException failure) {
            if (DatabaseFailure.isRetryable(failure) || failure instanceof UncheckedIOException) {
                throw failure; // an unreachable store is no fault of the message: its mark stays
            }
            return unlearnable(organization, message, failure);
        } catch (StackOverflowError deep) {
            return unlearnable(organization, message, deep);
        }
    }

    private static Optional<Features> unlearnable(UUID organization, UUID message, Throwable why) {
        LOG.warn(
                "spam training skipped a message: message={} organization_id={} cause={}",
                message,
                organization,
                why.toString());
        return Optional.empty();
    }

    /** Adds clean messages without a mark while the model has few clean messages in comparison. */
    private void balance(UUID organization, TrainingBatch batch) {
        int missing = CLEAN_FOR_SPAM * batch.counts.messages(true) - batch.counts.messages(false);
        Optional<UUID> oldest = batch.spam.stream().min(Comparator.comparing(UUID::toString));
        if (missing <= 0 || oldest.isEmpty()) {
            return;
        }
        List<UUID> others = database.read(tx -> SpamMarks.cleanBefore(
                tx, View.of(organization), oldest.get(), Math.min(missing, CLEAN_FOR_SPAM * AT_ONCE)));
        for (UUID message : others) {
            if (batch.isLong()) {
                return;
            }
            features(organization, message).ifPresent(features -> {
                batch.counts.learn(features, false);
                batch.clean.add(message);
            });
        }
    }
}
