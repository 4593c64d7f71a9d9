package dev.inboxd.smtp.server;

/**
 * The client of a mail transaction and the handler of its mail.
 *
 * @param peer the client
 * @param extended whether the client sent EHLO and not HELO
 * @param handler takes the message
 */
record TransactionContext(Peer peer, boolean extended, MailHandler handler) {}
