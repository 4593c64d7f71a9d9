package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.job.PeriodicTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the runs of a scope few: eight of about one size become one, which takes their place in one commit. Small ones,
 * which are most, are merged together with those of other scopes and organizations.
 */
final class MergeScheduler implements AutoCloseable {
    /** How many runs of one size a scope may have; a look-up costs as much for each, small or large. */
    static final int FEW = 8;
    /** Runs of eight to the power of this are merged once more, into one of the largest size. */
    private static final int LARGEST_LEVEL = 5;
    /** No run has more documents: their names are in memory while it is written, and a deletion makes it anew. */
    private static final int LARGEST = 1 << 18;

    private static final int SLICE = 200;
    private static final Duration REST = Duration.ofSeconds(5);
    private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(1);
    /** While mail keeps coming, more than a few wait meanwhile and go together, which writes each message less often. */
    private static final Duration GATHERING = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(MergeScheduler.class);

    private final Database database;
    private final InMemoryMerges small;
    private final StreamingMerges large;
    private final SegmentCleanup sweep;
    private final Set<SegmentSql.Scope> grown = ConcurrentHashMap.newKeySet();
    private final AtomicInteger growth = new AtomicInteger();
    private long swept = System.nanoTime();
    private final PeriodicTask beat = new PeriodicTask("search merging", REST, this::run);
    private final CountDownLatch closing = new CountDownLatch(1);

    MergeScheduler(Database database) {
        this.database = database;
        this.small = new InMemoryMerges(database);
        this.large = new StreamingMerges(database, grown::add);
        this.sweep = new SegmentCleanup(database, this::isClosing);
    }

    void start() {
        large.start();
        beat.start();
    }

