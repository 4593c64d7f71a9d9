package dev.inboxd.mailbox.search;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What one look at the last blocks of its keys tells of a single word in all runs of a scope: the newest documents that
 * have it. However large the organization and however frequent the word is, it reads a few blocks of each run.
 */
final class RecentPostings {
    /** Four times as many as are candidates, so that some may be hidden. */
    private static final int MOST = 4 * IndexSearch.MOST_CANDIDATES;

    private final List<CandidateDocument> documents = new ArrayList<>();
    private boolean cut;
    private boolean headsBehind;

    private RecentPostings() {}

    /**
     * Looks for a word of which the index tells all ({@link SearchQuery#isTold()}).
     *
     * @param newestFirst the runs of one scope
     */
    static RecentPostings of(SearchSql sql, SearchQuery.Word word, List<Segment> newestFirst) {
        RecentPostings glance = new RecentPostings();
        if (newestFirst.isEmpty()) {
            return glance;
        }
        List<TermKey.Range> body = word.body(true);
        List<TermKey.Range> header = word.header();
        List<SearchSql.KeyRangeQuery> wanted = new ArrayList<>();
        for (Segment run : newestFirst) {
            body.forEach(key -> wanted.add(new SearchSql.KeyRangeQuery(run.number(), key)));
            header.forEach(key -> wanted.add(new SearchSql.KeyRangeQuery(run.number(), key)));
        }
        List<KeyPostings> known = known(sql, newestFirst.getFirst().scope(), wanted);
        int place = 0;
        for (Segment run : newestFirst) {
            List<KeyPostings> inBody = known.subList(place, place + body.size());
            List<KeyPostings> inHeader = known.subList(place + body.size(), place + body.size() + header.size());
            place += body.size() + header.size();
            int from = inBody.stream().mapToInt(KeyPostings::from).max().orElse(0);
            glance.add(run, all(inBody, KeyPostings::surely), all(inHeader, KeyPostings::perhaps), from);
        }
        return glance;
    }

    /** The newest documents that have the word, or may have it in the header; the newest first. */
    List<CandidateDocument> documents() {
        return documents;
    }

    /** Whether older documents than these may have the word. */
    boolean isCut() {
        return cut;
    }

    /** How many of the candidates of a search these may be: all that there can be, when older ones may follow. */
    int candidates() {
        return cut ? IndexSearch.MOST_CANDIDATES : documents.size();
    }

    /** Those of the first so many that may have the word in the header. */
    List<CandidateDocument> heads(int first) {
        return documents.stream()
                .limit(first)
                .filter(CandidateDocument::inHeader)
                .toList();
    }

    /** Whether there may be more of them behind the first so many. */
    boolean hasHeadsBehind(int first) {
        return headsBehind || documents.stream().skip(first).anyMatch(CandidateDocument::inHeader);
    }

    /** Adds an older run, of which all is known from a document on; where others are left out, it may have to be read on. */
    private void add(Segment run, BitSet body, BitSet header, int from) {
        BitSet either = (BitSet) body.clone();
        either.or(header);
        int unlisted = cut ? run.documents() : from;
        int i = cut ? -1 : either.length() - 1;
        for (; i >= from && documents.size() < MOST; i = either.previousSetBit(i - 1)) {
            documents.add(new CandidateDocument(run, i, body.get(i), header.get(i)));
        }
        if (i >= from) {
            unlisted = i + 1;
        }
        cut |= unlisted > 0;
        headsBehind |= header.previousSetBit(unlisted - 1) >= 0;
    }

    /**
     * What the last blocks of a key tell.
     *
     * @param from the first document of which they tell it
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

    private static BitSet all(List<KeyPostings> known, Function<KeyPostings, BitSet> documents) {
        BitSet all = documents.apply(known.getFirst());
        known.stream().skip(1).forEach(each -> all.and(documents.apply(each)));
        return all;
    }

    /** What is known of each key wanted, in their order. */
    private static List<KeyPostings> known(SearchSql sql, UUID scope, List<SearchSql.KeyRangeQuery> wanted) {
        List<BitSet> documents = wanted.stream().map(_ -> new BitSet()).toList();
        int[] beginning = new int[wanted.size()];
        for (SearchSql.FoundBlock found : sql.lastBlocks(scope, wanted)) {
            long key = wanted.get(found.place()).range().low();
            beginning[found.place()] += found.block().key() == key ? 1 : 0;
            PostingsBlock.Entries entries = new PostingsBlock.Entries(found.block());
            if (entries.next(key)) {
                for (int i = 0; i < entries.count(); i++) {
                    documents.get(found.place()).set(entries.documents()[i]);
                }
            }
        }
        // Where every block begins with the key, there may be one before them.
        return IntStream.range(0, wanted.size())
                .mapToObj(i -> new KeyPostings(
                        documents.get(i),
                        beginning[i] == SearchSql.LAST_BLOCKS ? documents.get(i).nextSetBit(0) : 0))
                .toList();
    }
}
