package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.ClockReservation;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.GroupCommit;
import dev.inboxd.platform.database.PendingCommit;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.RowStatement;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges segments of few messages, which are the most frequent. Segments of many scopes and organizations are read
 * together, merged in memory, and replaced in one commit for each organization: all segments of a scope, or none.
 */
final class InMemoryMerges {
    /** The largest number of documents merged together. */
    static final int DOCUMENTS = 512;
    /** A merge with more blocks is not read into memory; only very long messages have this many. */
    private static final int BLOCKS = 3_000;

    private static final Logger LOG = LoggerFactory.getLogger(InMemoryMerges.class);

    private static final RowStatement<UUID> EXISTING = RowStatement.of(
            "select {tenant}m.message_id from {rows} as r" + " join message m on {m} and m.message_id = r.id",
            RowStatement.uuid("id", id -> id));

    private static final Comparator<SegmentSql.FoundBlock> IN_ORDER = Comparator.<SegmentSql.FoundBlock>comparingLong(
                    each -> each.block().key())
            .thenComparingInt(each -> each.block().part());

    private final Database database;
    private final GroupCommit<MergedSegment> writes;

    InMemoryMerges(Database database) {
        this.database = database;
        this.writes = GroupCommit.whole(database, Replacement::new);
    }

    /**
     * Segments of a scope to be merged into one.
     *
     * @param segments oldest first
     */
    record MergeInput(SegmentSql.Scope scope, List<Segment> segments) {
        MergeInput {
            segments = List.copyOf(segments);
        }

        UUID organization() {
            return scope.organization();
        }

        int documents() {
            return segments.stream().mapToInt(Segment::documents).sum();
        }

        /** Whether no document of the segments was deleted. */
        boolean isWhole() {
            return segments.stream().allMatch(run -> run.deleted() == 0);
        }
    }

    /** A new segment in memory, without its number, and whether it could be written. */
    private static final class MergedSegment {
        private final MergeInput crowd;
        private final Segment.NewSegment whole;
        private volatile boolean late;

        MergedSegment(MergeInput crowd, Segment.NewSegment whole) {
            this.crowd = crowd;
            this.whole = whole;
        }
    }

    /**
     * Merges segments of some scopes, each scope once, with no more than {@link #DOCUMENTS} documents in all.
     *
     * @return the inputs that are now replaced by one segment; null when their blocks are too many for memory
     */
    @Nullable
    List<MergeInput> merge(List<MergeInput> crowds) {
        Map<SegmentSql.Scope, Map<Long, List<PostingsBlock>>> blocks = blocks(crowds);
        if (blocks == null) {
            return null;
        }
        Set<UUID> gone = gone(crowds, blocks);
        List<MergedSegment> all = new ArrayList<>();
        for (MergeInput crowd : crowds) {
            try {
                all.add(merged(crowd, blocks.getOrDefault(crowd.scope, Map.of()), gone));
            } catch (RuntimeException failure) { // one scope's fault must not be the others'
                LOG.warn("Runs of {} are merged later: {}", crowd.organization(), failure.toString());
            }
        }
        return writes.submitAll(all, merged -> merged.crowd.organization()).stream()
                .filter(InMemoryMerges::isWritten)
                .map(pending -> pending.item().crowd)
                .toList();
    }

    /** The blocks of each segment in their order; null when they are too many. */
    private @Nullable Map<SegmentSql.Scope, Map<Long, List<PostingsBlock>>> blocks(List<MergeInput> crowds) {
        Map<UUID, RoundTrip.Result<SegmentSql.FoundBlock>> found = new HashMap<>();
        database.<@Nullable Void>read(tx -> {
            tx.acrossTenants(
                    byOrganization(crowds),
                    (trip, view, own) -> found.put(
                            view.organization(),
                            SegmentSql.prefetchBlocks(
                                    trip,
                                    view,
                                    own.stream()
                                            .flatMap(crowd -> crowd.segments.stream())
                                            .toList(),
                                    BLOCKS)));
            return null;
        });
        if (found.values().stream().mapToInt(some -> some.rows().size()).sum() == BLOCKS) {
            return null;
        }
        Map<SegmentSql.Scope, Map<Long, List<PostingsBlock>>> blocks = new HashMap<>();
        found.forEach((organization, some) -> some.rows().stream()
                .sorted(IN_ORDER)
                .forEach(each -> blocks.computeIfAbsent(
                                new SegmentSql.Scope(organization, each.scope()), _ -> new HashMap<>())
                        .computeIfAbsent(each.segment(), _ -> new ArrayList<>())
                        .add(each.block())));
        return blocks;
    }

