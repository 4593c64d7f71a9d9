package dev.inboxd.mail.compose;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a message says. Recipients of blind copies are no part of it: they exist in the envelope only.
 *
 * @param addresses who writes to whom
 * @param identification the ids that name and thread the message
 * @param subject the decoded subject, or null for none
 * @param date the Date field, to the second
 * @param headers further fields in their order
 * @param body text, HTML and files
 */
public record Composition(
        Addresses addresses,
        Identification identification,
        @Nullable String subject,
        Instant date,
        List<CustomHeaderField> headers,
        Body body) {
    /** Copies the list. */
    public Composition {
        headers = List.copyOf(headers);
    }

    /**
     * RFC 5322 §3.6.2 and §3.6.3.
     *
     * @param from the one author
     * @param to the primary recipients; empty together with {@code cc} when all are blind copies
     * @param cc the others
     * @param replyTo where answers go; empty for the author
     */
    public record Addresses(Mailbox from, List<Mailbox> to, List<Mailbox> cc, List<Mailbox> replyTo) {
        /** Copies the lists. */
        public Addresses {
            to = List.copyOf(to);
            cc = List.copyOf(cc);
            replyTo = List.copyOf(replyTo);
        }
    }

    /**
     * RFC 5322 §3.6.4; every id in angle brackets. Ids of other people's mail that could not stand in a field are left
     * out, because any mail must be answerable.
     *
     * @param messageId this message's own id; it also seeds the MIME boundaries
     * @param inReplyTo the ids answered, mostly one or none
     * @param references the conversation, oldest first; the first and the last 49 are written
     */
    public record Identification(String messageId, List<String> inReplyTo, List<String> references) {
        /** Copies the lists. */
        public Identification {
            inReplyTo = List.copyOf(inReplyTo);
            references = List.copyOf(references);
        }
    }

    /**
     * The content.
     *
     * @param text the plain form, or null
     * @param html the HTML form, or null
     * @param attachments the files in their order
     */
    public record Body(@Nullable String text, @Nullable String html, List<OutgoingAttachment> attachments) {
        /** Copies the list. */
        public Body {
            attachments = List.copyOf(attachments);
        }
    }
}
