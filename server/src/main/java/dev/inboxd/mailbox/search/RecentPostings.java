package dev.inboxd.mailbox.search;

import dev.inboxd.mailbox.search.segment.PostingsBlock;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.TermKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The newest documents with a single word in all segments of a scope, read from the last blocks of its keys. However
 * large the organization and however frequent the word, this reads a few blocks of each segment.
 */
final class RecentPostings {
    /** The largest number of documents: four times the candidates of a search, since some may be hidden. */
    private static final int MOST = 4 * IndexSearch.MOST_CANDIDATES;

    private final List<CandidateDocument> documents = new ArrayList<>();
    private boolean cut;
    private boolean headsBehind;

    private RecentPostings() {}

    /**
     * Reads the postings of a word for which the index is exact ({@link SearchQuery#isExactTerm()}).
     *
     * @param newestFirst the segments of one scope
     */
    static RecentPostings of(SearchSql sql, SearchQuery.Word word, List<Segment> newestFirst) {
        RecentPostings postings = new RecentPostings();
        if (newestFirst.isEmpty()) {
            return postings;
        }
        List<TermKey.Range> body = word.body(true);
        List<TermKey.Range> header = word.header();
        List<SearchSql.KeyRangeQuery> ranges = new ArrayList<>();
        for (Segment segment : newestFirst) {
            body.forEach(key -> ranges.add(new SearchSql.KeyRangeQuery(segment.number(), key)));
            header.forEach(key -> ranges.add(new SearchSql.KeyRangeQuery(segment.number(), key)));
        }
        List<KeyPostings> keyPostings = postingsOf(sql, newestFirst.getFirst().scope(), ranges);
        int place = 0;
        for (Segment segment : newestFirst) {
            List<KeyPostings> inBody = keyPostings.subList(place, place + body.size());
            List<KeyPostings> inHeader = keyPostings.subList(place + body.size(), place + body.size() + header.size());
            place += body.size() + header.size();
            int from = inBody.stream().mapToInt(KeyPostings::from).max().orElse(0);
            postings.add(segment, all(inBody, KeyPostings::surely), all(inHeader, KeyPostings::perhaps), from);
        }
        return postings;
    }

    /** The newest documents with the word, certainly or possibly in the header; the newest first. */
    List<CandidateDocument> documents() {
        return documents;
    }

    /** Whether older documents than these may have the word. */
    boolean isCut() {
        return cut;
    }

    /** How many candidates of a search these may be; the largest number when older documents may follow. */
    int candidates() {
        return cut ? IndexSearch.MOST_CANDIDATES : documents.size();
    }

    /**
     * Those of the first documents that may have the word in the header.
     *
     * @param first how many documents are looked at
     */
    List<CandidateDocument> heads(int first) {
        return documents.stream()
                .limit(first)
                .filter(CandidateDocument::inHeader)
                .toList();
    }

    /**
     * Whether documents after the first ones may have the word in the header.
     *
     * @param first how many documents are skipped
     */
    boolean hasHeadsBehind(int first) {
        return headsBehind || documents.stream().skip(first).anyMatch(CandidateDocument::inHeader);
    }

    /**
     * Adds an older segment, whose documents are known from one number on. Once documents are left out, the search may
     * have to read on.
     */
    private void add(Segment segment, BitSet body, BitSet header, int from) {
        BitSet either = (BitSet) body.clone();
        either.or(header);
        int unlisted = cut ? segment.documents() : from;
        int i = cut ? -1 : either.length() - 1;
        for (; i >= from && documents.size() < MOST; i = either.previousSetBit(i - 1)) {
            documents.add(new CandidateDocument(segment, i, body.get(i), header.get(i)));
        }
        if (i >= from) {
            unlisted = i + 1;
        }
        cut |= unlisted > 0;
        headsBehind |= header.previousSetBit(unlisted - 1) >= 0;
    }

    /**
     * The documents of a key in its last blocks.
     *
     * @param from the first document that these blocks cover
     */
    private record KeyPostings(BitSet documents, int from) {
        BitSet surely() {
            return (BitSet) documents.clone();
        }

        BitSet perhaps() {
            BitSet perhaps = surely();
            perhaps.set(0, from);
            return perhaps;
        }
    }

    private static BitSet all(List<KeyPostings> postings, Function<KeyPostings, BitSet> documents) {
        BitSet all = documents.apply(postings.getFirst());
        postings.stream().skip(1).forEach(keyPostings -> all.and(documents.apply(keyPostings)));
        return all;
    }

    /** The postings of each key, in the order of the keys. */
    private static List<KeyPostings> postingsOf(SearchSql sql, UUID scope, List<SearchSql.KeyRangeQuery> ranges) {
        List<BitSet> documents = ranges.stream().map(_ -> new BitSet()).toList();
        int[] beginning = new int[ranges.size()];
        for (SearchSql.FoundBlock foundBlock : sql.lastBlocks(scope, ranges)) {
            long key = ranges.get(foundBlock.place()).range().low();
            beginning[foundBlock.place()] += foundBlock.block().key() == key ? 1 : 0;
            PostingsBlock.Entries entries = new PostingsBlock.Entries(foundBlock.block());
            if (entries.next(key)) {
                for (int i = 0; i < entries.count(); i++) {
                    documents.get(foundBlock.place()).set(entries.documents()[i]);
                }
            }
        }
        // When every block begins with the key, blocks before them may have it too.
        return IntStream.range(0, ranges.size())
                .mapToObj(i -> new KeyPostings(
                        documents.get(i),
                        beginning[i] == SearchSql.LAST_BLOCKS ? documents.get(i).nextSetBit(0) : 0))
                .toList();
    }
}
