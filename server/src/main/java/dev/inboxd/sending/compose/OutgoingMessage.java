package dev.inboxd.sending.compose;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.CalendarPart;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.text.BlankText;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.tenant.inbox.Inbox;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message as its sender describes it, before it is composed. A reply or forward begins with what the sender gave and
 * takes over the rest from the original message ({@link #answering}, {@link #answeringAll}, {@link #forwarding}).
 *
 * @param recipients its recipients and Reply-To
 * @param subject the decoded subject, or null for none
 * @param body text, HTML and attachments
 * @param options labels, custom header fields and open tracking
 * @param references In-Reply-To, References and thread
 */
public record OutgoingMessage(
        Recipients recipients, @Nullable String subject, Body body, Options options, ThreadReferences references) {
    /** Most recipients over to, cc and bcc together, on each way of sending (mail.md §6.8). */
    public static final int MOST_RECIPIENTS = 50;

    /** Limit of message ids that decide about the thread: twice as many as a References field keeps (mail.md §12.6). */
    static final int MOST_CANDIDATES = 100;

    /** The recipients of a message, and where replies go. */
    public record Recipients(
            List<MailAddress> to, List<MailAddress> cc, List<MailAddress> bcc, List<MailAddress> replyTo) {
        public Recipients {
            to = List.copyOf(to);
            cc = List.copyOf(cc);
            bcc = List.copyOf(bcc);
            replyTo = List.copyOf(replyTo);
        }

        /** Whether the sender named any recipient. */
        boolean isNamed() {
            return !to.isEmpty() || !cc.isEmpty() || !bcc.isEmpty();
        }
    }

    /**
     * The content of a message. Attachments given by URL are fetched when it is sent, or when a draft stores them.
     *
     * @param calendar a calendar as one more form of the text, or null
     */
    public record Body(
            @Nullable String text,
            @Nullable String html,
            List<OutgoingAttachment> attachments,
            @Nullable CalendarPart calendar) {
        /** A content without a calendar. */
        public Body(@Nullable String text, @Nullable String html, List<OutgoingAttachment> attachments) {
            this(text, html, attachments, null);
        }

        public Body {
            // A body that nobody can see is none: beside the other form it would hide that from some readers.
            text = text != null && BlankText.isBlank(text) ? null : text;
            html = html != null && BlankText.isBlankHtml(html) ? null : html;
            attachments = List.copyOf(attachments);
        }
    }

    /**
     * Further options of a message.
     *
     * @param labels labels of the stored message, beside {@code sent}
     * @param headers custom header fields without In-Reply-To and References
     */
    public record Options(Set<String> labels, List<CustomHeaderField> headers, boolean trackOpens) {
        /** No options. */
        public static final Options NONE = new Options(Set.of(), List.of(), false);

        public Options {
            labels = Collections.unmodifiableSet(new LinkedHashSet<>(labels));
            headers = List.copyOf(headers);
        }
    }

    /**
     * The conversation of a message.
     *
     * @param inReplyTo the Message-IDs it replies to
     * @param references the Message-IDs of the conversation, oldest first
     * @param thread the thread it joins regardless of the ids, or null
     */
    public record ThreadReferences(
            List<String> inReplyTo,
            List<String> references,
            @Nullable UUID thread) {
        /** A new conversation. */
        public static final ThreadReferences NEW = new ThreadReferences(List.of(), List.of(), null);

        public ThreadReferences {
            inReplyTo = List.copyOf(inReplyTo);
            references = List.copyOf(references);
        }
    }

    /** This message as a reply: members that the sender left out come from the original message (mail.md §6.9). */
    public OutgoingMessage answering(OriginalMessage source) {
        return ReplyBuilder.reply(this, source);
    }

    /** This message as a reply to everybody; it must name no recipients itself (mail.md §6.10). */
    public OutgoingMessage answeringAll(OriginalMessage source) {
        return ReplyBuilder.replyAll(this, source);
    }

    /** This message as a forward; {@link #enclosing} adds the content of the original. */
    public OutgoingMessage forwarding(OriginalMessage source) {
        return ReplyBuilder.forward(this, source);
    }

    /** This message with the text and attachments of the original after its own (mail.md §6.11). */
    public OutgoingMessage enclosing(OriginalMessage source) {
        return withBody(ForwardBody.appendedTo(body, source));
    }

    /** This message with another body. */
    public OutgoingMessage withBody(Body newBody) {
        return new OutgoingMessage(recipients, subject, newBody, options, references);
    }

    /** This message with these attachments. */
    public OutgoingMessage withFiles(List<OutgoingAttachment> files) {
        return withBody(new Body(body.text, body.html, files, body.calendar));
    }

    /** This message with other options. */
    OutgoingMessage with(Options newOptions) {
        return new OutgoingMessage(recipients, subject, body, newOptions, references);
    }

    /** The address of every recipient, each once, for the SMTP envelope. */
    public List<String> envelope() {
        Map<String, String> distinct = new LinkedHashMap<>();
        Stream.of(recipients.to, recipients.cc, recipients.bcc)
                .flatMap(List::stream)
                .map(MailAddress::address)
                .forEach(address -> distinct.putIfAbsent(address.toLowerCase(Locale.ROOT), address));
        return List.copyOf(distinct.values());
    }

    /** The Message-IDs that decide about the thread, the nearest first. */
    List<String> candidates() {
        Set<String> candidates = new LinkedHashSet<>(references.inReplyTo);
        candidates.addAll(references.references.reversed());
        return candidates.stream().limit(MOST_CANDIDATES).toList();
    }

    /** What decides about its thread, for a sender from whom these labels hide messages. */
    public NewMessage.Parents parents(int hidden) {
        return new NewMessage.Parents(candidates(), hidden, references.thread);
    }

    /** The composer's input, from this inbox, with this Message-ID and fetched attachments. */
    public Composition composition(Inbox inbox, String name, Instant now, List<OutgoingAttachment> files) {
        return new Composition(
                new Composition.Addresses(
                        new Mailbox(inbox.displayName(), inbox.address()),
                        mailboxes(recipients.to),
                        mailboxes(recipients.cc),
                        mailboxes(recipients.replyTo)),
                new Composition.Identification(name, references.inReplyTo, sentReferences(name)),
                subject,
                now,
                options.headers,
                new Composition.Body(body.text, body.html, files, body.calendar));
    }

    /**
     * A message that begins a conversation names itself, too: a relay that gives it another Message-ID keeps
     * References, and answers carry both ids.
     */
    private List<String> sentReferences(String name) {
        return references.references.isEmpty() && references.inReplyTo.isEmpty()
                ? List.of(name)
                : references.references;
    }

    private static List<Mailbox> mailboxes(List<MailAddress> addresses) {
        return addresses.stream()
                .map(address -> new Mailbox(address.name(), address.address()))
                .toList();
    }
}
