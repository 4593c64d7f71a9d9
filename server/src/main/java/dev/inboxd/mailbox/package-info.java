/** The mail of inboxes: messages, threads, attachments, search. */
@NullMarked
package dev.inboxd.mailbox;

import org.jspecify.annotations.NullMarked;
