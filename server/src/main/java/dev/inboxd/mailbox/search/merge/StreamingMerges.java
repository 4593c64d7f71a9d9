package dev.inboxd.mailbox.search.merge;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.SegmentSql;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs long merges, one scope at a time, beside the merges of small segments, which do not wait for them. Rewrites
 * segments with deleted messages.
 */
final class StreamingMerges implements AutoCloseable {
    private static final int MOST_STALE = 200;
    /** Between two looks for segments with deleted messages; a merge that is wanted wakes. */
    private static final Duration INTERVAL = Duration.ofSeconds(20);
    /** A deleted message leaves the index within a day (promise P19); deletions of half a day are done together. */
    private static final Duration STALE = Duration.ofHours(12);

    private static final Logger LOG = LoggerFactory.getLogger(StreamingMerges.class);

    private final Database database;
    private final StreamingMerge merge;
    private final Consumer<SegmentSql.Scope> merged;
    private final Set<SegmentSql.Scope> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;
    private final PeriodicTask task = new PeriodicTask("search merging of large runs", INTERVAL, this::run);

    /**
     * Nothing is merged before {@link #start}.
     *
     * @param merged is called with each scope after its merges
     */
    StreamingMerges(Database database, Consumer<SegmentSql.Scope> merged) {
        this.database = database;
        this.merge = new StreamingMerge(database);
        this.merged = merged;
    }

    void start() {
        task.start();
    }

    /**
     * Queues all merges of a scope, whatever their size; until they end, no other merge takes segments of the scope.
     */
    void add(SegmentSql.Scope scope) {
        waiting.add(scope);
        task.wake();
    }

    /** Whether a scope is queued or being merged. */
    boolean has(SegmentSql.Scope scope) {
        return waiting.contains(scope);
    }

    /** Ends after the current segment. */
    @Override
    public void close() {
        closing = true;
        task.close();
    }

    private void run() {
        for (SegmentSql.Scope scope : List.copyOf(waiting)) {
            try {
                mergeAll(scope);
            } catch (RuntimeException failure) {
                LOG.warn(
                        "segment merge failed, retried later: organization_id={} cause={}",
                        scope.organization(),
                        failure.toString());
            } finally {
                waiting.remove(scope);
                merged.accept(scope); // also after a failure: the scope is looked at again
            }
        }
        for (SegmentSql.StaleSegment stale : database.read(tx -> SegmentSql.stale(tx, STALE, MOST_STALE))) {
            if (!waiting.isEmpty()) {
                break; // new merges come first; stale segments wait for the next time
            }
            rewrite(stale);
        }
    }

    private void mergeAll(SegmentSql.Scope scope) {
        List<Segment> segments = next(scope);
        while (!segments.isEmpty() && !closing) {
            merge.merge(scope.organization(), segments);
            segments = next(scope);
        }
    }

    private List<Segment> next(SegmentSql.Scope scope) {
        Map<SegmentSql.Scope, List<Segment>> live = database.read(tx -> SegmentSql.live(tx, List.of(scope)));
        return MergeScheduler.nextMerge(live.getOrDefault(scope, List.of()));
    }

    private void rewrite(SegmentSql.StaleSegment stale) {
        if (!closing) {
            try {
                merge.merge(stale.organization(), List.of(stale.segment()));
            } catch (RuntimeException failure) {
                LOG.warn(
                        "segment rewrite failed, retried later: organization_id={} cause={}",
                        stale.organization(),
                        failure.toString());
            }
        }
    }
}
