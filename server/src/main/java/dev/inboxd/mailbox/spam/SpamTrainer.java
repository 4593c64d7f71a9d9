package dev.inboxd.mailbox.spam;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.mail.spam.FeatureCounts;
import dev.inboxd.mail.spam.Features;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains the organizations' spam models in the background, each from the organization's own marks: wrong marks spoil
 * only the model of their organization. A model is written once for all marks of some seconds. The organizations take
 * turns: an organization with many marks learns some, and then the next one does.
 */
public final class SpamTrainer {
    private static final Logger LOG = LoggerFactory.getLogger(SpamTrainer.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final String KIND = "spam";
    /** Organizations that a node learns from at a time. */
    private static final int AT_ONCE = 1;

    private static final int MARKS = 50;
    /** A turn ends after the message during which this time has passed. */
    private static final long TURN = Duration.ofSeconds(1).toNanos();
    /** Clean messages learned for each spam message: people mark unwanted mail and seldom the rest. */
    private static final int CLEAN_FOR_SPAM = 2;

    private final Database database;
    private final SpamModels models;
    private final Reader reader;

    /** Reads a stored message in the way the spam filter read it when it arrived. */
    @FunctionalInterface
    public interface Reader {
        /** The features of a message, or empty when it is no longer there. Called outside of transactions. */
        Optional<Features> read(UUID organization, UUID message);
    }

    /** Trains the models of a database; nothing runs before {@link #findBy}. */
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
        private final List<UUID> deleted = new ArrayList<>();
        private final long begun = System.nanoTime();

        TrainingBatch(SpamModels.StoredModel model) {
            this.counts = model.counts();
            this.version = model.version();
        }

        boolean isLong() {
            return System.nanoTime() - begun > TURN;
        }
    }

    /** Has marks found and learned, of one organization at a time, some seconds after the first. */
    public void findBy(DueWork due) {
        due.add(new WorkKind(KIND, SpamMarks.NEXT, WorkKind.Pace.patient(INTERVAL, AT_ONCE), organization -> {
            if (trainNow(organization)) {
                due.wake(KIND, organization); // once more, after the others
            }
        }));
    }

    /** Learns marks now: of each of these organizations in turns. */
    public void trainNow(List<UUID> organizations) {
        List<UUID> remaining = organizations;
        while (!remaining.isEmpty()) {
            remaining = remaining.stream().filter(this::hasMore).toList();
        }
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
        List<SpamMarks.DueMark> due = database.read(tx -> SpamMarks.due(tx, all, MARKS));
        if (due.isEmpty()) {
            return false;
        }
        TrainingBatch batch = new TrainingBatch(database.read(tx -> SpamModels.stored(tx, organization)));
        int count = 0;
        while (count < due.size() && !batch.isLong()) {
            take(organization, batch, due.get(count++));
        }
        boolean more = count < due.size() || count == MARKS;
        balance(organization, batch);
        boolean written = database.write(organization, tx -> {
            if (!SpamModels.replace(tx, organization, batch.counts, batch.version)) {
                return false;
            }
            RoundTrip trip = tx.roundTrip();
            SpamMarks.appendLearned(trip, all, batch.spam, true);
            SpamMarks.appendLearned(trip, all, batch.clean, false);
            SpamMarks.appendDelete(trip, all, batch.deleted);
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
            batch.deleted.add(mark.message());
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
                tx, View.of(organization), oldest.get(), Math.min(missing, CLEAN_FOR_SPAM * MARKS)));
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
