package dev.inboxd.mailbox.search;

/**
 * A document that the index names for a query.
 *
 * @param inBody whether its body has the only word searched for
 * @param inHeader whether its sender, subject or recipients may have it
 */
record CandidateDocument(Segment run, int document, boolean inBody, boolean inHeader) {
    SearchSql.DocumentBlock names() {
        return new SearchSql.DocumentBlock(run.number(), DocumentBlocks.key(document));
    }
}
