/**
 * Search of messages and threads (mail.md §17). Every scope that is searched (an inbox, a pod, an organization) has its
 * own small inverted index in rows: immutable segments of sorted terms with the documents that hold them, written in
 * batches after the commits of new mail and merged as they become many (docs/decisions/0013-search.md). The index does
 * not decide who may see a message: every hit is joined with the message's row.
 */
@NullMarked
package dev.inboxd.mailbox.search;

import org.jspecify.annotations.NullMarked;
