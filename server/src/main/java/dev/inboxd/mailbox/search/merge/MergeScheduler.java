package dev.inboxd.mailbox.search.merge;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.SegmentSql;
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
 * Keeps the number of segments of a scope small: eight of about one size are merged into one, which replaces them in
 * one commit. Small segments, the most frequent, are merged together with those of other scopes and organizations.
 */
public final class MergeScheduler implements AutoCloseable {
    /** The largest number of segments of one size; a look-up costs the same for each, small or large. */
    public static final int FEW = 8;
    /** Segments of eight to the power of this are merged once more, into one of the largest size. */
    private static final int LARGEST_LEVEL = 5;
    /**
     * The largest number of documents of a segment: their ids are in memory during a merge, and a deletion rewrites it.
     */
    private static final int LARGEST = 1 << 18;

    private static final int SLICE = 200;
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration CLEANUP_INTERVAL = Duration.ofSeconds(1);
    /** While nothing was merged. */
    private static final Duration IDLE_CLEANUP = Duration.ofSeconds(20);
    /**
     * How long a merge waits for more segments while mail keeps coming, so that each message is rewritten less often.
     */
    private static final Duration DELAY = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(MergeScheduler.class);

    private final Database database;
    private final InMemoryMerges small;
    private final StreamingMerges large;
    private final SegmentCleanup cleanup;
    private final Set<SegmentSql.Scope> grown = ConcurrentHashMap.newKeySet();
    private final AtomicInteger growth = new AtomicInteger();
    private long lastCleanup = System.nanoTime();
    private final PeriodicTask task = new PeriodicTask("search merging", INTERVAL, this::run);
    private final CountDownLatch closing = new CountDownLatch(1);

    public MergeScheduler(Database database) {
        this.database = database;
        this.small = new InMemoryMerges(database);
        this.large = new StreamingMerges(database, grown::add);
        this.cleanup = new SegmentCleanup(database, this::isClosing);
    }

    public void start() {
        large.start();
        task.start();
    }

