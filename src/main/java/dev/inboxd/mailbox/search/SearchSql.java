package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
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
 * What one search reads, within the time it has. The index is read for the whole organization; messages only as the
 * caller's view shows them.
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

    /** How many blocks {@link #lastBlocks} reads of each key at most. */
    static final int LAST_BLOCKS = 3;

    /** Where the last block that may hold a key begins with it, more may hold it before; each is one step back in the index. */
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
                 where {x} and x.scope_id = :scope and x.run = w.run and x.key >= 0 and (x.key, x.part) < (l.key, l.part)
                     and l.key = w.key
                 order by x.key desc, x.part desc limit :more)) as b""";

    private static final String DOCUMENTS = """
            select x.run, x.key, substring(x.content from w.start for w.length) as content
            from unnest(:runs::bigint[], :keys::bigint[], :starts::int[], :lengths::int[]) as w (run, key, start, length)
            join search_block x on x.scope_id = :scope and x.run = w.run and x.key = w.key and x.part = 0 where {x}""";

    /** Of many, of which hardly any are left, so that their rows are not read. */
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

    private final Tx tx;
    private final View view;
    private final View organization;
    private final long end;

    /**
     * The reading of one search.
     *
     * @param within how long it may take altogether; then the database is busy
     */
    SearchSql(Tx tx, View view, Duration within) {
        this.tx = tx;
        this.view = view;
        this.organization = View.of(view.organization());
        this.end = System.nanoTime() + within.toNanos();
    }

    /** A range of keys in a run. */
    record KeyRangeQuery(long run, TermKey.Range range) {}

    /** A block that may hold the keys of the wish at that place. */
    record FoundBlock(int place, PostingsBlock block) {}

    /** The block of a run that names some of its documents. */
    record DocumentBlock(long run, long key) {}

    /**
     * What is wanted of such a block: a word that is rare is in few of the documents of many blocks.
     *
     * @param first the first document, and {@code last} the last, in that block
     */
    record Span(int first, int last) {
        static Span of(int document) {
            return new Span(document, document);
        }

        Span with(Span other) {
            return new Span(Math.min(first, other.first), Math.max(last, other.last));
        }
    }

    /**
     * A message that may be what is searched for.
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

    /** Which messages a search wants at all: none younger than the snapshot that its pages are of. */
    record TimeWindow(
            Instant snapshot,
            @Nullable Instant after,
            @Nullable Instant before) {
        /** The snapshot of a search whose pages have none yet. */
        static final Instant ALWAYS = Instant.parse("9999-12-31T00:00:00Z");

        /** Those of the runs that may hold such messages. */
        List<Segment> within(List<Segment> newestFirst) {
            return IntStream.range(0, newestFirst.size())
                    .filter(i -> after == null || !newestFirst.get(i).newest().isBefore(after))
                    // A run is younger than the next, so a next one that is too young leaves nothing of it.
                    .filter(i -> i + 1 == newestFirst.size()
                            || !isTooYoung(newestFirst.get(i + 1).newest()))
                    .mapToObj(newestFirst::get)
                    .toList();
        }

        /** Whether a message may be such a one by the time in its key, which is exact to a millisecond or so. */
        boolean mayBe(UUID message) {
            Instant at = Instant.ofEpochMilli(message.getMostSignificantBits() >>> Short.SIZE);
            return (after == null || !at.isBefore(after.minusMillis(1))) && !isTooYoung(at);
        }

        private boolean isTooYoung(Instant at) {
            return at.isAfter(snapshot) || (before != null && !at.isBefore(before));
        }
    }

    /** The live runs of each scope that the view is about, the newest first. */
    List<List<Segment>> segments() {
        return SegmentSql.live(
                tx, organization, IndexScopes.read(tx, view.organization()).of(view));
    }

    List<FoundBlock> blocks(UUID scope, List<KeyRangeQuery> wanted) {
        return tx.sql(organization, BLOCKS)
                .bind("scope", scope)
                .bind("runs", wanted.stream().map(KeyRangeQuery::run).toArray(Long[]::new))
                .bind("places", IntStream.range(0, wanted.size()).boxed().toArray(Integer[]::new))
                .bind("lows", wanted.stream().map(each -> each.range.low()).toArray(Long[]::new))
                .bind("highs", wanted.stream().map(each -> each.range.high()).toArray(Long[]::new))
                .until(end)
                .list(SearchSql::found);
    }

    /** Of each single key the last blocks that may hold it, in any order: one, or up to so many when they begin with it. */
    List<FoundBlock> lastBlocks(UUID scope, List<KeyRangeQuery> wanted) {
        return tx.sql(organization, LAST)
                .bind("scope", scope)
                .bind("more", LAST_BLOCKS - 1)
                .bind("runs", wanted.stream().map(KeyRangeQuery::run).toArray(Long[]::new))
                .bind("places", IntStream.range(0, wanted.size()).boxed().toArray(Integer[]::new))
                .bind("keys", wanted.stream().map(each -> each.range.low()).toArray(Long[]::new))
                .until(end)
                .list(SearchSql::found);
    }

    private static FoundBlock found(Row row) {
        return new FoundBlock(
                row.integer("place"), new PostingsBlock(row.longer("key"), row.integer("part"), row.bytes("content")));
    }

    /** Of each block the names of those documents, from the first on. */
    Map<DocumentBlock, byte[]> documents(UUID scope, Map<DocumentBlock, Span> wanted) {
        Map<DocumentBlock, byte[]> found = new HashMap<>();
        List<DocumentBlock> names = List.copyOf(wanted.keySet());
        List<Span> spans = List.copyOf(wanted.values());
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
                .list(row -> found.put(new DocumentBlock(row.longer("run"), row.longer("key")), row.bytes("content")));
        return found;
    }

    /** Those of the messages that may be found by the view. */
    Set<UUID> visible(Collection<UUID> ids) {
        return Set.copyOf(tx.sql(view, SHOWN)
                .bind("ids", ids.toArray(UUID[]::new))
                .until(end)
                .list(row -> row.uuid("message_id")));
    }

    /**
     * The messages that the view shows.
     *
     * @param header whether what their headers say is needed; else it is left empty
     */
    Map<UUID, CandidateMessage> candidates(Collection<UUID> ids, boolean header, TimeWindow times) {
        Map<UUID, CandidateMessage> found = new HashMap<>();
        if (ids.isEmpty()) {
            return found;
        }
        tx.sql(
                        view,
                        (header ? WITH_HEADER : WITHOUT_HEADER)
                                + (times.after == null ? "" : " and m.created_at >= :after")
                                + (times.before == null ? "" : " and m.created_at < :before"))
                .bind("ids", ids.toArray(UUID[]::new))
                .bind("snapshot", times.snapshot)
                .bind("after", times.after)
                .bind("before", times.before)
                .until(end)
                .list(row -> found.put(
                        row.uuid("message_id"),
                        new CandidateMessage(
                                row.uuid("message_id"),
                                row.uuid("thread_id"),
                                row.instant("created_at"),
                                row.text("sender"),
                                row.textOrNull("subject"),
                                row.text("recipients"))));
        return found;
    }

    /** The searched texts; a message without one has none. */
    Map<UUID, String> texts(Collection<UUID> ids) {
        Map<UUID, String> found = new HashMap<>();
        tx.sql(
                        organization,
                        "select x.message_id, x.content from search_text x where {x} and x.message_id = any (:ids)")
                .bind("ids", ids.toArray(UUID[]::new))
                .until(end)
                .list(row -> found.put(row.uuid("message_id"), SearchText.inflated(row.bytes("content"))));
        return found;
    }
}
