package dev.inboxd.smtp.server;

/**
 * Who speaks in a mail transaction, and to whom.
 *
 * @param peer the client
 * @param extended whether it said EHLO
 * @param handler takes its mail
 */
record TransactionContext(Peer peer, boolean extended, MailHandler handler) {}
