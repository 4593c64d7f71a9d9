/**
 * Sending for agents: send, reply, reply to all, forward (mail.md §6.8 to §6.11, §11, §14). Other packages that send,
 * such as drafts, build an {@link dev.inboxd.sending.OutgoingMessage}, let it take over what it needs from the
 * original, and hand it to {@link dev.inboxd.sending.MailSender}. A message is composed and signed before the
 * transaction. One commit then stores the message, its thread and events, the queued recipients and the idempotency
 * record (promises P2, P4, P5).
 */
@NullMarked
package dev.inboxd.sending;

import org.jspecify.annotations.NullMarked;
