package dev.inboxd.mailbox.search;

import dev.inboxd.mailbox.search.segment.PostingsBlock;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.TermKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One search through the segments of a scope, the newest first. The postings give candidates, the message rows tell
 * which of them are visible, and the words tell how well they match. The search ends with the thousandth hit.
 */
final class IndexSearch {
    static final int MOST_CANDIDATES = 1_000;
    /** Candidates checked together at most, when hardly any of them are visible and pass the filter. */
    private static final int MOST_TOGETHER = 32_000;

    /** Fewer than one candidate in this many is wanted: then more are checked together. */
    private static final int HARDLY_ANY = 8;
    /** Documents of the segments in the first round; each further round has four times as many. */
    private static final int FIRST_ROUND = 50_000;

    private final SearchSql sql;
    private final SearchQuery query;
    private final CandidateCheck check;
    private final List<TermKey.Range> required;
    private final List<CandidateDocument> pending = new ArrayList<>();
    private final List<Hit> hits = new ArrayList<>();
    private int together = MOST_CANDIDATES;

    private IndexSearch(SearchSql sql, SearchQuery query, SearchSql.TimeWindow times) {
        this.sql = sql;
        this.query = query;
        this.check = new CandidateCheck(sql, query, times);
        this.required = sql.required();
    }

    /** The newest messages that match, at most a thousand, the newest first. */
    static List<Hit> run(SearchSql sql, List<List<Segment>> segments, SearchQuery query, SearchSql.TimeWindow times) {
        if (query.words().isEmpty()) {
            return List.of();
        }
        return segments.stream()
                .flatMap(scope -> {
                    IndexSearch search = new IndexSearch(sql, query, times);
                    search.searchAll(times.within(scope));
                    return search.hits.stream();
                })
                .sorted(Hit.NEWEST_FIRST)
                .limit(MOST_CANDIDATES)
                .toList();
    }

    private void searchAll(List<Segment> newestFirst) {
        long round = FIRST_ROUND;
        int from = 0;
        while (from < newestFirst.size() && !enough()) {
            int to = from;
            for (long documents = 0; to < newestFirst.size() && documents < round; to++) {
                documents += newestFirst.get(to).documents();
            }
            collect(newestFirst.subList(from, to));
            round *= 4;
            from = to;
        }
        checkPending();
    }

    private boolean enough() {
        return hits.size() >= MOST_CANDIDATES;
    }

    private void collect(List<Segment> segments) {
        List<SearchQuery.Word> words = query.lookedUp();
        KeyLookups lookups = new KeyLookups();
        for (Segment segment : segments) {
            words.forEach(word -> lookups.add(segment, word));
            required.forEach(part -> lookups.add(segment, part));
        }
        List<BitSet> documents = lookups.documents(segments.getFirst().scope());
        int place = 0;
        for (Segment segment : segments) {
            BitSet all = null;
            BitSet body = new BitSet();
            BitSet header = new BitSet();
            for (SearchQuery.Word word : words) {
                body = all(documents, place, word.body(query.isOneWord()).size());
                place += word.body(query.isOneWord()).size();
                header = all(documents, place, word.header().size());
                place += word.header().size();
                BitSet either = (BitSet) header.clone();
                either.or(body);
                all = and(all, either);
            }
            for (int i = 0; i < required.size(); i++) {
                all = and(all, documents.get(place++));
            }
            take(segment, all == null ? new BitSet() : all, body, header);
        }
    }

    private static BitSet all(List<BitSet> documents, int from, int count) {
        BitSet all = (BitSet) documents.get(from).clone();
        documents.subList(from + 1, from + count).forEach(all::and);
        return all;
    }

    private static BitSet and(@Nullable BitSet left, BitSet right) {
        if (left != null) {
            right.and(left);
        }
        return right;
    }

    private void take(Segment segment, BitSet documents, BitSet body, BitSet header) {
        for (int i = documents.length() - 1; i >= 0 && !enough(); i = documents.previousSetBit(i - 1)) {
            pending.add(new CandidateDocument(segment, i, body.get(i), header.get(i)));
            if (pending.size() >= together) {
                checkPending();
            }
        }
    }

    private void checkPending() {
        int count = pending.size();
        CandidateCheck.CheckedCandidates checked = check.check(pending, MOST_CANDIDATES - hits.size());
        hits.addAll(checked.hits().values());
        pending.clear();
        together = checked.passed() > count / HARDLY_ANY ? MOST_CANDIDATES : Math.min(4 * together, MOST_TOGETHER);
    }

    /** The key ranges to be looked up in one statement. */
    private final class KeyLookups {
        private final List<SearchSql.KeyRangeQuery> ranges = new ArrayList<>();

        void add(Segment segment, SearchQuery.Word word) {
            word.body(query.isOneWord()).forEach(range -> add(segment, range));
            word.header().forEach(range -> add(segment, range));
        }

        void add(Segment segment, TermKey.Range range) {
            ranges.add(new SearchSql.KeyRangeQuery(segment.number(), range));
        }

        /** The documents of each key range, in the order of the ranges. */
        List<BitSet> documents(UUID scope) {
            List<BitSet> documents = new ArrayList<>();
            ranges.forEach(_ -> documents.add(new BitSet()));
            for (SearchSql.FoundBlock foundBlock : sql.blocks(scope, ranges)) {
                TermKey.Range range = ranges.get(foundBlock.place()).range();
                PostingsBlock.Entries entries = new PostingsBlock.Entries(foundBlock.block());
                while (entries.next() && entries.key() <= range.high()) {
                    if (entries.key() >= range.low()) {
                        for (int i = 0; i < entries.count(); i++) {
                            documents.get(foundBlock.place()).set(entries.documents()[i]);
                        }
                    }
                }
            }
            return documents;
        }
    }
}
