package dev.inboxd.mailbox.message;

import dev.inboxd.mail.message.AttachmentPart;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that will be stored.
 *
 * @param inboxName the public id of the inbox
 * @param name its public id, not yet used in the inbox
 * @param labels its initial labels
 * @param outgoing whether the inbox sends it
 * @param summary what its row shows, and its content
 * @param parts its attachments
 * @param candidates the Message-IDs it refers to, the nearest first
 * @param thread the thread it must join, or null to find one by the candidates
 */
public record NewMessage(
        UUID inbox,
        String inboxName,
        UUID pod,
        String name,
        List<String> labels,
        boolean outgoing,
        Summary summary,
        List<AttachmentPart> parts,
        List<String> candidates,
        @Nullable UUID thread) {
    public NewMessage {
        labels = List.copyOf(labels);
        parts = List.copyOf(parts);
        candidates = List.copyOf(candidates);
    }

    /**
     * The properties that a message's row and its event show, and its bytes.
     *
     * @param size octets of the raw message
     */
    public record Summary(
            Message.People people,
            @Nullable String subject,
            @Nullable String preview,
            long size,
            ReadableContent readable,
            StoredContent content) {}
}
