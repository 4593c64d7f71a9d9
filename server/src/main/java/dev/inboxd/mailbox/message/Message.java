package dev.inboxd.mailbox.message;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.thread.ThreadTotals;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored message without its content.
 *
 * @param id its internal id, never shown
 * @param name its public id: a Message-ID with its brackets, unique in the inbox
 * @param outgoing whether the inbox sent it
 * @param people its author and recipients
 * @param size octets of the raw message
 * @param attachments number of attachments
 * @param createdAt when it was received or sent, unique and in commit order within the organization
 * @param openedAt when its pixel was first loaded, or null
 * @param security the verdict on it, or null when it was not judged
 * @param firstContact whether its author never wrote to the inbox before, nor the inbox to the author; null for sent
 *     mail, and where it is not known
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
        @Nullable Instant openedAt,
        @Nullable MessageSecurity security,
        @Nullable Boolean firstContact) {
    public Message {
        labels = List.copyOf(labels);
    }

    /**
     * The inbox, pod and thread of a message.
     *
     * @param inboxName the public id of the inbox, its address
     */
    public record Place(UUID inbox, String inboxName, UUID pod, UUID thread) {}

    /**
     * The addresses of a message, each as {@link MailAddress} shows it (mail.md §4.7).
     *
     * @param from empty when nobody is named
     * @param deliveredTo the recipients of the envelope that brought a received message here, as they were written;
     *     empty for sent mail, and for mail from before they were kept
     */
    public record People(String from, List<String> to, List<String> cc, List<String> bcc, List<String> deliveredTo) {
        public People {
            to = List.copyOf(to);
            cc = List.copyOf(cc);
            bcc = List.copyOf(bcc);
            deliveredTo = List.copyOf(deliveredTo);
        }

        /** The people that a header names. */
        public People(String from, List<String> to, List<String> cc, List<String> bcc) {
            this(from, to, cc, bcc, List.of());
        }

        /** The same people with these recipients of the envelope. */
        public People deliveredTo(List<String> recipients) {
            return new People(from, to, cc, bcc, recipients);
        }

        /** The author in a list, which is empty when nobody is named. */
        public List<String> authors() {
            return from.isEmpty() ? List.of() : List.of(from);
        }

        /** Adds the members for its recipients. */
        public JsonObject withRecipients(JsonObject json) {
            return json.with("to", to).with("cc", cc.isEmpty() ? null : cc).with("bcc", bcc.isEmpty() ? null : bcc);
        }

        /** To, cc and bcc together. */
        public List<String> recipients() {
            List<String> all = new ArrayList<>(to);
            all.addAll(cc);
            all.addAll(bcc);
            return all;
        }
    }

    /** Whether it waits to be released (security.md §1). */
    public boolean isHeld() {
        return labels.contains(Labels.HELD);
    }

    /** The bits of its restricted labels. */
    public int restricted() {
        return RestrictedLabel.bits(labels);
    }

    /** This message with other labels, changed at that time. */
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
                openedAt,
                security,
                firstContact);
    }

    /** The totals of a thread that has only this message. */
    public ThreadTotals totals() {
        return new ThreadTotals(
                labels,
                restricted(),
                people.authors(),
                people.recipients(),
                subject,
                preview,
                name,
                1,
                size,
                attachments,
                createdAt,
                outgoing ? null : createdAt,
                outgoing ? createdAt : null,
                createdAt);
    }
}
