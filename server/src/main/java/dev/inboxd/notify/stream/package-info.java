/**
 * Events as they happen: over WebSockets, as a feed of the whole organization, and as the answer to a wait for one
 * message (events.md §5). One {@code LogTail} on each node reads the log for all three; what it has in memory only
 * makes them fast, because every reader goes by the rows.
 */
@NullMarked
package dev.inboxd.notify.stream;

import org.jspecify.annotations.NullMarked;
