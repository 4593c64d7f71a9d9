package dev.inboxd.mailbox.search.index;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageLookup;
import dev.inboxd.mailbox.search.segment.DocumentBlocks;
import dev.inboxd.mailbox.search.segment.IndexProgressSql;
import dev.inboxd.mailbox.search.segment.PostingsBlock;
import dev.inboxd.mailbox.search.segment.PostingsWriter;
import dev.inboxd.mailbox.search.segment.SearchText;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.SegmentMerger;
import dev.inboxd.mailbox.search.segment.SegmentSql;
import dev.inboxd.mailbox.search.segment.TermCollector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * New messages of one organization on their way into the index: read, split into terms, and written as one segment for
 * each scope, in a commit with the batches of other organizations.
 */
final class IndexBatch {
    /** Messages that were deleted after they were read, or whose inbox is being deleted. */
    private static final RowStatement<Document> DELETED = RowStatement.of(
            "select {tenant}r.id from {rows} as r"
                    + " left join message m on {m} and m.message_id = r.id"
                    + " left join inbox i on {i} and i.inbox_id = r.inbox and i.deleting"
                    + " where m.message_id is null or i.inbox_id is not null",
            RowStatement.uuid("id", Document::message),
            RowStatement.uuid("inbox", Document::inbox));
    /** A text exists already when the index is rebuilt. */
    private static final RowStatement<Document> INSERT_TEXT = RowStatement.of(
            "insert into search_text (organization_id, message_id, content)"
                    + " select {organization}, r.* from {rows} as r on conflict do nothing",
            RowStatement.uuid("id", Document::message),
            RowStatement.bytes("content", Document::text));

    private static final Logger LOG = LoggerFactory.getLogger(IndexBatch.class);
    /** The largest number of messages at a time; more would hold the organizations' clocks too long. */
    private static final MessageLookup.ScanLimit LIMIT = new MessageLookup.ScanLimit(128, 256);

    private final UUID organization;
    private final long from;
    private final long to;
    private final boolean complete;
    private final List<Document> documents;
    private final Map<UUID, List<Integer>> members = new LinkedHashMap<>();
    private final List<Segment.NewSegment> segments;
    private volatile boolean outdated;

    /** A message with its indexed text and its terms. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Document(UUID message, UUID inbox, Instant at, byte[] text, List<PostingsBlock> terms) {
        Document {
            terms = List.copyOf(terms);
        }
    }

    private IndexBatch(IndexProgressSql.Progress progress, MessageLookup.ScanResult scan, TextLoader loader) {
        this.organization = progress.scopes().organization();
        this.from = progress.indexed();
        this.to = scan.upTo();
        this.complete = to == progress.clock();
        List<MessageLookup.CreatedMessage> created = scan.messages();
        this.documents =
                created.stream().map(message -> document(message, loader)).toList();
        for (int i = 0; i < documents.size(); i++) {
            for (UUID scope : progress.scopes().of(created.get(i).message().place())) {
                members.computeIfAbsent(scope, _ -> new ArrayList<>()).add(i);
            }
        }
        this.segments = segments();
    }

    /** Reads the new messages of these organizations together, and splits them into terms. */
    static List<IndexBatch> read(Database database, Collection<UUID> organizations, TextLoader loader) {
        Map<UUID, IndexProgressSql.Progress> progress = new LinkedHashMap<>();
        Map<UUID, MessageLookup.ScanResult> scans = database.read(tx -> {
            // The clock is read first: all that it counts is committed when the messages are read.
            progress.putAll(IndexProgressSql.read(tx, organizations));
            Map<UUID, MessageLookup.ChangeRange> spans = new LinkedHashMap<>();
            progress.forEach((id, position) ->
                    spans.put(id, new MessageLookup.ChangeRange(position.indexed(), position.clock())));
            return MessageLookup.created(tx, spans, LIMIT, loader::has);
        });
        return scans.entrySet().stream()
                .map(entry ->
                        new IndexBatch(Objects.requireNonNull(progress.get(entry.getKey())), entry.getValue(), loader))
                .toList();
    }

    private static Document document(MessageLookup.CreatedMessage created, TextLoader loader) {
        Message message = created.message();
        String text = text(created, loader);
        return new Document(
                message.id(),
                message.place().inbox(),
                message.createdAt(),
                SearchText.deflated(text),
                terms(message, text));
    }

