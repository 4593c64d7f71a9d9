/**
 * Threads: conversations inside one inbox, joined by references alone (mail.md §7, §12). The row of a thread has the
 * totals that lists show; they are true at every commit.
 */
@NullMarked
package dev.inboxd.mailbox.thread;

import org.jspecify.annotations.NullMarked;
