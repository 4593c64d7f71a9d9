package dev.inboxd.mailbox.search;

import dev.inboxd.mailbox.search.segment.Segment;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The hits of an {@link IndexSearch}, the best first. When the index alone ranks them, candidates are checked only as
 * far as hits are asked for: documents are in the order of time, so a page reads only the rows that it shows. When that
 * does not suffice, since many messages are hidden or too many may rank better, the whole search runs. So the hits are
 * the same in both ways, and depend on visible mail alone (promise P11).
 */
final class RankedHits implements Iterator<Hit> {
    private static final int MOST_TOGETHER = 32_000;

    private final CandidateCheck check;
    private final Supplier<List<Hit>> search;
    private final Map<CandidateDocument, Optional<Hit>> checked = new HashMap<>();
    /** For each scope, the documents that may have the word in the header and are candidates for certain. */
    private final List<ScopeHits> heads = new ArrayList<>();

    /** For each scope, all candidates that the index has named. */
    private final List<ScopeHits> everything = new ArrayList<>();
    /** Whether documents beside the headed ones may rank first. */
    private boolean mayRankHigher = true;

    private @Nullable List<Hit> allHits;
    private @Nullable Iterator<Hit> remaining;
    private @Nullable Hit next;
    private @Nullable Hit last;
    private int count;

    private RankedHits(CandidateCheck check, Supplier<List<Hit>> search) {
        this.check = check;
        this.search = search;
    }

    /**
     * The hits of a query; none is checked yet.
     *
     * @param few how many hits the caller will probably ask for
     */
    static RankedHits of(SearchSql sql, SearchQuery query, SearchSql.TimeWindow times, int few) {
        List<List<Segment>> segments = sql.segments();
        RankedHits hits = new RankedHits(
                new CandidateCheck(sql, query, times), () -> IndexSearch.run(sql, segments, query, times));
        if (query.isExactTerm() && sql.required().isEmpty()) { // parts of words are looked up by the whole search
            SearchQuery.Word word = query.words().getFirst();
            hits.prepare(
                    segments.stream()
                            .map(scope -> RecentPostings.of(sql, word, times.within(scope)))
                            .toList(),
                    few);
        }
        return hits;
    }

    private void prepare(List<RecentPostings> scopes, int few) {
        int all = scopes.stream().mapToInt(RecentPostings::candidates).sum();
        mayRankHigher = false;
        for (RecentPostings postings : scopes) {
            // All candidates of the other scopes may be newer.
            int first = Math.max(0, IndexSearch.MOST_CANDIDATES - (all - postings.candidates()));
            boolean more = postings.hasHeadsBehind(first);
            heads.add(new ScopeHits(postings.heads(first), more, few));
            everything.add(new ScopeHits(postings.documents(), postings.isCut(), few));
            mayRankHigher |= more;
        }
    }

    @Override
    public boolean hasNext() {
        if (next == null && count < IndexSearch.MOST_CANDIDATES) {
            next = find();
        }
        return next != null;
    }

    @Override
    public Hit next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        last = next;
        next = null;
        count++;
        return last;
    }

    /**
     * When the newest of all hits was stored; called only when there is a hit. Depends on no mail that the view hides
     * (promise P11).
     */
    Instant youngest() {
        Instant youngest = last == null ? Instant.MIN : last.at();
        boolean isKnown = remaining == null;
        for (ScopeHits scope : everything) {
            Hit first = scope.first();
            isKnown &= first != null || !scope.cut;
            youngest = first != null && first.at().isAfter(youngest) ? first.at() : youngest;
        }
        return isKnown || allHits().isEmpty() ? youngest : allHits().getFirst().at();
    }

    private @Nullable Hit find() {
        if (remaining == null) {
            Hit hit = newest(heads, true);
            if (hit == null && !mayRankHigher) {
                hit = newest(everything, false);
            }
            if (hit != null || (!mayRankHigher && everything.stream().noneMatch(ScopeHits::isStuck))) {
                return hit;
            }
            Hit before = last;
            remaining = allHits().stream()
                    .sorted(Hit.BEST_FIRST)
                    .filter(candidate -> before == null || Hit.BEST_FIRST.compare(candidate, before) > 0)
                    .iterator();
        }
        return remaining.hasNext() ? remaining.next() : null;
    }

    private List<Hit> allHits() {
        List<Hit> hits = allHits;
        if (hits == null) {
            hits = search.get();
            allHits = hits;
        }
        return hits;
    }

    /**
     * The newest hit with the word in subject or sender, or the newest of the others. Null at the end, and when only
     * the whole search can tell.
     */
    private @Nullable Hit newest(List<ScopeHits> scopes, boolean head) {
        while (scopes.stream().noneMatch(ScopeHits::isStuck)) {
            ScopeHits newest = null;
            for (ScopeHits scope : scopes) {
                Hit hit = scope.peek();
                Hit newestHit = newest == null ? null : newest.peek();
                newest = hit != null && (newestHit == null || hit.at().isAfter(newestHit.at())) ? scope : newest;
            }
            Hit hit = newest == null ? null : newest.take();
            if (hit == null || (hit.rank() == MatchRank.HEAD) == head) {
                return hit;
            }
        }
        return null;
    }

    /**
     * The hits among documents of one scope, the newest first. They are checked a few at a time, and then ever more.
     */
    private final class ScopeHits {
        private final List<CandidateDocument> documents;
        private final boolean cut;
        private final Queue<Hit> ready = new ArrayDeque<>();
        private int position;
        private int together;
        private @Nullable Hit first;

        /**
         * The hits of a scope.
         *
         * @param cut whether older documents follow that are not known
         * @param few how many documents are checked at first
         */
        ScopeHits(List<CandidateDocument> documents, boolean cut, int few) {
            this.documents = documents;
            this.cut = cut;
            this.together = few;
        }

        boolean isStuck() {
            return peek() == null && cut;
        }

        @Nullable
        Hit peek() {
            while (ready.isEmpty() && position < documents.size()) {
                List<CandidateDocument> portion =
                        documents.subList(position, Math.min(position + together, documents.size()));
                position += portion.size();
                together = Math.min(4 * together, MOST_TOGETHER);
                checkAll(portion);
                portion.forEach(document ->
                        checked.getOrDefault(document, Optional.empty()).ifPresent(ready::add));
            }
            first = first == null ? ready.peek() : first;
            return ready.peek();
        }

        @Nullable
        Hit take() {
            peek();
            return ready.poll();
        }

        /** The newest hit of the scope. */
        @Nullable
        Hit first() {
            return first == null ? peek() : first;
        }
    }

    private void checkAll(List<CandidateDocument> documents) {
        List<CandidateDocument> unknown = documents.stream()
                .filter(document -> !checked.containsKey(document))
                .toList();
        Map<CandidateDocument, Hit> hits =
                check.check(unknown, Integer.MAX_VALUE).hits();
        unknown.forEach(document -> checked.put(document, Optional.ofNullable(hits.get(document))));
    }
}
