package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;

/**
 * Limits of one session: errors, commands without mail, failed logins. A client that exceeds one of them is
 * disconnected.
 */
final class SessionErrorLimit {
    private static final int MAX_ERRORS = 100;
    /** Commands since the last accepted message that do not advance a mail transaction. */
    private static final int MAX_IDLE_COMMANDS = 1_000;

    private static final int MAX_FAILED_LOGINS = 3;

    private int errors;
    private int idleCommands;
    private int failedLogins;

    /**
     * Counts a command that does not advance a mail transaction.
     *
     * @return the given reply
     * @throws DisconnectException when the limit is exceeded
     */
    SmtpReply idle(SmtpReply reply) {
        if (++idleCommands > MAX_IDLE_COMMANDS) {
            throw new DisconnectException(SmtpReplies.TOO_MANY_COMMANDS);
        }
        return reply;
    }

    /** Resets the count of commands without mail: a message was accepted. */
    void countMessage() {
        idleCommands = 0;
    }

    /** Counts a failed login. A client that guesses must reconnect, and reconnections are counted by address. */
    void failedLogin() {
        failedLogins++;
    }

    /**
     * Counts a reply; called after it was sent.
     *
     * @throws DisconnectException when the session has had too many errors or failed logins
     */
    void countReply(SmtpReply reply) {
        if (reply.isPermanentFailure() && ++errors >= MAX_ERRORS) {
            throw new DisconnectException(SmtpReplies.TOO_MANY_ERRORS);
        }
        if (failedLogins >= MAX_FAILED_LOGINS) {
            throw new DisconnectException(SmtpReplies.TOO_MANY_LOGINS);
        }
    }
}
