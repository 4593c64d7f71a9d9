package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.tenant.inbox.AddressDirectory;
import org.jspecify.annotations.Nullable;

/** What the dialogue needs from the rest of the server. Called on the sessions' threads, many at once. */
public interface MailHandler {
    /**
     * Decides about one recipient before any data is sent.
     *
     * @param mail what MAIL said of the sender and the size
     * @param forwardPath the recipient; may be the bare postmaster, an address literal, or anything not ours
     * @param peer who is asking
     */
    Verdict recipient(SmtpCommand.Mail mail, SmtpPath forwardPath, Peer peer);

    /**
     * What becomes of a recipient.
     *
     * @param reply 2yz takes it, 4yz and 5yz refuse it
     * @param destination where its mail goes; null when it is refused, when nobody keeps it, or when that is decided later
     */
    record Verdict(SmtpReply reply, AddressDirectory.@Nullable Destination destination) {
        /** Taken for somebody here. */
        public static Verdict accepted(AddressDirectory.Destination destination) {
            return new Verdict(SmtpReply.RECIPIENT_OK, destination);
        }

        /** Taken, wherever it leads. */
        public static Verdict accepted() {
            return new Verdict(SmtpReply.RECIPIENT_OK, null);
        }

        /** A return path is taken; reports about mail of the service itself are looked at, and kept by nobody. */
        public static Verdict accepted(Feedback.ReturnPathTarget returned) {
            return new Verdict(
                    SmtpReply.RECIPIENT_OK,
                    returned.inbox() == null
                            ? null
                            : new AddressDirectory.Destination(returned.organization(), returned.inbox()));
        }

        /** Refused. */
        public static Verdict refused(SmtpReply reply) {
            return new Verdict(reply, null);
        }
    }

    /**
     * Takes a message, after its final dot.
     *
     * @param envelope who sends it to whom
     * @param content the message with our trace fields on top; closed by the caller afterwards
     * @return a 2yz reply only when the message is durable for every recipient. An exception becomes 451 4.3.0
     */
    SmtpReply accept(Envelope envelope, Spool content);

    /**
     * Asked before each message: null when its client may go on, else the last thing that the session says to it, because
     * it may not be here any more.
     */
    default @Nullable SmtpReply closingReply() {
        return null;
    }

    /**
     * The reply to the last message was handed to the connection. Told to the intake of who logged in, once for each
     * message that it took or refused.
     */
    default void replySent() {}
}
