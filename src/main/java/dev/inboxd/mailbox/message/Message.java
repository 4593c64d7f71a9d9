package dev.inboxd.mailbox.message;

import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.platform.access.RestrictedLabel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored message without its content.
 *
 * @param id its key, inside only
 * @param name its public id: a Message-ID with its brackets, unique in the inbox
 * @param outgoing whether the inbox sent it
 * @param people who it is from and to
 * @param size bytes of the raw message
 * @param attachments how many attachments it has
 * @param createdAt when it was received or sent, unique and in commit order within the organization
 * @param openedAt when its pixel was loaded first, or null
 */
public record Message(
        UUID id,
        Place place,
        String name,
        List<String> labels,
        boolean outgoing,
        People people,
        @Nullable String subject,
        @Nullable String preview,
        long size,
        int attachments,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant openedAt) {
    public Message {
        labels = List.copyOf(labels);
    }

    /**
     * Where a message lies.
     *
     * @param inboxName the public id of the inbox, its address
     */
    public record Place(UUID inbox, String inboxName, UUID pod, UUID thread) {}

    /** The addresses of a message, each {@code addr} or {@code Name <addr>} (mail.md §4.7). */
    public record People(String from, List<String> to, List<String> cc, List<String> bcc) {
        public People {
            to = List.copyOf(to);
            cc = List.copyOf(cc);
            bcc = List.copyOf(bcc);
        }

        /** To, cc and bcc together. */
        public List<String> recipients() {
            List<String> all = new ArrayList<>(to);
            all.addAll(cc);
            all.addAll(bcc);
            return all;
        }
    }

    /** The bits of its restricted labels. */
    public int restricted() {
        return RestrictedLabel.bits(labels);
    }

    /** This message with other labels from some time on. */
    public Message with(List<String> otherLabels, Instant now) {
        return new Message(
                id,
                place,
                name,
                otherLabels,
                outgoing,
                people,
                subject,
                preview,
                size,
                attachments,
                createdAt,
                now,
                openedAt);
    }

    /** What its thread needs to know of it. */
    public MailThread.Member member() {
        return new MailThread.Member(
                name,
                labels,
                restricted(),
                people.from(),
                people.recipients(),
                subject,
                preview,
                size,
                attachments,
                outgoing,
                createdAt);
    }
}
