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

    /** That reply, unless it ends the session (RFC 5321 §3.8). */
    static SmtpReply unless(SmtpReply reply) {
        if (reply.code() == 421) {
            throw new DisconnectException(reply);
        }
        return reply;
    }

    SmtpReply reply() {
        return reply;
    }
}
