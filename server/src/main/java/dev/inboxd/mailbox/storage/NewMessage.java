package dev.inboxd.mailbox.storage;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.tenant.inbox.Inbox;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that will be stored.
 *
 * @param name its public id, not yet used in the inbox
 * @param labels its initial labels
 * @param outgoing whether the inbox sends it
 * @param summary what its row and its event show
 * @param parents what decides about its thread
 */
public record NewMessage(
        Inbox inbox, String name, List<String> labels, boolean outgoing, Summary summary, Parents parents) {
    public NewMessage {
        labels = List.copyOf(labels);
    }

    /**
     * What decides about the thread of a message.
     *
     * @param candidates the Message-IDs it refers to, the nearest first
     * @param hidden the bits of the labels that its sender may not read: a message that has one of them is no parent
     * @param thread the thread it must join, or null to find one by the candidates
     * @param isReserved whether the thread is made under that id when there is none; else the candidates decide
     */
    public record Parents(
            List<String> candidates, int hidden, @Nullable UUID thread, boolean isReserved) {
        public Parents {
            candidates = List.copyOf(candidates);
        }

        /** The parents of a message whose thread nobody was told of. */
        public Parents(List<String> candidates, int hidden, @Nullable UUID thread) {
            this(candidates, hidden, thread, false);
        }

        /** The same in a thread that was promised. */
        public Parents reserving(UUID promised) {
            return new Parents(candidates, hidden, promised, true);
        }

        /** The parents of a received message, which its sender knows by their ids alone. */
        public static Parents of(List<String> candidates) {
            return new Parents(candidates, 0, null);
        }
    }

    /** This message under another public id. */
    public NewMessage withName(String newName) {
        return new NewMessage(inbox, newName, labels, outgoing, summary, parents);
    }

    /**
     * The properties that a message's row and its event show.
     *
     * @param size octets of the raw message
     */
    public record Summary(
            Message.People people,
            @Nullable String subject,
            @Nullable String preview,
            long size,
            ReadableContent readable,
            List<AttachmentPart> attachments) {
        public Summary {
            attachments = List.copyOf(attachments);
        }

        /** This summary of a copy that these recipients of the envelope brought. */
        public Summary deliveredTo(List<String> recipients) {
            return new Summary(people.deliveredTo(recipients), subject, preview, size, readable, attachments);
        }
    }
}
