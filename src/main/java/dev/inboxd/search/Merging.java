package dev.inboxd.search;

import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import dev.inboxd.job.Beat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the runs of a scope few: eight of about one size become one. A run is written in slices that nobody sees, and
 * takes the place of the others in one commit; so whatever a crash leaves half done is only garbage, and goes.
 */
final class Merging implements AutoCloseable {
    /** How many runs of one size a scope may have; a look-up costs as much for each, small or large. */
    static final int FEW = 8;
    /** Runs of eight to the power of this are not merged any more. */
    private static final int LARGEST_LEVEL = 5;
    private static final int SLICE = 200;
    private static final int REMOVED = 1_000;
    private static final int READ_AHEAD = 64;
    private static final Duration REST = Duration.ofSeconds(5);
    /** To look for what may be removed costs more than to merge a few small runs. */
    private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(1);
    /** While mail keeps coming, more than a few wait meanwhile and go together, which writes each message less often. */
    private static final Duration GATHERING = Duration.ofSeconds(2);
    /** A deleted message is out of the index within a day (promise P19); those of half a day go together. */
    private static final Duration STALE = Duration.ofHours(12);
    private static final Logger LOG = LoggerFactory.getLogger(Merging.class);

    private final Database database;
    private final Set<RunSql.Scope> grown = ConcurrentHashMap.newKeySet();
    private final AtomicInteger growth = new AtomicInteger();
    private long swept = System.nanoTime();
    private volatile @Nullable Beat beat;
    private final CountDownLatch closing = new CountDownLatch(1);

    Merging(Database database) {
        this.database = database;
    }

    void start() {
        beat = new Beat("search merging", REST, this::run);
    }

