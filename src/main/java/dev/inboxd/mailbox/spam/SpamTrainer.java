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
 * Learns in the background what organizations mark, each for itself: whoever marks mail wrongly spoils nobody's judgement
 * but their own. A model is written once for all that was marked in some seconds. The organizations take turns: however much
 * one marks, it learns a little of it, and then the others do.
 */
public final class SpamTrainer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpamTrainer.class);
    private static final Duration REST = Duration.ofSeconds(5);
    private static final int ORGANIZATIONS = 100;
    private static final int AT_ONCE = 50;
    /** Turns that one organization has in a run; the next run begins seconds later. */
    private static final int TURNS = 20;
    /** A turn ends after the message during which so much time has passed. */
    private static final long TURN = Duration.ofSeconds(1).toNanos();
    /** Before every organization's id. */
    private static final UUID NOBODY = new UUID(0, 0);
    /** So many clean messages for each that is spam: people mark what they do not want, and seldom what they do. */
    private static final int CLEAN_FOR_SPAM = 2;

    private final Database database;
    private final SpamModels models;
    private final Reader reader;
    private final PeriodicTask beat = new PeriodicTask("learning spam", REST, this::trainNow);
    private volatile boolean closing;

    /** Looks at a stored message as it was looked at when it came. */
    @FunctionalInterface
    public interface Reader {
        /** The features of a message, or empty when it is no longer there. Called outside of transactions. */
        Optional<Features> read(UUID organization, UUID message);
    }

    /** Learning into the models of a database; nothing runs before {@link #start}. */
    public SpamTrainer(Database database, SpamModels models, Reader reader) {
        this.database = database;
        this.models = models;
        this.reader = reader;
    }

    /** What is to be learned and what that makes of a model. */
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

    /** Begins to learn what is marked. */
    public void start() {
        beat.start();
    }

    @Override
    public void close() {
        closing = true;
        beat.close();
    }

    /** Learns what is marked and not learned yet, of each organization some thousand messages at most. */
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
     * @param done those that had their last turn in this run
     * @return whether somebody has more
     */
    private boolean takeTurns(Set<UUID> done) {
        boolean more = false;
        List<UUID> some;
        UUID last = NOBODY;
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

    /** Learns some marks; whether there may be more, and it is of use to go on. */
    private boolean hasMore(UUID organization) {
        try {
            return trainNow(organization);
        } catch (RuntimeException | StackOverflowError failure) {
            LOG.warn("What {} marked could not be learned and will be later: {}", organization, failure.toString());
            return false;
        }
    }

    private boolean trainNow(UUID organization) {
        View all = View.of(organization);
        List<SpamMarks.DueMark> due = database.read(tx -> SpamMarks.due(tx, all, AT_ONCE));
        if (due.isEmpty()) {
            return false;
        }
        TrainingBatch lesson = new TrainingBatch(database.read(tx -> SpamModels.stored(tx, organization)));
        int taken = 0;
        while (taken < due.size() && !lesson.isLong()) {
            take(organization, lesson, due.get(taken++));
        }
        boolean more = taken < due.size() || taken == AT_ONCE;
        balance(organization, lesson);
        boolean written = database.write(organization, tx -> {
            if (!SpamModels.replace(tx, organization, lesson.counts, lesson.version)) {
                return false;
            }
            RoundTrip trip = tx.roundTrip();
            SpamMarks.appendLearned(trip, all, lesson.spam, true);
            SpamMarks.appendLearned(trip, all, lesson.clean, false);
            SpamMarks.appendDelete(trip, all, lesson.gone);
            trip.run();
            return true;
        });
        models.changed(organization);
        // Another node that learns the same leaves nothing to do here.
        return written && more;
    }

    private void take(UUID organization, TrainingBatch lesson, SpamMarks.DueMark mark) {
        Optional<Features> features = features(organization, mark.message());
        if (features.isEmpty()) {
            lesson.gone.add(mark.message());
            return;
        }
        if (mark.learned() != null) {
            lesson.counts.forget(features.get(), mark.learned());
        }
        lesson.counts.learn(features.get(), mark.spam());
        (mark.spam() ? lesson.spam : lesson.clean).add(mark.message());
    }

    /** One message's fault must not keep the others from being learned. */
    private Optional<Features> features(UUID organization, UUID message) {
        try {
            return reader.read(organization, message);
        } catch (RuntimeException failure) {
            if (DatabaseFailure.isRetryable(failure) || failure instanceof UncheckedIOException) {
                throw failure; // a store that is away says nothing of the message: its mark stays
            }
            return unlearnable(organization, message, failure);
        } catch (StackOverflowError deep) {
            return unlearnable(organization, message, deep);
        }
    }

    private static Optional<Features> unlearnable(UUID organization, UUID message, Throwable why) {
        LOG.warn("Message {} of {} cannot be learned: {}", message, organization, why.toString());
        return Optional.empty();
    }

    /** Adds clean mail that nobody marked, as long as there is little of it in comparison. */
    private void balance(UUID organization, TrainingBatch lesson) {
        int missing = CLEAN_FOR_SPAM * lesson.counts.messages(true) - lesson.counts.messages(false);
        Optional<UUID> oldest = lesson.spam.stream().min(Comparator.comparing(UUID::toString));
        if (missing <= 0 || oldest.isEmpty()) {
            return;
        }
        List<UUID> others = database.read(tx -> SpamMarks.cleanBefore(
                tx, View.of(organization), oldest.get(), Math.min(missing, CLEAN_FOR_SPAM * AT_ONCE)));
        for (UUID message : others) {
            if (lesson.isLong()) {
                return;
            }
            features(organization, message).ifPresent(features -> {
                lesson.counts.learn(features, false);
                lesson.clean.add(message);
            });
        }
    }
}
