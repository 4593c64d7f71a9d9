/**
 * Search of messages and threads (mail.md §17). Every scope that is searched (an inbox, a pod, an organization)
 * has its own small inverted index in rows: immutable runs of sorted keys with the documents that hold them, written in
 * batches behind the commits of new mail and merged as they become many (docs/decisions/0013-search.md). The index is
 * never asked whether somebody may see a message: every hit is joined with the message's row. Mounted by the route map.
 */
@NullMarked
package dev.inboxd.mailbox.search;

import org.jspecify.annotations.NullMarked;
