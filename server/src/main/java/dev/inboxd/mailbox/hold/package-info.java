/** Messages that wait to be released, and the verdicts on messages with their events (security.md §1 to §4). */
@NullMarked
package dev.inboxd.mailbox.hold;

import org.jspecify.annotations.NullMarked;
