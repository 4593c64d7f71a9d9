package dev.inboxd.smtp.client;

import org.jspecify.annotations.Nullable;

/** The result of one attempt for one recipient. */
public sealed interface SmtpResult {
    /**
     * The other server accepted the message.
     *
     * @param reply its reply to the end of data
     * @param sendsDsn whether that server sends the requested notifications from here on (RFC 3461)
     */
    record Success(ServerReply reply, boolean sendsDsn) implements SmtpResult {}

    /**
     * The attempt failed; try again.
     *
     * @param reply the 4yz reply, or null when the connection failed
     * @param reason the cause, for a log or an event
     * @param mayHaveArrived whether the connection was lost after the whole message was sent and before the reply, so
     *     that another attempt may deliver a second copy (RFC 5321 §4.1.1.4 accepts that rather than a loss)
     */
    record TransientFailure(@Nullable ServerReply reply, String reason, boolean mayHaveArrived) implements SmtpResult {}

    /**
     * The message is refused for good.
     *
     * @param reply the 5yz reply; our own when the host lacks an extension that the message needs (552 5.3.4 size, 553
     *     5.6.7 SMTPUTF8, 554 5.6.3 8BITMIME)
     * @param byItself whether the reply concerns this recipient, and not the sender or the message
     */
    record PermanentFailure(ServerReply reply, boolean byItself) implements SmtpResult {}

    /**
     * The result of a negative reply.
     *
     * @param byItself whether it was the reply to RCPT
     */
    static SmtpResult refused(ServerReply reply, boolean byItself) {
        return reply.isPermanent()
                ? new PermanentFailure(reply, byItself)
                : new TransientFailure(reply, reply.toString(), false);
    }
}
