package dev.inboxd.mailbox.search;

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
 * The hits of an {@link IndexSearch}, the best first. Where the index tells how well they fit, they are looked for only as far
 * as they are asked for: documents are in the order of time, so a page needs the rows of those alone that it shows. Where
 * that does not suffice, since much is hidden or too many may be better, it goes on with the whole search: so what it
 * finds is the same, and depends on visible mail alone (promise P11).
 */
final class RankedHits implements Iterator<Hit> {
    private static final int MOST_TOGETHER = 32_000;

    private final CandidateCheck settling;
    private final Supplier<List<Hit>> search;
    private final Map<CandidateDocument, Optional<Hit>> settled = new HashMap<>();
    /** Of each scope the documents that may have the word in the header and are among its candidates for certain. */
    private final List<ScopeHits> heads = new ArrayList<>();

    private final List<ScopeHits> everything = new ArrayList<>();
    /** Whether more than those may be better than all others. */
    private boolean open = true;

    private @Nullable List<Hit> whole;
    private @Nullable Iterator<Hit> rest;
    private @Nullable Hit next;
    private @Nullable Hit last;
    private int count;

    private RankedHits(CandidateCheck settling, Supplier<List<Hit>> search) {
        this.settling = settling;
        this.search = search;
    }

    /**
     * The hits of a query, none of which has been looked for yet.
     *
     * @param few how many may be wanted
     */
    static RankedHits of(SearchSql sql, SearchQuery query, SearchSql.TimeWindow times, int few) {
        List<List<Segment>> runs = sql.segments();
        RankedHits hits =
                new RankedHits(new CandidateCheck(sql, query, times), () -> IndexSearch.run(sql, runs, query, times));
        if (query.isTold()) {
            SearchQuery.Word word = query.words().getFirst();
            hits.take(
                    runs.stream()
                            .map(scope -> RecentPostings.of(sql, word, times.within(scope)))
                            .toList(),
                    few);
        }
        return hits;
    }

    private void take(List<RecentPostings> glances, int few) {
        int all = glances.stream().mapToInt(RecentPostings::candidates).sum();
        open = false;
        for (RecentPostings glance : glances) {
            // All that other scopes have may be younger.
            int first = Math.max(0, IndexSearch.MOST_CANDIDATES - (all - glance.candidates()));
            boolean more = glance.hasHeadsBehind(first);
            heads.add(new ScopeHits(glance.heads(first), more, few));
            everything.add(new ScopeHits(glance.documents(), glance.isCut(), few));
            open |= more;
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
     * When the youngest hit was stored, of all there are; to be asked for when there is one. It says nothing of mail that
     * the view does not show (promise P11).
     */
    Instant youngest() {
        Instant youngest = last == null ? Instant.MIN : last.at();
        boolean known = rest == null;
        for (ScopeHits lane : everything) {
            Hit first = lane.first();
            known &= first != null || !lane.cut;
            youngest = first != null && first.at().isAfter(youngest) ? first.at() : youngest;
        }
        return known || whole().isEmpty() ? youngest : whole().getFirst().at();
    }

    private @Nullable Hit find() {
        if (rest == null) {
            Hit hit = newest(heads, true);
            if (hit == null && !open) {
                hit = newest(everything, false);
            }
            if (hit != null || (!open && everything.stream().noneMatch(ScopeHits::isStuck))) {
                return hit;
            }
            Hit before = last;
            rest = whole().stream()
                    .sorted(Hit.BEST_FIRST)
                    .filter(each -> before == null || Hit.BEST_FIRST.compare(each, before) > 0)
                    .iterator();
        }
        return rest.hasNext() ? rest.next() : null;
    }

    private List<Hit> whole() {
        List<Hit> known = whole;
        if (known == null) {
            known = search.get();
            whole = known;
        }
        return known;
    }

    /** The newest hit with the word in subject or sender, or of the others; null at the end, and where nobody knows. */
    private @Nullable Hit newest(List<ScopeHits> lanes, boolean head) {
        while (lanes.stream().noneMatch(ScopeHits::isStuck)) {
            ScopeHits newest = null;
            for (ScopeHits lane : lanes) {
                Hit hit = lane.peek();
                Hit other = newest == null ? null : newest.peek();
                newest = hit != null && (other == null || hit.at().isAfter(other.at())) ? lane : newest;
            }
            Hit hit = newest == null ? null : newest.take();
            if (hit == null || (hit.rank() == MatchRank.HEAD) == head) {
                return hit;
            }
        }
        return null;
    }

    /** The hits among documents of one scope, the newest first, settled a few at a time, and ever more. */
    private final class ScopeHits {
        private final List<CandidateDocument> documents;
        private final boolean cut;
        private final Queue<Hit> ready = new ArrayDeque<>();
        private int position;
        private int together;
        private @Nullable Hit first;

        /**
         * A lane.
         *
         * @param cut whether older documents follow, which are not known
         * @param few how many are settled at first
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
                List<CandidateDocument> some =
                        documents.subList(position, Math.min(position + together, documents.size()));
                position += some.size();
                together = Math.min(4 * together, MOST_TOGETHER);
                settle(some);
                some.forEach(document ->
                        settled.getOrDefault(document, Optional.empty()).ifPresent(ready::add));
            }
            first = first == null ? ready.peek() : first;
            return ready.peek();
        }

        @Nullable
        Hit take() {
            peek();
            return ready.poll();
        }

        /** The newest of all. */
        @Nullable
        Hit first() {
            return first == null ? peek() : first;
        }
    }

    private void settle(List<CandidateDocument> documents) {
        List<CandidateDocument> unknown =
                documents.stream().filter(each -> !settled.containsKey(each)).toList();
        Map<CandidateDocument, Hit> hits =
                settling.check(unknown, Integer.MAX_VALUE).hits();
        unknown.forEach(each -> settled.put(each, Optional.ofNullable(hits.get(each))));
    }
}
