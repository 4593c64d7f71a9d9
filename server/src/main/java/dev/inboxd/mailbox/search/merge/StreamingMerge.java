package dev.inboxd.mailbox.search.merge;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
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
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Merges segments of one scope of any size, with a few blocks of each in memory. The new segment is written hidden, in
 * slices, and replaces the others in one commit. So a crash leaves only garbage, which is removed.
 */
final class StreamingMerge {
    private static final int SLICE = 200;
    private static final int READ_AHEAD = 64;
    private static final int BATCH = 1_000;

    private final Database database;

    StreamingMerge(Database database) {
        this.database = database;
    }

    /**
     * Merges segments into one.
     *
     * @param segments oldest first
     * @throws IllegalStateException when another node has merged them; then nothing is changed
     */
    void merge(UUID organization, List<Segment> segments) {
        Map<Long, List<PostingsBlock>> documents =
                database.read(tx -> SegmentSql.documents(tx, organization, segments));
        Map<Long, List<UUID>> all = segments.stream()
                .collect(Collectors.toMap(
                        Segment::number,
                        segment -> DocumentBlocks.messages(documents.getOrDefault(segment.number(), List.of()))));
        DocumentMap map = DocumentMap.of(
                segments,
                segment -> all.getOrDefault(segment.number(), List.of()),
                deletedMessages(organization, segments, all));
        Segment newest = segments.getLast();
        SegmentWriter slices = new SegmentWriter(
                organization, new Segment(newest.scope(), 0, map.messages().size(), newest.newest()));
        DocumentBlocks.blocks(map.messages()).forEach(slices::add);
        SegmentMerger.write(
                segments.stream()
                        .map(segment ->
                                new SegmentMerger.Source(new SegmentReader(organization, segment), map.of(segment)))
                        .toList(),
                new PostingsWriter(slices::add));
        slices.write(segments);
    }

    /** The deleted messages of the segments; none are looked up when no segment counts a deletion. */
    private Set<UUID> deletedMessages(UUID organization, List<Segment> segments, Map<Long, List<UUID>> all) {
        List<UUID> candidates = segments.stream().anyMatch(segment -> segment.deleted() > 0)
                ? all.values().stream().flatMap(List::stream).toList()
                : List.of();
        Set<UUID> deleted = new HashSet<>(candidates);
        for (int from = 0; from < candidates.size(); from += BATCH) {
            List<UUID> portion = candidates.subList(from, Math.min(from + BATCH, candidates.size()));
            database.read(tx -> tx.sql(
                                    View.of(organization),
                                    "select m.message_id from message m" + " where {m} and m.message_id = any (:ids)")
                            .bind("ids", portion.toArray(UUID[]::new))
                            .list(row -> row.uuid("message_id")))
                    .forEach(deleted::remove);
        }
        return deleted;
    }

    /** The postings blocks of a segment, a few at a time. */
    private final class SegmentReader implements Iterator<PostingsBlock> {
        private final UUID organization;
        private final Segment segment;
        private PostingsBlock last = new PostingsBlock(-1, Integer.MAX_VALUE, new byte[0]);
        private Iterator<PostingsBlock> ahead = Collections.emptyIterator();
        private boolean ended;

        SegmentReader(UUID organization, Segment segment) {
            this.organization = organization;
            this.segment = segment;
        }

        @Override
        public boolean hasNext() {
            if (!ahead.hasNext() && !ended) {
                List<PostingsBlock> blocks =
                        database.read(tx -> SegmentSql.blocksAfter(tx, organization, segment, last, READ_AHEAD));
                ended = blocks.size() < READ_AHEAD;
                ahead = blocks.iterator();
            }
            return ahead.hasNext();
        }

        @Override
        public PostingsBlock next() {
            last = ahead.next();
            return last;
        }
    }

    /** A segment that is being written. */
    private final class SegmentWriter {
        private final UUID organization;
        private final List<PostingsBlock> waiting = new ArrayList<>();
        private Segment segment;

        SegmentWriter(UUID organization, Segment unnumbered) {
            this.organization = organization;
            this.segment = unnumbered;
        }

        void add(PostingsBlock block) {
            waiting.add(block);
            if (waiting.size() == SLICE) {
                writeHidden();
                waiting.clear();
            }
        }

        private void writeHidden() {
            if (segment.number() == 0) {
                write(List.of());
            } else if (!database.writeGlobal(
                    tx -> SegmentSql.appendBlocks(tx, View.of(organization), segment, waiting))) {
                throw new IllegalStateException("the merge took longer than an hour and was given up");
            }
        }

        /** Writes the waiting blocks, and publishes the segment when it replaces others. */
        void write(List<Segment> replaced) {
            View view = View.of(organization);
            database.run(organization, 1, (tx, opening) -> {
                opening.run();
                long own = tx.next().number();
                RoundTrip trip = tx.roundTrip();
                IndexProgressSql.skipOwn(trip, view, own);
                if (segment.number() == 0) {
                    segment = new Segment(segment.scope(), own, segment.documents(), segment.newest());
                    SegmentSql.insertHidden(trip, view, List.of(segment));
                }
                SegmentSql.blocks(trip, view, segment, waiting);
                trip.run();
                if (!replaced.isEmpty() && !SegmentSql.publish(tx, view, segment, replaced)) {
                    throw new IllegalStateException("another node has merged the segments"); // rolls back
                }
            });
            waiting.clear();
        }
    }
}
