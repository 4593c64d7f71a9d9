package dev.inboxd.mailbox.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class MatchRankTest {
    private static final UUID ID = new UUID(0, 1);

    /** What a message of that sender, subject, recipients and body is to a query: PHRASE, HEAD, SOMEWHERE or NONE. */
    @ParameterizedTest
    @CsvFileSource(resources = "/fits.csv", delimiter = '|', ignoreLeadingAndTrailingWhitespace = true)
    void aMessageFitsAQueryLikeThis(
            String query, String sender, String subject, String recipients, String body, String rank) {
        SearchQuery wanted = SearchQuery.of(query);
        SearchSql.CandidateMessage candidate =
                new SearchSql.CandidateMessage(ID, ID, Instant.EPOCH, sender, subject, recipients);
        boolean inBody = wanted.isOneWord()
                && NormalizedText.of(body).hasInBody(wanted.words().getFirst(), true);
        int expected = switch (rank) {
            case "PHRASE" -> MatchRank.PHRASE;
            case "HEAD" -> MatchRank.HEAD;
            case "SOMEWHERE" -> MatchRank.SOMEWHERE;
            default -> MatchRank.NONE;
        };
        assertThat(new MatchRank(wanted, candidate).rank(inBody, body)).isEqualTo(expected);
    }
}
