package dev.inboxd.mailbox.message;

import dev.inboxd.mail.message.AttachmentPart;
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
 * @param candidates the Message-IDs it refers to, the nearest first
 * @param thread the thread it must join, or null to find one by the candidates
 */
public record NewMessage(
        Inbox inbox,
        String name,
        List<String> labels,
        boolean outgoing,
        Summary summary,
        List<String> candidates,
        @Nullable UUID thread) {
    public NewMessage {
        labels = List.copyOf(labels);
        candidates = List.copyOf(candidates);
    }

    /** This message under another public id. */
    public NewMessage withName(String other) {
        return new NewMessage(inbox, other, labels, outgoing, summary, candidates, thread);
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
    }
}
