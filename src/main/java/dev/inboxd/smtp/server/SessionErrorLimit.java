package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;

/** What a client may still do before it has to go. */
final class SessionErrorLimit {
    private static final int MAX_ERRORS = 100;
    /** Commands that move nothing, since the last message. */
    private static final int MAX_IDLE_COMMANDS = 1_000;

    private static final int MAX_FAILED_LOGINS = 3;

    private int errors;
    private int idleCommands;
    private int failedLogins;

    /** Counts a command that moves nothing. */
    SmtpReply idle(SmtpReply reply) {
        if (++idleCommands > MAX_IDLE_COMMANDS) {
            throw new DisconnectException(SmtpReplies.TOO_MANY_COMMANDS);
        }
        return reply;
    }

    /** A message was taken. */
    void countMessage() {
        idleCommands = 0;
    }

    /** Counts a login that failed; whoever guesses has to come back for more, and be counted by address. */
    void failedLogin() {
        failedLogins++;
    }

    /** Counts what was said; to be called when it is sent. */
    void countReply(SmtpReply reply) {
        if (reply.isPermanentFailure() && ++errors >= MAX_ERRORS) {
            throw new DisconnectException(SmtpReplies.TOO_MANY_ERRORS);
        }
        if (failedLogins >= MAX_FAILED_LOGINS) {
            throw new DisconnectException(SmtpReplies.TOO_MANY_LOGINS);
        }
    }
}
