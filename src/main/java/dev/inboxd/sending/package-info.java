/**
 * Sending as an agent sees it: send, reply, reply to all, forward (mail.md §6.8 to §6.11, §11, §14). Whoever else
 * sends, such as drafts, makes a {@link dev.inboxd.sending.OutgoingMessage}, lets it take over what it answers, and hands it to
 * {@link dev.inboxd.sending.MailSender}. A message is composed and signed before the transaction; one commit then makes the record, its thread and events, the queued recipients and the memory
 * of the answer (promises P2, P4, P5).
 */
@NullMarked
package dev.inboxd.sending;

import org.jspecify.annotations.NullMarked;
