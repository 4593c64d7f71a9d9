package dev.inboxd.mailbox.search;

/**
 * A document that the index names for a query.
 *
 * @param inBody whether its body has the only word searched for
 * @param inHeader whether its sender, subject or recipients may have it
 */
record Placed(Run run, int document, boolean inBody, boolean inHeader) {
    SearchSql.Names names() {
        return new SearchSql.Names(run.number(), Documents.key(document));
    }
}
