package dev.inboxd.mailbox.search;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.MessageLists;
import dev.inboxd.mailbox.search.segment.DocumentBlocks;
import dev.inboxd.mailbox.search.segment.IndexScopes;
import dev.inboxd.mailbox.search.segment.PostingsBlock;
import dev.inboxd.mailbox.search.segment.SearchText;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.SegmentSql;
import dev.inboxd.mailbox.search.segment.TermKey;
import dev.inboxd.mailbox.thread.MailFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one search, within its deadline. The index is read for the whole organization, and messages only as
 * the caller's view shows them.
 */
final class SearchSql {
    private static final String BLOCKS = """
            select w.place, b.key, b.part, b.content
            from unnest(:runs::bigint[], :places::int[], :lows::bigint[], :highs::bigint[]) as w (run, place, low, high)
            cross join lateral (
                (select x.key, x.part, x.content from search_block x
                 where {x} and x.scope_id = :scope and x.run = w.run and x.key >= 0 and x.key < w.low
                 order by x.key desc, x.part desc limit 1)
                union all
                (select x.key, x.part, x.content from search_block x
                 where {x} and x.scope_id = :scope and x.run = w.run and x.key >= w.low and x.key <= w.high)) as b""";

    /** The largest number of blocks that {@link #lastBlocks} reads for a key. */
    static final int LAST_BLOCKS = 3;

    /**
     * When the last block of a key begins with the key, the blocks before it may have it too. Each is one step back in
     * the index.
     */
    private static final String LAST = """
            select w.place, b.key, b.part, b.content
            from unnest(:runs::bigint[], :places::int[], :keys::bigint[]) as w (run, place, key)
            cross join lateral (
                select x.key, x.part, x.content from search_block x
                where {x} and x.scope_id = :scope and x.run = w.run and x.key >= 0 and x.key <= w.key
                order by x.key desc, x.part desc limit 1) as l
            cross join lateral (
                select l.key, l.part, l.content
                union all
                (select x.key, x.part, x.content from search_block x
                 where {x} and x.scope_id = :scope and x.run = w.run and x.key >= 0
                   and (x.key, x.part) < (l.key, l.part) and l.key = w.key
                 order by x.key desc, x.part desc limit :more)) as b""";

    private static final String DOCUMENTS = """
            select x.run, x.key, substring(x.content from w.start for w.length) as content
            from unnest(:runs::bigint[], :keys::bigint[], :starts::int[], :lengths::int[])
                 as w (run, key, start, length)
            join search_block x on x.scope_id = :scope and x.run = w.run and x.key = w.key and x.part = 0 where {x}""";

    /** Filters many candidates of which hardly any are wanted, so that their rows need not be read. */
    private static final String SHOWN = """
            select m.message_id from message m
            where {m visible} and m.restricted = 0 and m.message_id = any (:ids)""";

    private static final String CANDIDATES = """
            select m.message_id, m.thread_id, m.created_at, %s
            from message m
            join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id and not i.deleting
            where {m visible} and m.restricted = 0 and m.message_id = any (:ids) and m.created_at <= :snapshot""";

    private static final String WITH_HEADER = CANDIDATES.formatted("m.sender, m.subject,"
            + " array_to_string(m.recipients_to || m.recipients_cc || m.recipients_bcc, chr(10)) as recipients");
    private static final String WITHOUT_HEADER =
            CANDIDATES.formatted("'' as sender, null as subject, '' as recipients");
    /** One statement for every filter: there would be a hundred, and the rows are few. */
    private static final String CONDITIONS = " and m.created_at >= :after and m.created_at < :before and "
            + MailFilter.fullCondition(MessageLists.COLUMNS);

    private static final String FILTERED = WITH_HEADER + CONDITIONS;

    private final Tx tx;
    private final View view;
    private final View organization;
    private final MailFilter filter;
    private final long end;

