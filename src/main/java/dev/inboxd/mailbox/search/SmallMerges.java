package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.Batched;
import dev.inboxd.platform.database.Claim;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.JointWrites;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges runs of few messages, which are most: those of many scopes and organizations are read together, made one in
 * memory, and put in their places by one commit, which replaces all runs of a scope or none.
 */
final class SmallMerges {
    /** How many documents are merged together; of which a merge has all, or less. */
    static final int DOCUMENTS = 512;
    /** More are not read into memory; only very long messages have so many. */
    private static final int BLOCKS = 3_000;

    private static final Logger LOG = LoggerFactory.getLogger(SmallMerges.class);

    private static final Batched<UUID> EXISTING = Batched.of(
            "select {tenant}m.message_id from {rows} as r" + " join message m on {m} and m.message_id = r.id",
            Batched.uuid("id", id -> id));

    private static final Comparator<RunSql.Found> IN_ORDER = Comparator.<RunSql.Found>comparingLong(
                    each -> each.block().key())
            .thenComparingInt(each -> each.block().part());

    private final Database database;
    private final JointWrites<Merged> writes;

    SmallMerges(Database database) {
        this.database = database;
        this.writes = JointWrites.whole(database, new Work());
    }

    /**
     * Runs of a scope that are to become one.
     *
     * @param runs oldest first
     */
    record Crowd(RunSql.Scope scope, List<Run> runs) {
        Crowd {
            runs = List.copyOf(runs);
        }

        UUID organization() {
            return scope.organization();
        }

        int documents() {
            return runs.stream().mapToInt(Run::documents).sum();
        }

        /** Whether there is nothing that the new run must leave out. */
        boolean isWhole() {
            return runs.stream().allMatch(run -> run.deleted() == 0);
        }
    }

    /** A new run in memory, of a number yet to be given, and what becomes of it. */
    private static final class Merged {
        private final Crowd crowd;
        private final Run.Whole whole;
        private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        private volatile boolean late;

        Merged(Crowd crowd, Run.Whole whole) {
            this.crowd = crowd;
            this.whole = whole;
        }
    }

    /**
     * Merges runs of some scopes, each named once, of no more than {@link #DOCUMENTS} in all.
     *
     * @return those that have one run in their place now; null when it is too much to be held in memory
     */
    @Nullable
    List<Crowd> merge(List<Crowd> crowds) {
        Map<RunSql.Scope, Map<Long, List<Block>>> blocks = blocks(crowds);
        if (blocks == null) {
            return null;
        }
        Set<UUID> gone = gone(crowds, blocks);
        List<Merged> all = new ArrayList<>();
        for (Crowd crowd : crowds) {
            try {
                all.add(merged(crowd, blocks.getOrDefault(crowd.scope, Map.of()), gone));
            } catch (RuntimeException failure) { // one scope's fault must not be the others'
                LOG.warn("Runs of {} are merged later: {}", crowd.organization(), failure.toString());
            }
        }
        writes.addAll(all.stream().collect(Collectors.groupingBy(merged -> merged.crowd.organization())));
        return all.stream()
                .filter(SmallMerges::isWritten)
                .map(merged -> merged.crowd)
                .toList();
    }

    /** The blocks of each run in their order; null when they are too many. */
    private @Nullable Map<RunSql.Scope, Map<Long, List<Block>>> blocks(List<Crowd> crowds) {
        Map<UUID, RoundTrip.Pending<RunSql.Found>> found = new HashMap<>();
        database.<@Nullable Void>read(tx -> {
            tx.together(
                    byOrganization(crowds),
                    (trip, view, own) -> found.put(
                            view.organization(),
                            RunSql.lookBlocks(
                                    trip,
                                    view,
                                    own.stream()
                                            .flatMap(crowd -> crowd.runs.stream())
                                            .toList(),
                                    BLOCKS)));
            return null;
        });
        if (found.values().stream().mapToInt(some -> some.rows().size()).sum() == BLOCKS) {
            return null;
        }
        Map<RunSql.Scope, Map<Long, List<Block>>> blocks = new HashMap<>();
        found.forEach((organization, some) -> some.rows().stream()
                .sorted(IN_ORDER)
                .forEach(each -> blocks.computeIfAbsent(
                                new RunSql.Scope(organization, each.scope()), _ -> new HashMap<>())
                        .computeIfAbsent(each.run(), _ -> new ArrayList<>())
                        .add(each.block())));
        return blocks;
    }