    /** The scopes have one run more each. */
    void grown(UUID organization, Collection<UUID> scopes) {
        scopes.forEach(scope -> grown.add(new SegmentSql.Scope(organization, scope)));
        if (growth.incrementAndGet() >= FEW / 2) {
            beat.wake();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        beat.close();
        large.close();
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void run() {
        try {
            if (growth.get() >= FEW / 2 && closing.await(GATHERING.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        }
        work();
    }

    private void work() {
        growth.set(0);
        List<SegmentSql.Scope> crowded = crowded();
        grown.addAll(crowded); // until their turn, whatever goes wrong before
        while (!crowded.isEmpty() && !isClosing()) {
            List<SegmentSql.Scope> merged = new ArrayList<>();
            for (int from = 0; from < crowded.size() && !isClosing(); from += SLICE) {
                merged.addAll(merge(crowded.subList(from, Math.min(from + SLICE, crowded.size()))));
            }
            crowded = merged; // one run more of the next size may be enough of these
        }
        sweepInTime();
    }

    /** Those of the scopes that have grown which have too many runs now. */
    private List<SegmentSql.Scope> crowded() {
        List<SegmentSql.Scope> some = List.copyOf(grown);
        List<SegmentSql.Scope> crowded = new ArrayList<>();
        for (int from = 0; from < some.size(); from += SLICE) {
            List<SegmentSql.Scope> asked = some.subList(from, Math.min(from + SLICE, some.size()));
            asked.forEach(grown::remove); // before the look: what comes after it is asked for again
            try {
                crowded.addAll(database.read(tx -> SegmentSql.dueForMerge(tx, asked, FEW)));
            } catch (RuntimeException failure) {
                grown.addAll(asked);
                throw failure;
            }
        }
        return crowded;
    }

    /** Merges once what can be merged of these; returns those that have fewer runs now. */
    private List<SegmentSql.Scope> merge(List<SegmentSql.Scope> scopes) {
        Map<SegmentSql.Scope, List<Segment>> live = database.read(tx -> SegmentSql.live(tx, scopes));
        scopes.forEach(grown::remove);
        List<SegmentSql.Scope> merged = new ArrayList<>();
        List<InMemoryMerges.MergeInput> together = new ArrayList<>();
        for (Map.Entry<SegmentSql.Scope, List<Segment>> each : live.entrySet()) {
            InMemoryMerges.MergeInput crowd = new InMemoryMerges.MergeInput(each.getKey(), some(each.getValue()));
            if (crowd.documents() > InMemoryMerges.DOCUMENTS) {
                large.add(crowd.scope());
            } else if (!crowd.segments().isEmpty() && !large.has(crowd.scope())) {
                if (documents(together) + crowd.documents() > InMemoryMerges.DOCUMENTS) {
                    merged.addAll(mergeOrLater(together));
                    together = new ArrayList<>();
                }
                together.add(crowd);
            }
        }
        merged.addAll(mergeOrLater(together));
        return merged;
    }

    private static int documents(List<InMemoryMerges.MergeInput> crowds) {
        return crowds.stream().mapToInt(InMemoryMerges.MergeInput::documents).sum();
    }

    /** Merges small ones; returns those that have fewer runs now. */
    private List<SegmentSql.Scope> mergeOrLater(List<InMemoryMerges.MergeInput> crowds) {
        if (crowds.isEmpty() || isClosing()) {
            return List.of();
        }
        List<SegmentSql.Scope> scopes =
                crowds.stream().map(InMemoryMerges.MergeInput::scope).toList();
        try {
            List<InMemoryMerges.MergeInput> merged = small.merge(crowds);
            if (merged == null) {
                scopes.forEach(large::add);
                return List.of();
            }
            List<SegmentSql.Scope> fewer =
                    merged.stream().map(InMemoryMerges.MergeInput::scope).toList();
            scopes.stream().filter(each -> !fewer.contains(each)).forEach(grown::add);
            return fewer;
        } catch (RuntimeException failure) {
            grown.addAll(scopes);
            LOG.warn("Runs of {} scopes are merged later: {}", scopes.size(), failure.toString());
            return List.of();
        } finally {
            sweepInTime(); // or what the first replaced lies there until the last has ended
        }
    }

    /** To look for what may be removed costs more than to merge a few small runs. */
    private void sweepInTime() {
        if (System.nanoTime() - swept > BETWEEN_SWEEPS.toNanos()) {
            swept = System.nanoTime();
            sweep.run();
        }
    }

    /**
     * The youngest runs that are to become one, oldest first: as soon as enough of them are no larger than some size, and
     * none is as large as all others, which would be written again and again for a few small ones.
     *
     * @param newestFirst all runs of a scope
     */
    static List<Segment> some(List<Segment> newestFirst) {
        for (int level = 0; level < LARGEST_LEVEL; level++) {
            int largest = level;
            List<Segment> young = new ArrayList<>(
                    newestFirst.stream().takeWhile(run -> level(run) <= largest).toList());
            int all = young.stream().mapToInt(Segment::documents).sum();
            int most = young.stream().mapToInt(Segment::documents).max().orElse(0);
            if (young.size() >= FEW && most <= all - most) {
                Collections.reverse(young);
                return young;
            }
        }
        return full(newestFirst);
    }

    /**
     * The oldest large runs that become one of the largest size, to which the next one would be too much; unless one of them
     * is more than twice as large as all others.
     */
    private static List<Segment> full(List<Segment> newestFirst) {
        List<Segment> some = new ArrayList<>();
        int all = 0;
        int most = 0;
        for (Segment run : newestFirst.reversed()) {
            boolean large = level(run) >= LARGEST_LEVEL;
            if (large && all + run.documents() > LARGEST && !some.isEmpty() && most / 2 <= all - most) {
                return some;
            }
            if (!large || all + run.documents() > LARGEST) {
                some.clear(); // only what follows one another becomes one
                all = 0;
                most = 0;
            }
            if (large) {
                some.add(run);
                all += run.documents();
                most = Math.max(most, run.documents());
            }
        }
        return List.of();
    }

    private static int level(Segment run) {
        return (31 - Integer.numberOfLeadingZeros(Math.max(1, run.documents()))) / 3;
    }
}
