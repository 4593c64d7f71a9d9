/**
 * Threads: conversations inside one inbox, joined by references alone (mail.md §7, §12). A thread's row has the
 * aggregates that lists show; they are true at every commit.
 */
@NullMarked
package dev.inboxd.mailbox.thread;

import org.jspecify.annotations.NullMarked;
