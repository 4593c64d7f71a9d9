package dev.inboxd.mailbox.search;

import dev.inboxd.mailbox.search.segment.DocumentBlocks;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Turns candidate documents into hits: those whose messages exist, are visible, and match the query. */
final class CandidateCheck {
    /** Rows read in one query, at most. */
    private static final int ROWS_AT_ONCE = 1_000;
    /** Texts in memory together, since texts may be long. The deadline is checked between two such portions. */
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
     * The result of a check.
     *
     * @param hits in the order of the documents
     * @param passed number of messages that exist, are visible and pass the filter, whether they match or not
     */
    record CheckedCandidates(Map<CandidateDocument, Hit> hits, int passed) {}

    /**
     * The hits among documents.
     *
     * @param documents of one scope
     * @param most the check ends with this many hits
     */
    CheckedCandidates check(List<CandidateDocument> documents, int most) {
        Map<CandidateDocument, Hit> hits = new LinkedHashMap<>();
        Map<UUID, CandidateDocument> messages = documents.isEmpty() ? Map.of() : messages(documents);
        List<UUID> ids = List.copyOf(messages.keySet());
        List<UUID> shown = ids.size() > ROWS_AT_ONCE ? among(ids, sql.matching(ids, times)) : ids;
        int count = 0;
        for (int from = 0; from < shown.size() && hits.size() < most; from += ROWS_AT_ONCE) {
            List<UUID> portion = shown.subList(from, Math.min(from + ROWS_AT_ONCE, shown.size()));
            Map<UUID, SearchSql.CandidateMessage> candidates = candidates(portion, messages);
            Map<CandidateDocument, SearchSql.CandidateMessage> existing = new LinkedHashMap<>();
            portion.stream()
                    .filter(candidates::containsKey)
                    .forEach(id -> existing.put(document(messages, id), Objects.requireNonNull(candidates.get(id))));
            addMatching(existing, hits, most);
            count += candidates.size();
        }
        return new CheckedCandidates(hits, count);
    }

    /** The messages of the documents, in their order. */
    private Map<UUID, CandidateDocument> messages(List<CandidateDocument> documents) {
        Map<SearchSql.DocumentBlock, SearchSql.Span> spans = new LinkedHashMap<>();
        documents.forEach(document ->
                spans.merge(document.names(), SearchSql.Span.of(document.document()), SearchSql.Span::with));
        Map<SearchSql.DocumentBlock, byte[]> named =
                sql.documents(documents.getFirst().segment().scope(), spans);
        Map<UUID, CandidateDocument> messages = new LinkedHashMap<>();
        for (CandidateDocument document : documents) {
            byte[] names = named.get(document.names());
            SearchSql.Span span = spans.get(document.names());
            UUID message = names == null || span == null
                    ? null
                    : DocumentBlocks.message(names, document.document() - span.first());
            if (message != null && times.mayBe(message)) {
                messages.put(message, document);
            }
        }
        return messages;
    }

    private static List<UUID> among(List<UUID> ids, Set<UUID> others) {
        return ids.stream().filter(others::contains).toList();
    }

    /**
     * When the index has the query's only word in the body and not in the header, the header need not be read from the
     * row.
     */
    private Map<UUID, SearchSql.CandidateMessage> candidates(List<UUID> ids, Map<UUID, CandidateDocument> messages) {
        Map<Boolean, List<UUID>> bodyOnly = ids.stream()
                .collect(Collectors.partitioningBy(id -> query.isOneWord()
                        && !query.needsText()
                        && !document(messages, id).inHeader()));
        Map<UUID, SearchSql.CandidateMessage> candidates = new HashMap<>();
        candidates.putAll(sql.candidates(bodyOnly.getOrDefault(false, List.of()), true, times));
        candidates.putAll(sql.candidates(bodyOnly.getOrDefault(true, List.of()), false, times));
        return candidates;
    }

    private static CandidateDocument document(Map<UUID, CandidateDocument> messages, UUID id) {
        return Objects.requireNonNull(messages.get(id));
    }

    /** Adds the documents that match. Invisible ones were left out before, so no text of them is read. */
    private void addMatching(
            Map<CandidateDocument, SearchSql.CandidateMessage> existing, Map<CandidateDocument, Hit> hits, int most) {
        List<Map.Entry<CandidateDocument, SearchSql.CandidateMessage>> all = List.copyOf(existing.entrySet());
        int slice = query.needsText() ? TEXTS_AT_ONCE : ROWS_AT_ONCE;
        for (int from = 0; from < all.size() && hits.size() < most; from += slice) {
            List<Map.Entry<CandidateDocument, SearchSql.CandidateMessage>> portion =
                    all.subList(from, Math.min(from + slice, all.size()));
            Map<UUID, String> texts = !query.needsText()
                    ? Map.of()
                    : sql.texts(portion.stream()
                            .map(entry -> entry.getValue().message())
                            .toList());
            for (Map.Entry<CandidateDocument, SearchSql.CandidateMessage> entry : portion) {
                SearchSql.CandidateMessage candidate = entry.getValue();
                int rank =
                        new MatchRank(query, candidate).rank(entry.getKey().inBody(), texts.get(candidate.message()));
                if (rank != MatchRank.NONE && hits.size() < most) {
                    hits.put(entry.getKey(), new Hit(candidate.message(), candidate.thread(), rank, candidate.at()));
                }
            }
        }
    }
}