    /** What was deleted of runs that count something as deleted; each counts all that goes. */
    private Set<UUID> gone(List<Crowd> crowds, Map<RunSql.Scope, Map<Long, List<Block>>> blocks) {
        Map<UUID, Set<UUID>> asked = new HashMap<>();
        crowds.stream()
                .filter(crowd -> !crowd.isWhole())
                .forEach(crowd -> blocks.getOrDefault(crowd.scope, Map.of())
                        .values()
                        .forEach(some -> Documents.messages(some)
                                .forEach(asked.computeIfAbsent(crowd.organization(), _ -> new HashSet<>())::add)));
        if (asked.isEmpty()) {
            return Set.of();
        }
        Map<UUID, RoundTrip.Pending<UUID>> existing = new HashMap<>();
        database.<@Nullable Void>read(tx -> {
            tx.together(
                    asked,
                    (trip, view, ids) -> existing.put(
                            view.organization(),
                            trip.look(view, EXISTING, List.copyOf(ids), row -> row.uuid("message_id"))));
            return null;
        });
        Set<UUID> gone = asked.values().stream().flatMap(Set::stream).collect(Collectors.toCollection(HashSet::new));
        existing.values().forEach(there -> there.rows().forEach(gone::remove));
        return gone;
    }

    private static Merged merged(Crowd crowd, Map<Long, List<Block>> blocks, Set<UUID> gone) {
        Function<Run, List<Block>> of = run -> blocks.getOrDefault(run.number(), List.of());
        Members members = Members.of(crowd.runs, run -> Documents.messages(of.apply(run)), gone);
        List<Block> made = new ArrayList<>(Documents.blocks(members.kept()));
        Merge.write(
                crowd.runs.stream()
                        .map(run -> new Merge.Source(
                                of.apply(run).stream()
                                        .filter(Documents::isTerms)
                                        .iterator(),
                                members.of(run)))
                        .toList(),
                new BlockWriter(made::add));
        Run newest = crowd.runs.getLast();
        return new Merged(
                crowd, new Run.Whole(new Run(newest.scope(), 0, members.kept().size(), newest.newest()), made));
    }

    private static Map<UUID, List<Crowd>> byOrganization(List<Crowd> crowds) {
        return crowds.stream().collect(Collectors.groupingBy(Crowd::organization));
    }

    private static boolean isWritten(Merged merged) {
        try {
            merged.done.join();
        } catch (CompletionException failure) {
            LOG.warn(
                    "Runs of {} are merged later: {}", merged.crowd.organization(), String.valueOf(failure.getCause()));
            return false;
        }
        return !merged.late;
    }

    /** What was merged of an organization goes together. */
    private static final class Work implements JointWrites.Work<Merged> {
        @Override
        public Database.Planned planned(UUID organization, List<Merged> some) {
            return new Database.Planned(
                    organization, Claim.numbers(1), tx -> new Replacing(tx, View.of(organization), some));
        }

        @Override
        public void written(UUID organization, List<Merged> some) {
            some.forEach(merged -> merged.done.complete(null));
        }

        @Override
        public void failed(UUID organization, List<Merged> some, Throwable failure) {
            some.forEach(merged -> merged.done.completeExceptionally(failure));
        }
    }

    /** Puts runs in the place of others under the organization's clock, unless another node has merged those meanwhile. */
    private static final class Replacing implements Database.Change {
        private final Tx tx;
        private final View view;
        private final List<Merged> some;
        private RoundTrip.Pending<Run> live = RoundTrip.Pending.none();

        Replacing(Tx tx, View view, List<Merged> some) {
            this.tx = tx;
            this.view = view;
            this.some = List.copyOf(some);
        }

        @Override
        public void look(RoundTrip opening) {
            live = RunSql.lookLive(
                    opening,
                    view,
                    some.stream().flatMap(merged -> merged.crowd.runs.stream()).toList());
        }

        @Override
        public void write(RoundTrip writes) {
            Map<UUID, List<Run>> there = live.rows().stream().collect(Collectors.groupingBy(Run::scope));
            List<Run> replaced = new ArrayList<>();
            List<Run.Whole> made = new ArrayList<>();
            long number = tx.next().number();
            for (Merged merged : some) {
                List<Run> now = there.getOrDefault(merged.crowd.scope.scope(), List.of());
                merged.late = now.size() < merged.crowd.runs.size();
                if (!merged.late) {
                    replaced.addAll(now);
                    made.add(merged.whole.numbered(number).without(deleted(now) - deleted(merged.crowd.runs)));
                }
            }
            ProgressSql.skipOwn(writes, view, number);
            RunSql.retire(writes, view, replaced);
            RunSql.insert(
                    writes,
                    view,
                    made.stream().filter(whole -> whole.run().documents() > 0).toList());
        }

        private static int deleted(List<Run> runs) {
            return runs.stream().mapToInt(Run::deleted).sum();
        }

        @Override
        public @Nullable Runnable rest() {
            return null;
        }
    }
}
