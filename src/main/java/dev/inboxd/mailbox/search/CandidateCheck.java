package dev.inboxd.mailbox.search;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Turns documents into hits, as far as their messages are there, visible, and really fit. */
final class CandidateCheck {
    /** So many rows are read together, at most. */
    private static final int ROWS_AT_ONCE = 1_000;
    /** Texts may be long: so many are in memory together, and between them the time is looked at. */
    private static final int TEXTS_AT_ONCE = 64;

    private final SearchSql sql;
    private final SearchQuery query;
    private final SearchSql.TimeWindow times;

    CandidateCheck(SearchSql sql, SearchQuery query, SearchSql.TimeWindow times) {
        this.sql = sql;
        this.query = query;
        this.times = times;
    }

    /**
     * What has become of documents.
     *
     * @param hits in the order of the documents
     * @param visible how many messages were there and visible, whether they fit or not
     */
    record CheckedCandidates(Map<CandidateDocument, Hit> hits, int visible) {}

    /**
     * The hits among documents.
     *
     * @param documents of one scope
     * @param most it ends with so many
     */
    CheckedCandidates check(List<CandidateDocument> documents, int most) {
        Map<CandidateDocument, Hit> hits = new LinkedHashMap<>();
        Map<UUID, CandidateDocument> messages = documents.isEmpty() ? Map.of() : messages(documents);
        List<UUID> ids = List.copyOf(messages.keySet());
        List<UUID> shown = ids.size() > ROWS_AT_ONCE ? among(ids, sql.visible(ids)) : ids;
        int count = 0;
        for (int from = 0; from < shown.size() && hits.size() < most; from += ROWS_AT_ONCE) {
            List<UUID> some = shown.subList(from, Math.min(from + ROWS_AT_ONCE, shown.size()));
            Map<UUID, SearchSql.CandidateMessage> candidates = candidates(some, messages);
            Map<CandidateDocument, SearchSql.CandidateMessage> there = new LinkedHashMap<>();
            some.stream()
                    .filter(candidates::containsKey)
                    .forEach(id -> there.put(placed(messages, id), Objects.requireNonNull(candidates.get(id))));
            judge(there, hits, most);
            count += candidates.size();
        }
        return new CheckedCandidates(hits, count);
    }

    /** The messages that the documents are, in their order. */
    private Map<UUID, CandidateDocument> messages(List<CandidateDocument> documents) {
        Map<SearchSql.DocumentBlock, SearchSql.Span> spans = new LinkedHashMap<>();
        documents.forEach(
                placed -> spans.merge(placed.names(), SearchSql.Span.of(placed.document()), SearchSql.Span::with));
        Map<SearchSql.DocumentBlock, byte[]> named =
                sql.documents(documents.getFirst().segment().scope(), spans);
        Map<UUID, CandidateDocument> messages = new LinkedHashMap<>();
        for (CandidateDocument placed : documents) {
            byte[] names = named.get(placed.names());
            SearchSql.Span span = spans.get(placed.names());
            UUID message = names == null || span == null
                    ? null
                    : DocumentBlocks.message(names, placed.document() - span.first());
            if (message != null && times.mayBe(message)) {
                messages.put(message, placed);
            }
        }
        return messages;
    }

    private static List<UUID> among(List<UUID> ids, Set<UUID> others) {
        return ids.stream().filter(others::contains).toList();
    }

    /** A word that the index has in the body and not in the header need not be looked for in the row. */
    private Map<UUID, SearchSql.CandidateMessage> candidates(List<UUID> ids, Map<UUID, CandidateDocument> messages) {
        Map<Boolean, List<UUID>> told = ids.stream()
                .collect(Collectors.partitioningBy(id -> query.isOneWord()
                        && !query.needsText()
                        && !placed(messages, id).inHeader()));
        Map<UUID, SearchSql.CandidateMessage> candidates = new HashMap<>();
        candidates.putAll(sql.candidates(told.getOrDefault(false, List.of()), true, times));
        candidates.putAll(sql.candidates(told.getOrDefault(true, List.of()), false, times));
        return candidates;
    }

    private static CandidateDocument placed(Map<UUID, CandidateDocument> messages, UUID id) {
        return Objects.requireNonNull(messages.get(id));
    }

    /** Adds those that fit. What is not shown is left out before: the text of nothing else is read. */
    private void judge(
            Map<CandidateDocument, SearchSql.CandidateMessage> there, Map<CandidateDocument, Hit> hits, int most) {
        List<Map.Entry<CandidateDocument, SearchSql.CandidateMessage>> all = List.copyOf(there.entrySet());
        int slice = query.needsText() ? TEXTS_AT_ONCE : ROWS_AT_ONCE;
        for (int from = 0; from < all.size() && hits.size() < most; from += slice) {
            List<Map.Entry<CandidateDocument, SearchSql.CandidateMessage>> some =
                    all.subList(from, Math.min(from + slice, all.size()));
            Map<UUID, String> texts = !query.needsText()
                    ? Map.of()
                    : sql.texts(
                            some.stream().map(each -> each.getValue().message()).toList());
            for (Map.Entry<CandidateDocument, SearchSql.CandidateMessage> each : some) {
                SearchSql.CandidateMessage candidate = each.getValue();
                int rank = new MatchRank(query, candidate).rank(each.getKey().inBody(), texts.get(candidate.message()));
                if (rank != MatchRank.NONE && hits.size() < most) {
                    hits.put(each.getKey(), new Hit(candidate.message(), candidate.thread(), rank, candidate.at()));
                }
            }
        }
    }
}
