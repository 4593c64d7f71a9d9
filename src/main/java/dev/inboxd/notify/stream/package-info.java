/**
 * Live events: over WebSockets, as a feed of the whole organization, and as long polls for one message (events.md §5).
 * One tail of the event log on each node notifies all three. Its notices from memory only make them fast: all three
 * read the rows.
 */
@NullMarked
package dev.inboxd.notify.stream;

import org.jspecify.annotations.NullMarked;
