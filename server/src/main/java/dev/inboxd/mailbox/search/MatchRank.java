package dev.inboxd.mailbox.search;

import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How well a message matches a query, by its sender, subject, recipients and body. */
final class MatchRank {
    /** The words follow one another as in the query. */
    static final int PHRASE = 0;
    /** Every word is in the subject or the sender. */
    static final int HEAD = 1;
    /** Every word is somewhere in the message. */
    static final int SOMEWHERE = 2;
    /** A word is missing. */
    static final int NONE = 3;

    private final SearchQuery query;
    private final NormalizedText sender;
    private final NormalizedText subject;
    private final NormalizedText recipients;

    MatchRank(SearchQuery query, SearchSql.CandidateMessage candidate) {
        this.query = query;
        this.sender = NormalizedText.of(candidate.sender());
        this.subject = NormalizedText.of(Objects.requireNonNullElse(candidate.subject(), ""));
        this.recipients = NormalizedText.of(candidate.recipients());
    }

    /**
     * The rank: a constant of this class.
     *
     * @param inBody whether the index has the query's only word in the body
     * @param text the text of the body, when the query needs it
     */
    int rank(boolean inBody, @Nullable String text) {
        NormalizedText body = NormalizedText.of(Objects.requireNonNullElse(text, ""));
        boolean indexed = inBody && !query.needsText();
        Predicate<SearchQuery.Word> inHead = word -> sender.hasInHeader(word) || subject.hasInHeader(word);
        Predicate<SearchQuery.Word> elsewhere =
                word -> indexed || recipients.hasInHeader(word) || body.hasInBody(word, query.isOneWord());
        if (!query.words().stream().allMatch(inHead.or(elsewhere))) {
            return NONE;
        }
        if (!query.isOneWord() && hasPhrase(body)) {
            return PHRASE;
        }
        return query.words().stream().allMatch(inHead) ? HEAD : SOMEWHERE;
    }

    private boolean hasPhrase(NormalizedText body) {
        return subject.hasPhraseInHeader(query)
                || sender.hasPhraseInHeader(query)
                || recipients.hasPhraseInHeader(query)
                || body.hasPhrase(query);
    }
}