    /** The scopes have one run more each. */
    void grown(UUID organization, Collection<UUID> scopes) {
        scopes.forEach(scope -> grown.add(new RunSql.Scope(organization, scope)));
        Beat running = beat;
        if (running != null && growth.incrementAndGet() >= FEW / 2) {
            running.wake();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        Beat running = beat;
        if (running != null) {
            running.close();
        }
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
        List<RunSql.Scope> crowded = crowded();
        grown.addAll(crowded); // until their turn, whatever goes wrong before
        for (RunSql.Scope scope : crowded) {
            grown.remove(scope);
            try {
                merge(scope);
            } catch (RuntimeException failure) {
                LOG.warn("Runs of {} are merged later: {}", scope.organization(), failure.toString());
            }
            if (System.nanoTime() - swept > BETWEEN_SWEEPS.toNanos()) {
                sweep(); // or what the first replaced lies there until the last has ended
            }
        }
        for (RunSql.Stale stale : database.read(tx -> RunSql.stale(tx, STALE, SLICE))) {
            if (!isClosing()) {
                renew(stale);
            }
        }
        sweep();
    }

    /** Those of the scopes that have grown which have too many runs now. */
    private List<RunSql.Scope> crowded() {
        List<RunSql.Scope> some = List.copyOf(grown);
        List<RunSql.Scope> crowded = new ArrayList<>();
        for (int from = 0; from < some.size(); from += SLICE) {
            List<RunSql.Scope> asked = some.subList(from, Math.min(from + SLICE, some.size()));
            asked.forEach(grown::remove); // before the look: what comes after it is asked for again
            try {
                crowded.addAll(database.read(tx -> RunSql.crowded(tx, asked, FEW)));
            } catch (RuntimeException failure) {
                grown.addAll(asked);
                throw failure;
            }
        }
        return crowded;
    }

    /** Removes the runs that nobody reads any more, but for those that another node is removing. */
    private void sweep() {
        swept = System.nanoTime();
        List<RunSql.Dropped> before;
        List<RunSql.Dropped> dropped = List.of();
        do {
            before = dropped;
            dropped = database.read(tx -> RunSql.dropped(tx, SLICE));
            dropped.stream().collect(Collectors.groupingBy(RunSql.Dropped::organization)).forEach(this::removeOrLater);
        } while (dropped.size() == SLICE && !dropped.equals(before) && !isClosing());
    }

    /** One organization's fault must not keep the runs of the others. */
    private void removeOrLater(UUID organization, List<RunSql.Dropped> runs) {
        try {
            remove(organization, runs);
        } catch (RuntimeException failure) {
            LOG.warn("Replaced runs of {} are removed later: {}", organization, failure.toString());
        }
    }

    private void renew(RunSql.Stale stale) {
        try {
            merge(stale.organization(), List.of(stale.run()));
        } catch (RuntimeException failure) {
            LOG.warn("A run of {} is written anew later: {}", stale.organization(), failure.toString());
        }
    }

    private void merge(RunSql.Scope crowd) {
        List<Run> some = some(database.read(tx -> RunSql.live(tx, crowd.organization(), crowd.scope())));
        while (!some.isEmpty() && !isClosing()) {
            merge(crowd.organization(), some);
            some = some(database.read(tx -> RunSql.live(tx, crowd.organization(), crowd.scope())));
        }
    }

    /**
     * The youngest runs that are to become one, oldest first: as soon as enough of them are no larger than some size, and
     * none is as large as all others, which would be written again and again for a few small ones.
     *
     * @param newestFirst all runs of a scope
     */
    static List<Run> some(List<Run> newestFirst) {
        for (int level = 0; level < LARGEST_LEVEL; level++) {
            int largest = level;
            List<Run> young = new ArrayList<>(newestFirst.stream().takeWhile(run -> level(run) <= largest).toList());
            int all = young.stream().mapToInt(Run::documents).sum();
            int most = young.stream().mapToInt(Run::documents).max().orElse(0);
            if (young.size() >= FEW && most <= all - most) {
                Collections.reverse(young);
                return young;
            }
        }
        return List.of();
    }

    private static int level(Run run) {
        return (31 - Integer.numberOfLeadingZeros(Math.max(1, run.documents()))) / 3;
    }

    /** Nobody waits for it, and it waits for nobody: it is no change that anyone is told of. */
    private void remove(UUID organization, List<RunSql.Dropped> runs) {
        boolean more = !isClosing();
        while (more) {
            more = database.writeGlobal(tx -> RunSql.remove(tx, organization, runs, REMOVED)) == REMOVED && !isClosing();
        }
    }

    private void merge(UUID organization, List<Run> runs) {
        List<UUID> kept = new ArrayList<>();
        List<Merge.Source> sources = new ArrayList<>();
        Map<Long, List<byte[]>> documents = database.read(tx -> RunSql.documents(tx, organization, runs));
        Map<Run, List<UUID>> all = new LinkedHashMap<>();
        runs.forEach(run -> all.put(run, messages(run, documents.getOrDefault(run.number(), List.of()))));
        Set<UUID> existing = existing(organization, all.values().stream().flatMap(List::stream).toList());
        for (Run run : runs) {
            List<UUID> messages = all.getOrDefault(run, List.of());
            int[] renumbered = new int[messages.size()];
            for (int i = 0; i < renumbered.length; i++) {
                boolean exists = existing.contains(messages.get(i));
                renumbered[i] = exists ? kept.size() : -1;
                if (exists) {
                    kept.add(messages.get(i));
                }
            }
            sources.add(new Merge.Source(new Reading(organization, run), renumbered));
        }
        Slices slices = new Slices(organization, new Run(runs.getLast().scope(), 0, kept.size(), runs.getLast().newest()));
        Documents.blocks(kept).forEach(slices::add);
        Merge.write(sources, new BlockWriter(slices::add));
        slices.write(runs);
    }

    private static List<UUID> messages(Run run, List<byte[]> blocks) {
        List<UUID> messages = new ArrayList<>(run.documents());
        for (int i = 0; i < run.documents(); i++) {
            messages.add(Documents.message(blocks.get(i / Documents.IN_A_BLOCK), i));
        }
        return messages;
    }

    private Set<UUID> existing(UUID organization, List<UUID> messages) {
        Set<UUID> existing = new HashSet<>();
        for (int from = 0; from < messages.size(); from += 1_000) {
            List<UUID> some = messages.subList(from, Math.min(from + 1_000, messages.size()));
            existing.addAll(database.read(tx -> tx.sql(View.of(organization), "select m.message_id from message m"
                    + " where {m} and m.message_id = any (:ids)").bind("ids", some.toArray(UUID[]::new))
                    .list(row -> row.uuid("message_id"))));
        }
        return existing;
    }

    /** A run's blocks of terms, a few at a time. */
    private final class Reading implements Iterator<Block> {
        private final UUID organization;
        private final Run run;
        private Block last = new Block(-1, Integer.MAX_VALUE, new byte[0]);
        private Iterator<Block> ahead = Collections.emptyIterator();
        private boolean ended;

        Reading(UUID organization, Run run) {
            this.organization = organization;
            this.run = run;
        }

        @Override
        public boolean hasNext() {
            if (!ahead.hasNext() && !ended) {
                List<Block> some = database.read(tx -> RunSql.blocksAfter(tx, organization, run, last, READ_AHEAD));
                ended = some.size() < READ_AHEAD;
                ahead = some.iterator();
            }
            return ahead.hasNext();
        }

        @Override
        public Block next() {
            last = ahead.next();
            return last;
        }
    }

    /** A run that is being written. */
    private final class Slices {
        private final UUID organization;
        private final List<Block> waiting = new ArrayList<>();
        private Run run;

        Slices(UUID organization, Run unnumbered) {
            this.organization = organization;
            this.run = unnumbered;
        }

        void add(Block block) {
            waiting.add(block);
            if (waiting.size() == SLICE) {
                more();
                waiting.clear();
            }
        }

        private void more() {
            if (run.number() == 0) {
                write(List.of());
            } else if (!database.writeGlobal(tx -> RunSql.more(tx, View.of(organization), run, waiting))) {
                throw new IllegalStateException("it took too long and was given up");
            }
        }

        /** Writes what waits, and publishes the run when it replaces others. */
        void write(List<Run> replaced) {
            View view = View.of(organization);
            database.<@Nullable Void>write(organization, 1, (tx, opening) -> {
                opening.run();
                long own = ProgressSql.skipOwn(tx, organization);
                RoundTrip trip = tx.roundTrip();
                if (run.number() == 0) {
                    run = new Run(run.scope(), own, run.documents(), run.newest());
                    RunSql.insertHidden(trip, view, List.of(run));
                }
                RunSql.blocks(trip, view, run, waiting);
                trip.run();
                if (!replaced.isEmpty() && !RunSql.publish(tx, view, run, replaced)) {
                    throw new IllegalStateException("another node has merged them"); // and nothing of ours is kept
                }
                return null;
            });
            waiting.clear();
        }
    }
}
