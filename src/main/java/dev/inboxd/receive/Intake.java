package dev.inboxd.receive;

import dev.inboxd.inbox.Addresses;
import dev.inboxd.mail.smtp.Path;
import dev.inboxd.mail.smtp.Reply;
import dev.inboxd.mail.smtp.ReversePath;
import org.jspecify.annotations.Nullable;

/** What the dialogue needs from the rest of the server. Called on the sessions' threads, many at once. */
public interface Intake {
    /**
     * Decides about one recipient before any data is sent.
     *
     * @param reversePath the sender of the transaction
     * @param forwardPath the recipient; may be the bare postmaster, an address literal, or anything not ours
     * @param peer who is asking
     */
    Verdict recipient(ReversePath reversePath, Path forwardPath, Peer peer);

    /**
     * What becomes of a recipient.
     *
     * @param reply 2yz takes it, 4yz and 5yz refuse it
     * @param destination where its mail goes; null when it is refused, or when that is decided later
     */
    record Verdict(Reply reply, Addresses.@Nullable Destination destination) {
        /** Taken for somebody here. */
        public static Verdict taken(Addresses.Destination destination) {
            return new Verdict(Reply.RECIPIENT_OK, destination);
        }

        /** Taken, wherever it leads. */
        public static Verdict taken() {
            return new Verdict(Reply.RECIPIENT_OK, null);
        }

        /** Refused. */
        public static Verdict refused(Reply reply) {
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
    Reply accept(Envelope envelope, Spool content);

    /**
     * The reply to the last message was handed to the connection. Told to the intake of who logged in, once for each
     * message that it took or refused.
     */
    default void answered() {}
}
