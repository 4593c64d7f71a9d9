package dev.inboxd.mailbox.search;

import dev.inboxd.mailbox.search.segment.DocumentBlocks;
import dev.inboxd.mailbox.search.segment.Segment;

/**
 * A document that the index returns for a query.
 *
 * @param document its number in the segment
 * @param inBody whether its body has the query's only word
 * @param inHeader whether its sender, subject or recipients may have that word
 */
record CandidateDocument(Segment segment, int document, boolean inBody, boolean inHeader) {
    SearchSql.DocumentBlock names() {
        return new SearchSql.DocumentBlock(segment.number(), DocumentBlocks.key(document));
    }
}
