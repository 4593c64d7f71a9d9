package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.job.PeriodicTask;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges what takes long, one scope at a time, beside the merging of small runs, which waits for none of it; and writes
 * runs anew in which messages were deleted.
 */
final class StreamingMerges implements AutoCloseable {
    private static final int MOST_STALE = 200;
    private static final Duration REST = Duration.ofSeconds(5);
    /** A deleted message is out of the index within a day (promise P19); those of half a day go together. */
    private static final Duration STALE = Duration.ofHours(12);

    private static final Logger LOG = LoggerFactory.getLogger(StreamingMerges.class);

    private final Database database;
    private final StreamingMerge merge;
    private final Consumer<SegmentSql.Scope> merged;
    private final Set<SegmentSql.Scope> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;
    private final PeriodicTask beat = new PeriodicTask("search merging of large runs", REST, this::run);

    /**
     * Nothing is merged before {@link #start}.
     *
     * @param merged is told of each scope that is done
     */
    StreamingMerges(Database database, Consumer<SegmentSql.Scope> merged) {
        this.database = database;
        this.merge = new StreamingMerge(database);
        this.merged = merged;
    }

    void start() {
        beat.start();
    }

    /** The runs of a scope are to be merged, whatever their sizes; until then nobody else merges any of them. */
    void add(SegmentSql.Scope scope) {
        waiting.add(scope);
        beat.wake();
    }

    /** Whether a scope has not had its turn yet, or has it now. */
    boolean has(SegmentSql.Scope scope) {
        return waiting.contains(scope);
    }

    /** Ends after the run that is being written. */
    @Override
    public void close() {
        closing = true;
        beat.close();
    }

    private void run() {
        for (SegmentSql.Scope scope : List.copyOf(waiting)) {
            try {
                mergeAll(scope);
            } catch (RuntimeException failure) {
                LOG.warn("Runs of {} are merged later: {}", scope.organization(), failure.toString());
            } finally {
                waiting.remove(scope);
                merged.accept(scope); // also when it was not: what is left is looked at again
            }
        }
        for (SegmentSql.StaleSegment stale : database.read(tx -> SegmentSql.stale(tx, STALE, MOST_STALE))) {
            if (!waiting.isEmpty()) {
                break; // what grows comes first; the rest is as stale the next time
            }
            renew(stale);
        }
    }

    private void mergeAll(SegmentSql.Scope scope) {
        List<Segment> some = next(scope);
        while (!some.isEmpty() && !closing) {
            merge.merge(scope.organization(), some);
            some = next(scope);
        }
    }

    private List<Segment> next(SegmentSql.Scope scope) {
        Map<SegmentSql.Scope, List<Segment>> live = database.read(tx -> SegmentSql.live(tx, List.of(scope)));
        return MergeScheduler.some(live.getOrDefault(scope, List.of()));
    }

    private void renew(SegmentSql.StaleSegment stale) {
        if (!closing) {
            try {
                merge.merge(stale.organization(), List.of(stale.segment()));
            } catch (RuntimeException failure) {
                LOG.warn("A run of {} is written anew later: {}", stale.organization(), failure.toString());
            }
        }
    }
}
