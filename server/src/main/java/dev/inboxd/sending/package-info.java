/**
 * Sending as an agent sees it: send, reply, reply to all, forward (mail.md §6.8 to §6.11, §11, §14). Drafts and
 * submission make a {@link dev.inboxd.sending.compose.SubmittedMessage} or an {@link
 * dev.inboxd.sending.compose.OutgoingMessage} too, and hand it to the same {@link
 * dev.inboxd.sending.MailSender}. A message is composed and signed before the
 * transaction; one commit then makes the record, its thread and events, the queued recipients and the stored answer
 * (promises P2, P4, P5).
 */
@NullMarked
package dev.inboxd.sending;

import org.jspecify.annotations.NullMarked;
