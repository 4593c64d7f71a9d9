/**
 * Events as they happen: over WebSockets, as a feed of the whole organization, and as the answer to a wait for one
 * message (events.md §5). One tail of the event log on each node tells all three; what it tells from memory
 * only makes them fast, since the rows are what every one of them goes by.
 */
@NullMarked
package dev.inboxd.notify.stream;

import org.jspecify.annotations.NullMarked;
