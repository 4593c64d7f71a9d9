/**
 * The text of attachments, for agents that cannot read PDF and office files (mail.md §9.4). It is read in the
 * background, from rows that say what is due. Documents are opened in a Java process of their own, with bounded memory
 * and time, that holds no secret.
 */
@NullMarked
package dev.inboxd.mailbox.document;

import org.jspecify.annotations.NullMarked;
