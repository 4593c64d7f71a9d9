package dev.inboxd.mail.compose;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message. Recipients of blind copies are not in it: only the envelope has them.
 *
 * @param addresses author and recipients
 * @param identification ids of the message and its thread
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
     * @param cc the secondary recipients
     * @param replyTo addresses for replies; empty for the author
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
     * RFC 5322 §3.6.4; every id in angle brackets. Foreign ids that are not possible in a field are left out, because
     * a reply to any mail must be possible.
     *
     * @param messageId this message's own id; it also seeds the MIME boundaries
     * @param inReplyTo ids of the messages replied to, mostly one or none
     * @param references ids of the conversation, oldest first; the first and the last 49 are written
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
     * @param text plain text, or null
     * @param html HTML, or null
     * @param attachments the files in their order
     * @param calendar a calendar as one more form of the text, or null
     */
    public record Body(
            @Nullable String text,
            @Nullable String html,
            List<OutgoingAttachment> attachments,
            @Nullable CalendarPart calendar) {
        /** Copies the list. */
        public Body {
            attachments = List.copyOf(attachments);
        }

        /** A content without a calendar. */
        public Body(@Nullable String text, @Nullable String html, List<OutgoingAttachment> attachments) {
            this(text, html, attachments, null);
        }
    }
}
