package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.Reply;

/** Ends a session with a last reply. Thrown from wherever the reason is found, caught at the session's top. */
final class Farewell extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Reply reply;

    Farewell(Reply reply) {
        super(reply.toString(), null, false, false);
        this.reply = reply;
    }

    Reply reply() {
        return reply;
    }
}
