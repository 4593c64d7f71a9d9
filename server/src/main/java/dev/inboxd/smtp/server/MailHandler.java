package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of the server behind the SMTP dialogue: decides about recipients and takes messages. Called concurrently, on
 * the threads of the sessions.
 */
public interface MailHandler {
    /**
     * Decides about one recipient, before any content is sent.
     *
     * @param mail the MAIL command of the transaction
     * @param forwardPath the recipient; may be the bare postmaster, an address literal, or an address of another server
     * @param peer the client
     * @return the decision
     */
    Verdict recipient(SmtpCommand.Mail mail, SmtpPath forwardPath, Peer peer);

    /**
     * The decision about a recipient.
     *
     * @param reply 2yz accepts the recipient, 4yz and 5yz refuse it
     * @param destination the place where the mail is stored; null when the recipient is refused, when its mail is not
     *     stored, or when the destination is decided later
     */
    record Verdict(SmtpReply reply, @Nullable Recipient destination) {
        /** Accepts a recipient whose mail is stored there. */
        public static Verdict accepted(Recipient destination) {
            return new Verdict(SmtpReply.RECIPIENT_OK, destination);
        }

        /** Accepts a recipient whose mail is not stored, or whose destination is decided later. */
        public static Verdict accepted() {
            return new Verdict(SmtpReply.RECIPIENT_OK, null);
        }

        /** Refuses a recipient with that reply. */
        public static Verdict refused(SmtpReply reply) {
            return new Verdict(reply, null);
        }
    }

    /**
     * Takes a message, after its final dot.
     *
     * @param envelope its sender and recipients
     * @param content the message with our trace fields on top; closed by the caller afterwards
     * @return a 2yz reply only when the message is durable for every recipient. An exception becomes 451 4.3.0
     */
    Outcome accept(Envelope envelope, Spool content);

    /**
     * The reply to a message.
     *
     * @param details what the log tells of it beside the envelope, such as the results of its checks, by name
     */
    record Outcome(SmtpReply reply, SequencedMap<String, Object> details) {
        /** Copies the details. */
        public Outcome {
            details = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(details));
        }

        /** A reply of which there is no more to tell. */
        public static Outcome of(SmtpReply reply) {
            return new Outcome(reply, new LinkedHashMap<>());
        }
    }

    /**
     * The reply that ends the session instead of another message, because the client may no longer send; null when it
     * may. Asked before each mail transaction.
     */
    default @Nullable SmtpReply closingReply() {
        return null;
    }

    /**
     * Called when the reply to a message was written to the connection, once for each message that was accepted or
     * refused. Only handlers of submission sessions are called.
     */
    default void replySent() {}
}