    /** The deleted messages of those inputs that have deleted documents. */
    private Set<UUID> gone(List<MergeInput> crowds, Map<SegmentSql.Scope, Map<Long, List<PostingsBlock>>> blocks) {
        Map<UUID, Set<UUID>> asked = new HashMap<>();
        crowds.stream()
                .filter(crowd -> !crowd.isWhole())
                .forEach(crowd -> blocks.getOrDefault(crowd.scope, Map.of())
                        .values()
                        .forEach(some -> DocumentBlocks.messages(some)
                                .forEach(asked.computeIfAbsent(crowd.organization(), _ -> new HashSet<>())::add)));
        if (asked.isEmpty()) {
            return Set.of();
        }
        Map<UUID, RoundTrip.Result<UUID>> existing = new HashMap<>();
        database.<@Nullable Void>read(tx -> {
            tx.acrossTenants(
                    asked,
                    (trip, view, ids) -> existing.put(
                            view.organization(),
                            trip.query(view, EXISTING, List.copyOf(ids), row -> row.uuid("message_id"))));
            return null;
        });
        Set<UUID> gone = asked.values().stream().flatMap(Set::stream).collect(Collectors.toCollection(HashSet::new));
        existing.values().forEach(there -> there.rows().forEach(gone::remove));
        return gone;
    }

    private static MergedSegment merged(MergeInput crowd, Map<Long, List<PostingsBlock>> blocks, Set<UUID> gone) {
        Function<Segment, List<PostingsBlock>> of = run -> blocks.getOrDefault(run.number(), List.of());
        DocumentMap members = DocumentMap.of(crowd.segments, run -> DocumentBlocks.messages(of.apply(run)), gone);
        List<PostingsBlock> made = new ArrayList<>(DocumentBlocks.blocks(members.messages()));
        SegmentMerger.write(
                crowd.segments.stream()
                        .map(run -> new SegmentMerger.Source(
                                of.apply(run).stream()
                                        .filter(DocumentBlocks::isTerms)
                                        .iterator(),
                                members.of(run)))
                        .toList(),
                new PostingsWriter(made::add));
        Segment newest = crowd.segments.getLast();
        return new MergedSegment(
                crowd,
                new Segment.NewSegment(
                        new Segment(newest.scope(), 0, members.messages().size(), newest.newest()), made));
    }

    private static Map<UUID, List<MergeInput>> byOrganization(List<MergeInput> crowds) {
        return crowds.stream().collect(Collectors.groupingBy(MergeInput::organization));
    }

    private static boolean isWritten(PendingCommit<MergedSegment> pending) {
        try {
            return !pending.await().late;
        } catch (RuntimeException failure) {
            LOG.warn("Runs of {} are merged later: {}", pending.item().crowd.organization(), failure.toString());
            return false;
        }
    }

    /** Puts runs in the place of others under the organization's clock, unless another node has merged those meanwhile. */
    private static final class Replacement implements GroupCommit.Change {
        private final Tx tx;
        private final View view;
        private final List<MergedSegment> some;
        private RoundTrip.Result<Segment> live = RoundTrip.Result.none();

        Replacement(Tx tx, View view, List<MergedSegment> some) {
            this.tx = tx;
            this.view = view;
            this.some = List.copyOf(some);
        }

        @Override
        public ClockReservation claim() {
            return ClockReservation.numbers(1);
        }

        @Override
        public void prefetch(RoundTrip opening) {
            live = SegmentSql.prefetchLive(
                    opening,
                    view,
                    some.stream()
                            .flatMap(merged -> merged.crowd.segments.stream())
                            .toList());
        }

        @Override
        public void write(RoundTrip writes) {
            Map<UUID, List<Segment>> there = live.rows().stream().collect(Collectors.groupingBy(Segment::scope));
            List<Segment> replaced = new ArrayList<>();
            List<Segment.NewSegment> made = new ArrayList<>();
            long number = tx.next().number();
            for (MergedSegment merged : some) {
                List<Segment> now = there.getOrDefault(merged.crowd.scope.scope(), List.of());
                merged.late = now.size() < merged.crowd.segments.size();
                if (!merged.late) {
                    replaced.addAll(now);
                    made.add(merged.whole.numbered(number).without(deleted(now) - deleted(merged.crowd.segments)));
                }
            }
            IndexProgressSql.skipOwn(writes, view, number);
            SegmentSql.retire(writes, view, replaced);
            SegmentSql.insert(
                    writes,
                    view,
                    made.stream()
                            .filter(whole -> whole.segment().documents() > 0)
                            .toList());
        }

        private static int deleted(List<Segment> runs) {
            return runs.stream().mapToInt(Segment::deleted).sum();
        }
    }
}