    /** Notifies that each of the scopes has a new segment. */
    public void grown(UUID organization, Collection<UUID> scopes) {
        scopes.forEach(scope -> grown.add(new SegmentSql.Scope(organization, scope)));
        if (growth.incrementAndGet() >= FEW / 2) {
            task.wake();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        task.close();
        large.close();
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void run() {
        try {
            if (growth.get() >= FEW / 2 && closing.await(DELAY.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        }
        work();
    }

    private void work() {
        boolean growing = growth.getAndSet(0) > 0 || !grown.isEmpty();
        List<SegmentSql.Scope> due = due();
        grown.addAll(due); // until they are merged, even if a failure comes first
        while (!due.isEmpty() && !isClosing()) {
            List<SegmentSql.Scope> merged = new ArrayList<>();
            for (int from = 0; from < due.size() && !isClosing(); from += SLICE) {
                merged.addAll(merge(due.subList(from, Math.min(from + SLICE, due.size()))));
            }
            due = merged; // a new segment of the next size may make that size due
        }
        cleanUpIfDue(growing ? CLEANUP_INTERVAL : IDLE_CLEANUP);
    }

    /** Those of the scopes with new segments that are due for a merge. */
    private List<SegmentSql.Scope> due() {
        List<SegmentSql.Scope> scopes = List.copyOf(grown);
        List<SegmentSql.Scope> due = new ArrayList<>();
        for (int from = 0; from < scopes.size(); from += SLICE) {
            List<SegmentSql.Scope> portion = scopes.subList(from, Math.min(from + SLICE, scopes.size()));
            portion.forEach(grown::remove); // before the query: a segment written after it adds its scope again
            try {
                due.addAll(database.read(tx -> SegmentSql.dueForMerge(tx, portion, FEW)));
            } catch (RuntimeException failure) {
                grown.addAll(portion);
                throw failure;
            }
        }
        return due;
    }

    /** Merges once in each of the scopes; returns those that have fewer segments now. */
    private List<SegmentSql.Scope> merge(List<SegmentSql.Scope> scopes) {
        Map<SegmentSql.Scope, List<Segment>> live = database.read(tx -> SegmentSql.live(tx, scopes));
        scopes.forEach(grown::remove);
        List<SegmentSql.Scope> merged = new ArrayList<>();
        List<InMemoryMerges.MergeInput> together = new ArrayList<>();
        for (Map.Entry<SegmentSql.Scope, List<Segment>> entry : live.entrySet()) {
            InMemoryMerges.MergeInput input =
                    new InMemoryMerges.MergeInput(entry.getKey(), nextMerge(entry.getValue()));
            if (input.documents() > InMemoryMerges.DOCUMENTS) {
                large.add(input.scope());
            } else if (!input.segments().isEmpty() && !large.has(input.scope())) {
                if (documents(together) + input.documents() > InMemoryMerges.DOCUMENTS) {
                    merged.addAll(mergeOrLater(together));
                    together = new ArrayList<>();
                }
                together.add(input);
            }
        }
        merged.addAll(mergeOrLater(together));
        return merged;
    }

    private static int documents(List<InMemoryMerges.MergeInput> inputs) {
        return inputs.stream().mapToInt(InMemoryMerges.MergeInput::documents).sum();
    }

    /** Merges small segments; returns the scopes that have fewer segments now. */
    private List<SegmentSql.Scope> mergeOrLater(List<InMemoryMerges.MergeInput> inputs) {
        if (inputs.isEmpty() || isClosing()) {
            return List.of();
        }
        List<SegmentSql.Scope> scopes =
                inputs.stream().map(InMemoryMerges.MergeInput::scope).toList();
        try {
            List<InMemoryMerges.MergeInput> merged = small.merge(inputs);
            if (merged == null) {
                scopes.forEach(large::add);
                return List.of();
            }
            List<SegmentSql.Scope> fewer =
                    merged.stream().map(InMemoryMerges.MergeInput::scope).toList();
            scopes.stream().filter(scope -> !fewer.contains(scope)).forEach(grown::add);
            return fewer;
        } catch (RuntimeException failure) {
            grown.addAll(scopes);
            LOG.warn("segment merge failed, retried later: scopes={} cause={}", scopes.size(), failure.toString());
            return List.of();
        } finally {
            cleanUpIfDue(CLEANUP_INTERVAL); // else segments replaced by the first merge stay until the last has ended
        }
    }

    /** The look-up of removable segments costs more than a merge of a few small ones, so it has an interval. */
    private void cleanUpIfDue(Duration interval) {
        if (System.nanoTime() - lastCleanup > interval.toNanos()) {
            lastCleanup = System.nanoTime();
            cleanup.run();
        }
    }

    /**
     * The newest segments to be merged into one, oldest first. They are merged as soon as enough of them are no larger
     * than some size, and none is as large as all others together: it would be rewritten again and again for a few
     * small ones.
     *
     * @param newestFirst all segments of a scope
     */
    public static List<Segment> nextMerge(List<Segment> newestFirst) {
        for (int level = 0; level < LARGEST_LEVEL; level++) {
            int largest = level;
            List<Segment> young = new ArrayList<>(newestFirst.stream()
                    .takeWhile(segment -> level(segment) <= largest)
                    .toList());
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
     * The oldest large segments to be merged into one of the largest size. They are complete when the next one would
     * exceed that size. None of them is more than twice as large as all others together.
     */
    private static List<Segment> full(List<Segment> newestFirst) {
        List<Segment> adjacent = new ArrayList<>();
        int all = 0;
        int most = 0;
        for (Segment segment : newestFirst.reversed()) {
            boolean large = level(segment) >= LARGEST_LEVEL;
            if (large && all + segment.documents() > LARGEST && !adjacent.isEmpty() && most / 2 <= all - most) {
                return adjacent;
            }
            if (!large || all + segment.documents() > LARGEST) {
                adjacent.clear(); // only segments that follow one another are merged
                all = 0;
                most = 0;
            }
            if (large) {
                adjacent.add(segment);
                all += segment.documents();
                most = Math.max(most, segment.documents());
            }
        }
        return List.of();
    }

    private static int level(Segment segment) {
        return (31 - Integer.numberOfLeadingZeros(Math.max(1, segment.documents()))) / 3;
    }
}
