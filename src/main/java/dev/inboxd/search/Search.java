package dev.inboxd.search;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One search through the runs of a scope, from the newest on: the index tells which messages may be meant, their rows
 * whether they are there and visible, and their words how well they fit. It ends with the thousandth that does.
 */
final class Search {
    static final int MOST_CANDIDATES = 1_000;
    /** So many documents are looked at together at most, where hardly any of them are shown. */
    private static final int MOST_TOGETHER = 32_000;
    private static final int HARDLY_ANY = 8;
    /** Texts may be long: so many are in memory together, and between them the time is looked at. */
    private static final int TEXTS_AT_ONCE = 64;
    /** The runs of so many documents are looked into first; then of ever more. */
    private static final int FIRST_ROUND = 50_000;

    private final SearchSql sql;
    private final SearchQuery query;
    private final SearchSql.Times times;
    private final List<Placed> pending = new ArrayList<>();
    private final List<Hit> hits = new ArrayList<>();
    private int together = MOST_CANDIDATES;

    private Search(SearchSql sql, SearchQuery query, SearchSql.Times times) {
        this.sql = sql;
        this.query = query;
        this.times = times;
    }

    /**
     * A message that was found.
     *
     * @param rank how well it fits, 0 best
     * @param at when it was stored
     */
    record Hit(UUID message, UUID thread, int rank, Instant at) {}

    /**
     * A document that the index names.
     *
     * @param inBody whether its body has the only word searched for
     * @param inHeader whether its sender, subject or recipients may have it
     */
    private record Placed(Run run, int document, boolean inBody, boolean inHeader) {
        SearchSql.Names names() {
            return new SearchSql.Names(run.number(), Documents.key(document));
        }
    }

    /** The newest messages that fit, at most a thousand, the newest first. */
    static List<Hit> run(SearchSql sql, List<List<Run>> runs, SearchQuery query, SearchSql.Times times) {
        if (query.words().isEmpty()) {
            return List.of();
        }
        return runs.stream().flatMap(scope -> {
            Search search = new Search(sql, query, times);
            search.through(times.within(scope));
            return search.hits.stream();
        }).sorted(Comparator.comparing(Hit::at).reversed()).limit(MOST_CANDIDATES).toList();
    }

    private void through(List<Run> newestFirst) {
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

    private void look(List<Run> runs) {
        List<SearchQuery.Word> words = query.lookedUp();
        Wishes wishes = new Wishes();
        for (Run run : runs) {
            words.forEach(word -> wishes.add(run, word));
        }
        List<BitSet> found = wishes.fulfil(runs.getFirst().scope());
        int place = 0;
        for (Run run : runs) {
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

    private void take(Run run, BitSet documents, BitSet body, BitSet header) {
        for (int i = documents.length() - 1; i >= 0 && !enough(); i = documents.previousSetBit(i - 1)) {
            pending.add(new Placed(run, i, body.get(i), header.get(i)));
            if (pending.size() >= together) {
                settle();
            }
        }
    }

    /** Turns documents into messages, as far as they are there, visible, and really fit. */
    private void settle() {
        if (pending.isEmpty()) {
            return;
        }
        Map<SearchSql.Names, SearchSql.Span> spans = new LinkedHashMap<>();
        pending.forEach(placed -> spans.merge(placed.names(), SearchSql.Span.of(placed.document), SearchSql.Span::with));
        Map<SearchSql.Names, byte[]> named = sql.documents(pending.getFirst().run.scope(), spans);
        Map<UUID, Placed> messages = new LinkedHashMap<>();
        for (Placed placed : pending) {
            byte[] names = named.get(placed.names());
            SearchSql.Span span = spans.get(placed.names());
            UUID message = names == null || span == null ? null : Documents.message(names, placed.document - span.first());
            if (message != null && times.mayBe(message)) {
                messages.put(message, placed);
            }
        }
        pending.clear();
        List<UUID> ids = List.copyOf(messages.keySet());
        List<UUID> shown = ids.size() > MOST_CANDIDATES ? among(ids, sql.shown(ids)) : ids;
        int count = 0;
        for (int from = 0; from < shown.size() && !enough(); from += MOST_CANDIDATES) {
            List<UUID> some = shown.subList(from, Math.min(from + MOST_CANDIDATES, shown.size()));
            Map<UUID, SearchSql.Candidate> candidates = candidates(some, messages);
            judge(among(some, candidates.keySet()), candidates, messages);
            count += candidates.size();
        }
        together = count > ids.size() / HARDLY_ANY ? MOST_CANDIDATES : Math.min(4 * together, MOST_TOGETHER);
    }

    private static List<UUID> among(List<UUID> ids, Set<UUID> others) {
        return ids.stream().filter(others::contains).toList();
    }

    /** A word that the index has in the body and not in the header need not be looked for in the row. */
    private Map<UUID, SearchSql.Candidate> candidates(List<UUID> ids, Map<UUID, Placed> messages) {
        Map<Boolean, List<UUID>> told = ids.stream().collect(Collectors.partitioningBy(
                id -> query.isOneWord() && !query.needsText() && !placed(messages, id).inHeader));
        Map<UUID, SearchSql.Candidate> candidates = new HashMap<>();
        candidates.putAll(sql.candidates(told.getOrDefault(false, List.of()), true, times));
        candidates.putAll(sql.candidates(told.getOrDefault(true, List.of()), false, times));
        return candidates;
    }

    /** What is not shown is left out before: the text of nothing else is read. */
    private void judge(List<UUID> ids, Map<UUID, SearchSql.Candidate> candidates, Map<UUID, Placed> messages) {
        int slice = query.needsText() ? TEXTS_AT_ONCE : MOST_CANDIDATES;
        for (int from = 0; from < ids.size() && !enough(); from += slice) {
            List<UUID> some = ids.subList(from, Math.min(from + slice, ids.size()));
            Map<UUID, String> texts = query.needsText() ? sql.texts(some) : Map.of();
            for (UUID id : some) {
                if (!enough()) {
                    judge(Objects.requireNonNull(candidates.get(id)), placed(messages, id).inBody, texts.get(id));
                }
            }
        }
    }

    private static Placed placed(Map<UUID, Placed> messages, UUID id) {
        return Objects.requireNonNull(messages.get(id));
    }

    private void judge(SearchSql.Candidate candidate, boolean inBody, @Nullable String text) {
        int rank = new Fit(query, candidate).rank(inBody, text);
        if (rank != Fit.NONE) {
            hits.add(new Hit(candidate.message(), candidate.thread(), rank, candidate.at()));
        }
    }

    /** Every range of keys that is to be looked up in one statement. */
    private final class Wishes {
        private final List<SearchSql.Wanted> wanted = new ArrayList<>();

        void add(Run run, SearchQuery.Word word) {
            word.body(query.isOneWord()).forEach(range -> wanted.add(new SearchSql.Wanted(run.number(), range)));
            word.header().forEach(range -> wanted.add(new SearchSql.Wanted(run.number(), range)));
        }

        /** The documents of each wish, in the order of the wishes. */
        List<BitSet> fulfil(UUID scope) {
            List<BitSet> documents = new ArrayList<>();
            wanted.forEach(_ -> documents.add(new BitSet()));
            for (SearchSql.Found found : sql.blocks(scope, wanted)) {
                Key.Range range = wanted.get(found.place()).range();
                Block.Entries entries = new Block.Entries(found.block());
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
