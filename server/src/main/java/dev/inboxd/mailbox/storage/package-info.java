/** New messages: which thread they join, whom they are from, and their rows (mail.md §12). */
@NullMarked
package dev.inboxd.mailbox.storage;

import org.jspecify.annotations.NullMarked;
