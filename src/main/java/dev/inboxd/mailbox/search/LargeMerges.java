package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.job.Beat;
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
final class LargeMerges implements AutoCloseable {
    private static final int MOST_STALE = 200;
    private static final Duration REST = Duration.ofSeconds(5);
    /** A deleted message is out of the index within a day (promise P19); those of half a day go together. */
    private static final Duration STALE = Duration.ofHours(12);

    private static final Logger LOG = LoggerFactory.getLogger(LargeMerges.class);

    private final Database database;
    private final LargeMerge merge;
    private final Consumer<RunSql.Scope> merged;
    private final Set<RunSql.Scope> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;
    private final Beat beat = new Beat("search merging of large runs", REST, this::run);

    /**
     * Nothing is merged before {@link #start}.
     *
     * @param merged is told of each scope that is done
     */
    LargeMerges(Database database, Consumer<RunSql.Scope> merged) {
        this.database = database;
        this.merge = new LargeMerge(database);
        this.merged = merged;
    }

    void start() {
        beat.start();
    }

    /** The runs of a scope are to be merged, whatever their sizes; until then nobody else merges any of them. */
    void add(RunSql.Scope scope) {
        waiting.add(scope);
        beat.wake();
    }

    /** Whether a scope has not had its turn yet, or has it now. */
    boolean has(RunSql.Scope scope) {
        return waiting.contains(scope);
    }

    /** Ends after the run that is being written. */
    @Override
    public void close() {
        closing = true;
        beat.close();
    }

    private void run() {
        for (RunSql.Scope scope : List.copyOf(waiting)) {
            try {
                mergeAll(scope);
            } catch (RuntimeException failure) {
                LOG.warn("Runs of {} are merged later: {}", scope.organization(), failure.toString());
            } finally {
                waiting.remove(scope);
                merged.accept(scope); // also when it was not: what is left is looked at again
            }
        }
        for (RunSql.Stale stale : database.read(tx -> RunSql.stale(tx, STALE, MOST_STALE))) {
            if (!waiting.isEmpty()) {
                break; // what grows comes first; the rest is as stale the next time
            }
            renew(stale);
        }
    }

    private void mergeAll(RunSql.Scope scope) {
        List<Run> some = next(scope);
        while (!some.isEmpty() && !closing) {
            merge.merge(scope.organization(), some);
            some = next(scope);
        }
    }

    private List<Run> next(RunSql.Scope scope) {
        Map<RunSql.Scope, List<Run>> live = database.read(tx -> RunSql.live(tx, List.of(scope)));
        return Merging.some(live.getOrDefault(scope, List.of()));
    }

    private void renew(RunSql.Stale stale) {
        if (!closing) {
            try {
                merge.merge(stale.organization(), List.of(stale.run()));
            } catch (RuntimeException failure) {
                LOG.warn("A run of {} is written anew later: {}", stale.organization(), failure.toString());
            }
        }
    }
}
