/** Payloads of events about received messages (events.md §4.2). */
@NullMarked
package dev.inboxd.mailbox.payload;

import org.jspecify.annotations.NullMarked;