    /** A message that cannot be read must not keep the others out of the index. */
    private static String text(MessageLookup.CreatedMessage created, TextLoader loader) {
        try {
            return SearchText.of(loader.readable(created));
        } catch (RuntimeException unreadable) {
            LOG.warn(
                    "message text not indexed, the search finds its header only: message={} cause={}",
                    created.message().id(),
                    unreadable.toString());
            return "";
        }
    }

    private static List<PostingsBlock> terms(Message message, String text) {
        List<String> headers = new ArrayList<>();
        headers.add(message.people().from());
        headers.add(message.subject() == null ? "" : message.subject());
        headers.addAll(message.people().recipients());
        List<PostingsBlock> blocks = new ArrayList<>();
        PostingsWriter writer = new PostingsWriter(blocks::add);
        for (long key : TermCollector.of(headers, text)) {
            writer.add(key, new int[] {0}, 1);
        }
        writer.end();
        return blocks;
    }

    UUID organization() {
        return organization;
    }

    boolean isEmpty() {
        return documents.isEmpty();
    }

    /** Whether the organization has more new messages than one batch takes. */
    boolean isFull() {
        return !complete;
    }

    /** Whether the index is behind the organization's clock, though perhaps by changes without new messages. */
    boolean isBehind() {
        return from != to;
    }

    /** The scopes whose index gets a new segment. */
    Set<UUID> scopes() {
        return members.keySet();
    }

    /** The new segments, still without their number. */
    private List<Segment.NewSegment> segments() {
        Map<List<Integer>, List<PostingsBlock>> blocksByMembers =
                new HashMap<>(); // an inbox often has all mail of its organization
        List<Segment.NewSegment> segments = new ArrayList<>();
        members.forEach((scope, indexes) -> segments.add(new Segment.NewSegment(
                new Segment(scope, 0, indexes.size(), documents.get(indexes.getLast()).at),
                blocksByMembers.computeIfAbsent(indexes, this::blocks))));
        return segments;
    }

    private List<PostingsBlock> blocks(List<Integer> indexes) {
        List<PostingsBlock> blocks = new ArrayList<>(DocumentBlocks.blocks(
                indexes.stream().map(i -> documents.get(i).message).toList()));
        List<SegmentMerger.Source> sources = IntStream.range(0, indexes.size())
                .mapToObj(i -> new SegmentMerger.Source(
                        documents.get(indexes.get(i)).terms.iterator(), new int[] {i}))
                .toList();
        SegmentMerger.write(sources, new PostingsWriter(blocks::add));
        return blocks;
    }

    /** The change in one transaction. It may be created again for each attempt, until one is committed. */
    GroupCommit.Change in(Tx tx) {
        return new Writing(tx);
    }

    /**
     * Whether the batch was not written and must be read again, because a message was deleted, or another node has
     * moved the index on.
     */
    boolean isOutdated() {
        return outdated;
    }

    /**
     * Writes under the organization's clock, unless another node was faster, or one of the messages or inboxes was
     * deleted after they were read: nothing of it may remain (promise P19).
     */
    private final class Writing implements GroupCommit.Change {
        private final Tx tx;
        private final View view = View.of(organization);
        private RoundTrip.Result<UUID> deleted = RoundTrip.Result.none();
        private RoundTrip.Result<Long> moved = RoundTrip.Result.none();

        Writing(Tx tx) {
            this.tx = tx;
        }

        @Override
        public ClockReservation claim() {
            return ClockReservation.numbers(1);
        }

        @Override
        public void prefetch(RoundTrip opening) {
            deleted = opening.query(view, DELETED, documents, row -> row.uuid("id"));
            moved = IndexProgressSql.prefetchMoved(opening, view, from);
        }

        @Override
        public void write(RoundTrip writes) {
            outdated = !deleted.rows().isEmpty() || !moved.rows().isEmpty();
            if (outdated) {
                return;
            }
            long number = tx.next().number();
            IndexProgressSql.advance(writes, view, to, number);
            SegmentSql.insert(
                    writes,
                    view,
                    segments.stream().map(segment -> segment.numbered(number)).toList());
            writes.change(view, INSERT_TEXT, documents);
        }
    }
}
