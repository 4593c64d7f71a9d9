/**
 * The text in attachments, for agents that cannot read PDF and office files (mail.md §9.4). It is read in
 * the background, from rows that say what is due; what other people's documents could do to their readers they do in a
 * Java of its own, with bounded memory and time, that holds no secret and is thrown away.
 */
@NullMarked
package dev.inboxd.mailbox.document;

import org.jspecify.annotations.NullMarked;
