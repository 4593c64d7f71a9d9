package dev.inboxd.smtp.client;

import org.jspecify.annotations.Nullable;

/** How one recipient fared in one attempt. */
public sealed interface SmtpResult {
    /**
     * The other server has the message.
     *
     * @param reply its last word, after the data
     * @param sendsDsn whether it makes the reports that the sender wants, from here on (RFC 3461)
     */
    record Success(ServerReply reply, boolean sendsDsn) implements SmtpResult {}

    /**
     * To be tried again.
     *
     * @param reply the 4xx reply, or null when the connection failed
     * @param reason what happened, for a log or an event
     * @param mayHaveArrived the connection was lost after the whole message was sent and before it was answered, so
     *     that another attempt may make a second copy (RFC 5321 §4.1.1.4 accepts that rather than a loss)
     */
    record TransientFailure(@Nullable ServerReply reply, String reason, boolean mayHaveArrived) implements SmtpResult {}

    /**
     * Not to be tried again.
     *
     * @param reply the 5xx reply; our own when the host lacks what the message needs (552 5.3.4 size, 553 5.6.7
     *     SMTPUTF8, 554 5.6.3 8BITMIME)
     * @param byItself whether the reply was to this very recipient, and not to the sender or to the message
     */
    record PermanentFailure(ServerReply reply, boolean byItself) implements SmtpResult {}

    /**
     * The result a negative reply means.
     *
     * @param byItself whether it was to RCPT
     */
    static SmtpResult refused(ServerReply reply, boolean byItself) {
        return reply.isPermanent()
                ? new PermanentFailure(reply, byItself)
                : new TransientFailure(reply, reply.toString(), false);
    }
}
