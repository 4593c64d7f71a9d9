package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;

/** Ends a session with a final reply. Thrown where the reason is detected, caught in {@link SmtpSession#run}. */
final class DisconnectException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient SmtpReply reply;

    DisconnectException(SmtpReply reply) {
        super(reply.toString(), null, false, false);
        this.reply = reply;
    }

    SmtpReply reply() {
        return reply;
    }
}