    /**
     * The statements of one search.
     *
     * @param filter what the messages match beside the words
     * @param within the time for all statements; after it, the search fails because the database is busy
     */
    SearchSql(Tx tx, View view, MailFilter filter, Duration within) {
        this.tx = tx;
        this.view = view;
        this.filter = filter;
        this.organization = View.of(view.organization());
        this.end = System.nanoTime() + within.toNanos();
    }

    /** A range of keys in a segment. */
    record KeyRangeQuery(long run, TermKey.Range range) {}

    /** A block that may have keys of the range at that position in the query. */
    record FoundBlock(int place, PostingsBlock block) {}

    /** The block of a segment's document map that has some of its documents. */
    record DocumentBlock(long run, long key) {}

    /**
     * The wanted range of such a block: a rare word has few documents, in many blocks.
     *
     * @param first number of the first document
     * @param last number of the last document, in the same block
     */
    record Span(int first, int last) {
        static Span of(int document) {
            return new Span(document, document);
        }

        Span with(Span addition) {
            return new Span(Math.min(first, addition.first), Math.max(last, addition.last));
        }
    }

    /**
     * A message that may match.
     *
     * @param recipients each on a line of its own
     */
    record CandidateMessage(
            UUID message,
            UUID thread,
            Instant at,
            String sender,
            @Nullable String subject,
            String recipients) {}

    /** The times of the messages that a search may find: none is newer than the snapshot of the search's pages. */
    record TimeWindow(
            Instant snapshot,
            @Nullable Instant after,
            @Nullable Instant before) {
        /** The snapshot of a search whose first page is being read. */
        static final Instant ALWAYS = Instant.parse("9999-12-31T00:00:00Z");

        /** Those of the segments that may have such messages. */
        List<Segment> within(List<Segment> newestFirst) {
            return IntStream.range(0, newestFirst.size())
                    .filter(i -> after == null || !newestFirst.get(i).newest().isBefore(after))
                    // Segments do not overlap: when the next older segment is too new, all of this one is.
                    .filter(i -> i + 1 == newestFirst.size()
                            || !isTooYoung(newestFirst.get(i + 1).newest()))
                    .mapToObj(newestFirst::get)
                    .toList();
        }

        /** Whether a message may be in the window, by the time in its id, which is exact to about a millisecond. */
        boolean mayBe(UUID message) {
            Instant at = Instant.ofEpochMilli(message.getMostSignificantBits() >>> Short.SIZE);
            return (after == null || !at.isBefore(after.minusMillis(1))) && !isTooYoung(at);
        }

        private boolean isTooYoung(Instant at) {
            return at.isAfter(snapshot) || (before != null && !at.isBefore(before));
        }
    }

    /** The live segments of each scope of the view, the newest first. */
    List<List<Segment>> segments() {
        return SegmentSql.live(
                tx, organization, IndexScopes.read(tx, view.organization()).of(view));
    }

    List<FoundBlock> blocks(UUID scope, List<KeyRangeQuery> ranges) {
        return tx.sql(organization, BLOCKS)
                .bind("scope", scope)
                .bind("runs", ranges.stream().map(KeyRangeQuery::run).toArray(Long[]::new))
                .bind("places", IntStream.range(0, ranges.size()).boxed().toArray(Integer[]::new))
                .bind("lows", ranges.stream().map(query -> query.range.low()).toArray(Long[]::new))
                .bind("highs", ranges.stream().map(query -> query.range.high()).toArray(Long[]::new))
                .until(end)
                .list(SearchSql::readBlock);
    }

    /**
     * For each key, the last blocks that may have it, in any order: one, or up to {@link #LAST_BLOCKS} when they begin
     * with the key.
     */
    List<FoundBlock> lastBlocks(UUID scope, List<KeyRangeQuery> ranges) {
        return tx.sql(organization, LAST)
                .bind("scope", scope)
                .bind("more", LAST_BLOCKS - 1)
                .bind("runs", ranges.stream().map(KeyRangeQuery::run).toArray(Long[]::new))
                .bind("places", IntStream.range(0, ranges.size()).boxed().toArray(Integer[]::new))
                .bind("keys", ranges.stream().map(query -> query.range.low()).toArray(Long[]::new))
                .until(end)
                .list(SearchSql::readBlock);
    }

