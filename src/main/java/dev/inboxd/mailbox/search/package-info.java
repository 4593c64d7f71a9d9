/**
 * Search of messages and threads (mail.md §17). Every scope that can be searched (an inbox, a pod, an organization) has
 * a small inverted index in rows: immutable segments with sorted keys and their postings. Segments are written in
 * batches after the commits of new mail, and merged when they become many (docs/decisions/0013-search.md). The index
 * does not decide about visibility: every candidate is joined with its message's row.
 */
@NullMarked
package dev.inboxd.mailbox.search;

import org.jspecify.annotations.NullMarked;
