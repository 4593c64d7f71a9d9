package dev.inboxd.mailbox.search.merge;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.PendingCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.search.segment.DocumentBlocks;
import dev.inboxd.mailbox.search.segment.DocumentMap;
import dev.inboxd.mailbox.search.segment.IndexProgressSql;
import dev.inboxd.mailbox.search.segment.PostingsBlock;
import dev.inboxd.mailbox.search.segment.PostingsWriter;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.SegmentMerger;
import dev.inboxd.mailbox.search.segment.SegmentSql;
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
                    foundBlock -> foundBlock.block().key())
            .thenComparingInt(foundBlock -> foundBlock.block().part());

    private final Database database;
    private final GroupCommit<MergedSegment> writes;

    InMemoryMerges(Database database) {
        this.database = database;
        this.writes = GroupCommit.of(database, Replacement::new);
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
            return segments.stream().allMatch(segment -> segment.deleted() == 0);
        }
    }

    /** A new segment in memory, without its number, and whether it could be written. */
    private static final class MergedSegment {
        private final MergeInput input;
        private final Segment.NewSegment segment;
        private volatile boolean late;

        MergedSegment(MergeInput input, Segment.NewSegment segment) {
            this.input = input;
            this.segment = segment;
        }
    }

    /**
     * Merges segments of some scopes, each scope once, with no more than {@link #DOCUMENTS} documents in all.
     *
     * @return the inputs that are now replaced by one segment; null when their blocks are too many for memory
     */
    @Nullable
    List<MergeInput> merge(List<MergeInput> inputs) {
        Map<SegmentSql.Scope, Map<Long, List<PostingsBlock>>> blocks = blocks(inputs);
        if (blocks == null) {
            return null;
        }
        Set<UUID> deleted = deletedMessages(inputs, blocks);
        List<MergedSegment> all = new ArrayList<>();
        for (MergeInput input : inputs) {
            try {
                all.add(merged(input, blocks.getOrDefault(input.scope, Map.of()), deleted));
            } catch (RuntimeException failure) { // a failure in one scope must not affect the others
                LOG.warn(
                        "segment merge failed, retried later: organization_id={} cause={}",
                        input.organization(),
                        failure.toString());
            }
        }
        return writes.submitAll(all, merged -> merged.input.organization()).stream()
                .filter(InMemoryMerges::isWritten)
                .map(pending -> pending.item().input)
                .toList();
    }

    /** The blocks of each segment in their order; null when they are too many. */
    private @Nullable Map<SegmentSql.Scope, Map<Long, List<PostingsBlock>>> blocks(List<MergeInput> inputs) {
        Map<UUID, RoundTrip.Result<SegmentSql.FoundBlock>> blockResults = new HashMap<>();
        database.runReads(tx -> {
            tx.acrossTenants(
                    byOrganization(inputs),
                    (trip, view, own) -> blockResults.put(
                            view.organization(),
                            SegmentSql.prefetchBlocks(
                                    trip,
                                    view,
                                    own.stream()
                                            .flatMap(input -> input.segments.stream())
                                            .toList(),
                                    BLOCKS)));
        });
        if (blockResults.values().stream()
                        .mapToInt(result -> result.rows().size())
                        .sum()
                == BLOCKS) {
            return null;
        }
        Map<SegmentSql.Scope, Map<Long, List<PostingsBlock>>> blocks = new HashMap<>();
        blockResults.forEach((organization, result) -> result.rows().stream()
                .sorted(IN_ORDER)
                .forEach(foundBlock -> blocks.computeIfAbsent(
                                new SegmentSql.Scope(organization, foundBlock.scope()), _ -> new HashMap<>())
                        .computeIfAbsent(foundBlock.segment(), _ -> new ArrayList<>())
                        .add(foundBlock.block())));
        return blocks;
    }

    /** The deleted messages of those inputs that have deleted documents. */
    private Set<UUID> deletedMessages(
            List<MergeInput> inputs, Map<SegmentSql.Scope, Map<Long, List<PostingsBlock>>> blocks) {
        Map<UUID, Set<UUID>> candidates = new HashMap<>();
        inputs.stream()
                .filter(input -> !input.isWhole())
                .forEach(input -> blocks.getOrDefault(input.scope, Map.of())
                        .values()
                        .forEach(segmentBlocks -> DocumentBlocks.messages(segmentBlocks)
                                .forEach(candidates.computeIfAbsent(input.organization(), _ -> new HashSet<>())::add)));
        if (candidates.isEmpty()) {
            return Set.of();
        }
        Map<UUID, RoundTrip.Result<UUID>> existing = new HashMap<>();
        database.runReads(tx -> {
            tx.acrossTenants(
                    candidates,
                    (trip, view, ids) -> existing.put(
                            view.organization(),
                            trip.query(view, EXISTING, List.copyOf(ids), row -> row.uuid("message_id"))));
        });
        Set<UUID> deleted =
                candidates.values().stream().flatMap(Set::stream).collect(Collectors.toCollection(HashSet::new));
        existing.values().forEach(result -> result.rows().forEach(deleted::remove));
        return deleted;
    }

    private static MergedSegment merged(MergeInput input, Map<Long, List<PostingsBlock>> blocks, Set<UUID> deleted) {
        Function<Segment, List<PostingsBlock>> of = segment -> blocks.getOrDefault(segment.number(), List.of());
        DocumentMap map =
                DocumentMap.of(input.segments, segment -> DocumentBlocks.messages(of.apply(segment)), deleted);
        List<PostingsBlock> merged = new ArrayList<>(DocumentBlocks.blocks(map.messages()));
        SegmentMerger.write(
                input.segments.stream()
                        .map(segment -> new SegmentMerger.Source(
                                of.apply(segment).stream()
                                        .filter(DocumentBlocks::isTerms)
                                        .iterator(),
                                map.of(segment)))
                        .toList(),
                new PostingsWriter(merged::add));
        Segment newest = input.segments.getLast();
        return new MergedSegment(
                input,
                new Segment.NewSegment(
                        new Segment(newest.scope(), 0, map.messages().size(), newest.newest()), merged));
    }

    private static Map<UUID, List<MergeInput>> byOrganization(List<MergeInput> inputs) {
        return inputs.stream().collect(Collectors.groupingBy(MergeInput::organization));
    }

    private static boolean isWritten(PendingCommit<MergedSegment> pending) {
        try {
            return !pending.await().late;
        } catch (RuntimeException failure) {
            LOG.warn(
                    "segment merge failed, retried later: organization_id={} cause={}",
                    pending.item().input.organization(),
                    failure.toString());
            return false;
        }
    }

    /** Replaces segments under the organization's clock, unless another node has merged them meanwhile. */
    private static final class Replacement implements GroupCommit.Change {
        private final Tx tx;
        private final View view;
        private final List<MergedSegment> mergedSegments;
        private RoundTrip.Result<Segment> live = RoundTrip.Result.none();

        Replacement(Tx tx, View view, List<MergedSegment> mergedSegments) {
            this.tx = tx;
            this.view = view;
            this.mergedSegments = List.copyOf(mergedSegments);
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
                    mergedSegments.stream()
                            .flatMap(merged -> merged.input.segments.stream())
                            .toList());
        }

        @Override
        public void write(RoundTrip writes) {
            Map<UUID, List<Segment>> liveByScope = live.rows().stream().collect(Collectors.groupingBy(Segment::scope));
            List<Segment> replaced = new ArrayList<>();
            List<Segment.NewSegment> inserted = new ArrayList<>();
            long number = tx.next().number();
            for (MergedSegment merged : mergedSegments) {
                List<Segment> now = liveByScope.getOrDefault(merged.input.scope.scope(), List.of());
                merged.late = now.size() < merged.input.segments.size();
                if (!merged.late) {
                    replaced.addAll(now);
                    inserted.add(
                            merged.segment.numbered(number).without(deleted(now) - deleted(merged.input.segments)));
                }
            }
            IndexProgressSql.skipOwn(writes, view, number);
            SegmentSql.retire(writes, view, replaced);
            SegmentSql.insert(
                    writes,
                    view,
                    inserted.stream()
                            .filter(newSegment -> newSegment.segment().documents() > 0)
                            .toList());
        }

        private static int deleted(List<Segment> segments) {
            return segments.stream().mapToInt(Segment::deleted).sum();
        }
    }
}