    private static FoundBlock readBlock(Row row) {
        return new FoundBlock(
                row.integer("place"), new PostingsBlock(row.longer("key"), row.integer("part"), row.bytes("content")));
    }

    /** The message ids of a range of documents in each block. */
    Map<DocumentBlock, byte[]> documents(UUID scope, Map<DocumentBlock, Span> spansByBlock) {
        Map<DocumentBlock, byte[]> ids = new HashMap<>();
        List<DocumentBlock> names = List.copyOf(spansByBlock.keySet());
        List<Span> spans = List.copyOf(spansByBlock.values());
        tx.sql(organization, DOCUMENTS)
                .bind("scope", scope)
                .bind("runs", names.stream().map(DocumentBlock::run).toArray(Long[]::new))
                .bind("keys", names.stream().map(DocumentBlock::key).toArray(Long[]::new))
                .bind(
                        "starts",
                        spans.stream()
                                .map(span -> DocumentBlocks.offset(span.first) + 1)
                                .toArray(Integer[]::new))
                .bind(
                        "lengths",
                        spans.stream()
                                .map(span -> DocumentBlocks.size(span.last - span.first + 1))
                                .toArray(Integer[]::new))
                .until(end)
                .list(row -> ids.put(new DocumentBlock(row.longer("run"), row.longer("key")), row.bytes("content")));
        return ids;
    }

    /** What the index has of every message that the filter keeps, beside the words. */
    List<TermKey.Range> required() {
        return HeaderParts.of(filter.texts());
    }

    /** Those of the messages that the view shows and the filter keeps. */
    Set<UUID> matching(Collection<UUID> ids, TimeWindow times) {
        return Set.copyOf(filter.bindCondition(tx.sql(view, filter.isOfTimes() ? SHOWN : SHOWN + CONDITIONS))
                .bind("after", times.after == null ? Instant.EPOCH : times.after)
                .bind("before", times.before == null ? TimeWindow.ALWAYS : times.before)
                .bind("ids", ids.toArray(UUID[]::new))
                .until(end)
                .list(row -> row.uuid("message_id")));
    }

    /**
     * The messages that the view shows.
     *
     * @param header whether to read the header fields; else they are empty
     */
    Map<UUID, CandidateMessage> candidates(Collection<UUID> ids, boolean header, TimeWindow times) {
        Map<UUID, CandidateMessage> candidates = new HashMap<>();
        if (ids.isEmpty()) {
            return candidates;
        }
        boolean all = filter.isOfTimes();
        String sql = !all
                ? FILTERED
                : (header ? WITH_HEADER : WITHOUT_HEADER)
                        + (times.after == null ? "" : " and m.created_at >= :after")
                        + (times.before == null ? "" : " and m.created_at < :before");
        filter.bindCondition(tx.sql(view, sql))
                .bind("ids", ids.toArray(UUID[]::new))
                .bind("snapshot", times.snapshot)
                .bind("after", all || times.after != null ? times.after : Instant.EPOCH)
                .bind("before", all || times.before != null ? times.before : TimeWindow.ALWAYS)
                .until(end)
                .list(row -> candidates.put(
                        row.uuid("message_id"),
                        new CandidateMessage(
                                row.uuid("message_id"),
                                row.uuid("thread_id"),
                                row.instant("created_at"),
                                row.text("sender"),
                                row.textOrNull("subject"),
                                row.text("recipients"))));
        return candidates;
    }

    /** The indexed texts, by message; without the messages that have none. */
    Map<UUID, String> texts(Collection<UUID> ids) {
        Map<UUID, String> texts = new HashMap<>();
        tx.sql(
                        organization,
                        "select x.message_id, x.content from search_text x where {x} and x.message_id = any (:ids)")
                .bind("ids", ids.toArray(UUID[]::new))
                .until(end)
                .list(row -> texts.put(row.uuid("message_id"), SearchText.inflated(row.bytes("content"))));
        return texts;
    }
}
