package dev.inboxd.mailbox.search;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One search through the runs of a scope, from the newest on: the index tells which messages may be meant, their rows
 * whether they are there and visible, and their words how well they fit. It ends with the thousandth that does.
 */
final class IndexSearch {
    static final int MOST_CANDIDATES = 1_000;
    /** So many documents are looked at together at most, where hardly any of them are shown. */
    private static final int MOST_TOGETHER = 32_000;

    private static final int HARDLY_ANY = 8;
    /** The runs of so many documents are looked into first; then of ever more. */
    private static final int FIRST_ROUND = 50_000;

    private final SearchSql sql;
    private final SearchQuery query;
    private final CandidateCheck settling;
    private final List<CandidateDocument> pending = new ArrayList<>();
    private final List<Hit> hits = new ArrayList<>();
    private int together = MOST_CANDIDATES;

    private IndexSearch(SearchSql sql, SearchQuery query, SearchSql.TimeWindow times) {
        this.sql = sql;
        this.query = query;
        this.settling = new CandidateCheck(sql, query, times);
    }

    /** The newest messages that fit, at most a thousand, the newest first. */
    static List<Hit> run(SearchSql sql, List<List<Segment>> runs, SearchQuery query, SearchSql.TimeWindow times) {
        if (query.words().isEmpty()) {
            return List.of();
        }
        return runs.stream()
                .flatMap(scope -> {
                    IndexSearch search = new IndexSearch(sql, query, times);
                    search.through(times.within(scope));
                    return search.hits.stream();
                })
                .sorted(Hit.NEWEST_FIRST)
                .limit(MOST_CANDIDATES)
                .toList();
    }

    private void through(List<Segment> newestFirst) {
        long round = FIRST_ROUND;
        int from = 0;
        while (from < newestFirst.size() && !enough()) {
            int to = from;
            for (long documents = 0; to < newestFirst.size() && documents < round; to++) {
                documents += newestFirst.get(to).documents();
            }
            look(newestFirst.subList(from, to));
            round *= 4;
            from = to;
        }
        settle();
    }

    private boolean enough() {
        return hits.size() >= MOST_CANDIDATES;
    }

    private void look(List<Segment> runs) {
        List<SearchQuery.Word> words = query.lookedUp();
        KeyLookups wishes = new KeyLookups();
        for (Segment run : runs) {
            words.forEach(word -> wishes.add(run, word));
        }
        List<BitSet> found = wishes.fulfil(runs.getFirst().scope());
        int place = 0;
        for (Segment run : runs) {
            BitSet all = null;
            BitSet body = new BitSet();
            BitSet header = new BitSet();
            for (SearchQuery.Word word : words) {
                body = all(found, place, word.body(query.isOneWord()).size());
                place += word.body(query.isOneWord()).size();
                header = all(found, place, word.header().size());
                place += word.header().size();
                BitSet either = (BitSet) header.clone();
                either.or(body);
                all = and(all, either);
            }
            take(run, all == null ? new BitSet() : all, body, header);
        }
    }

    private static BitSet all(List<BitSet> found, int from, int count) {
        BitSet all = (BitSet) found.get(from).clone();
        found.subList(from + 1, from + count).forEach(all::and);
        return all;
    }

    private static BitSet and(@Nullable BitSet one, BitSet other) {
        if (one != null) {
            other.and(one);
        }
        return other;
    }

    private void take(Segment run, BitSet documents, BitSet body, BitSet header) {
        for (int i = documents.length() - 1; i >= 0 && !enough(); i = documents.previousSetBit(i - 1)) {
            pending.add(new CandidateDocument(run, i, body.get(i), header.get(i)));
            if (pending.size() >= together) {
                settle();
            }
        }
    }

    private void settle() {
        int count = pending.size();
        CandidateCheck.CheckedCandidates settled = settling.check(pending, MOST_CANDIDATES - hits.size());
        hits.addAll(settled.hits().values());
        pending.clear();
        together = settled.visible() > count / HARDLY_ANY ? MOST_CANDIDATES : Math.min(4 * together, MOST_TOGETHER);
    }

    /** Every range of keys that is to be looked up in one statement. */
    private final class KeyLookups {
        private final List<SearchSql.KeyRangeQuery> wanted = new ArrayList<>();

        void add(Segment run, SearchQuery.Word word) {
            word.body(query.isOneWord()).forEach(range -> wanted.add(new SearchSql.KeyRangeQuery(run.number(), range)));
            word.header().forEach(range -> wanted.add(new SearchSql.KeyRangeQuery(run.number(), range)));
        }

        /** The documents of each wish, in the order of the wishes. */
        List<BitSet> fulfil(UUID scope) {
            List<BitSet> documents = new ArrayList<>();
            wanted.forEach(_ -> documents.add(new BitSet()));
            for (SearchSql.FoundBlock found : sql.blocks(scope, wanted)) {
                TermKey.Range range = wanted.get(found.place()).range();
                PostingsBlock.Entries entries = new PostingsBlock.Entries(found.block());
                while (entries.next() && entries.key() <= range.high()) {
                    if (entries.key() >= range.low()) {
                        for (int i = 0; i < entries.count(); i++) {
                            documents.get(found.place()).set(entries.documents()[i]);
                        }
                    }
                }
            }
            return documents;
        }
    }
}
