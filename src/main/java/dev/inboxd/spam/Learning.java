package dev.inboxd.spam;

import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import dev.inboxd.job.Beat;
import dev.inboxd.mail.spam.Counts;
import dev.inboxd.mail.spam.Features;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns in the background what organizations mark, each for itself: whoever marks mail wrongly spoils nobody's judgement
 * but their own. A model is written once for all that was marked in some seconds.
 */
public final class Learning implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Learning.class);
    private static final Duration REST = Duration.ofSeconds(5);
    private static final int ORGANIZATIONS = 100;
    private static final int AT_ONCE = 50;
    /** So many clean messages for each that is spam: people mark what they do not want, and seldom what they do. */
    private static final int CLEAN_FOR_SPAM = 2;

    private final Database database;
    private final Models models;
    private final Reader reader;
    private @Nullable Beat beat;

    /** Looks at a stored message as it was looked at when it came. */
    @FunctionalInterface
    public interface Reader {
        /** The features of a message, or empty when it is no longer there. Called outside of transactions. */
        Optional<Features> read(UUID organization, UUID message);
    }

    /** Learning into the models of a database; nothing runs before {@link #start}. */
    public Learning(Database database, Models models, Reader reader) {
        this.database = database;
        this.models = models;
        this.reader = reader;
    }

    /** What is to be learned and what that makes of a model. */
    private static final class Lesson {
        private final Counts counts;
        private final long version;
        private final List<UUID> spam = new ArrayList<>();
        private final List<UUID> clean = new ArrayList<>();
        private final List<UUID> gone = new ArrayList<>();

        Lesson(Models.Stored model) {
            this.counts = model.counts();
            this.version = model.version();
        }
    }

    /** Begins to learn what is marked. */
    public void start() {
        beat = new Beat("learning spam", REST, this::learn);
    }

    @Override
    public void close() {
        Beat running = beat;
        if (running != null) {
            running.close();
        }
    }

    /** Learns everything that is marked and not learned yet. */
    public void learn() {
        List<UUID> organizations = database.read(tx -> Marks.organizations(tx, ORGANIZATIONS));
        for (UUID organization : organizations) {
            try {
                boolean more = true;
                while (more) {
                    more = learn(organization);
                }
            } catch (RuntimeException failure) {
                LOG.warn("What {} marked could not be learned and will be later: {}", organization, failure.toString());
            }
        }
    }

    /** Learns some marks; whether there may be more. */
    private boolean learn(UUID organization) {
        View all = View.of(organization);
        List<Marks.Due> due = database.read(tx -> Marks.due(tx, all, AT_ONCE));
        if (due.isEmpty()) {
            return false;
        }
        Lesson lesson = new Lesson(database.read(tx -> Models.stored(tx, organization)));
        due.forEach(mark -> take(organization, lesson, mark));
        balance(organization, lesson);
        boolean written = database.write(organization, tx -> {
            if (!Models.replace(tx, organization, lesson.counts, lesson.version)) {
                return false;
            }
            RoundTrip trip = tx.roundTrip();
            Marks.learnedWith(trip, all, lesson.spam, true);
            Marks.learnedWith(trip, all, lesson.clean, false);
            Marks.dropWith(trip, all, lesson.gone);
            trip.run();
            return true;
        });
        models.changed(organization);
        // Another node that learns the same leaves nothing to do here.
        return written && due.size() == AT_ONCE;
    }

    private void take(UUID organization, Lesson lesson, Marks.Due mark) {
        Optional<Features> features;
        try {
            features = reader.read(organization, mark.message());
        } catch (RuntimeException unreadable) { // one message's fault must not keep the others from being learned
            LOG.warn("Message {} of {} cannot be learned: {}", mark.message(), organization, unreadable.toString());
            features = Optional.empty();
        }
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

    /** Adds clean mail that nobody marked, as long as there is little of it in comparison. */
    private void balance(UUID organization, Lesson lesson) {
        int missing = CLEAN_FOR_SPAM * lesson.counts.messages(true) - lesson.counts.messages(false);
        Optional<UUID> oldest = lesson.spam.stream().min(Comparator.comparing(UUID::toString));
        if (missing <= 0 || oldest.isEmpty()) {
            return;
        }
        List<UUID> others = database.read(tx -> Marks.cleanBefore(tx, View.of(organization), oldest.get(),
                Math.min(missing, CLEAN_FOR_SPAM * AT_ONCE)));
        for (UUID message : others) {
            reader.read(organization, message).ifPresent(features -> {
                lesson.counts.learn(features, false);
                lesson.clean.add(message);
            });
        }
    }
}
