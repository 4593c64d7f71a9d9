package dev.inboxd.mailbox.search;

/**
 * A document that the index names for a query.
 *
 * @param inBody whether its body has the only word searched for
 * @param inHeader whether its sender, subject or recipients may have it
 */
record CandidateDocument(Segment segment, int document, boolean inBody, boolean inHeader) {
    SearchSql.DocumentBlock names() {
        return new SearchSql.DocumentBlock(segment.number(), DocumentBlocks.key(document));
    }
}
