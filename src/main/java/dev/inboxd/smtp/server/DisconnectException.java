package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;

/** Ends a session with a last reply. Thrown from wherever the reason is found, caught at the session's top. */
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
