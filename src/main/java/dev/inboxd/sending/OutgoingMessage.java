package dev.inboxd.sending;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.OutgoingAttachment;
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
 * A message as its sender means it, before it is composed. An answer begins as what its sender wrote and takes over the
 * rest from the message it answers ({@link #answering}, {@link #answeringAll}, {@link #forwarding}).
 *
 * @param recipients whom it goes to
 * @param subject the decoded subject, or null for none
 * @param body what it says
 * @param options what else its sender asked for
 * @param references what it belongs to
 */
public record OutgoingMessage(
        Recipients recipients, @Nullable String subject, Body body, Options options, ThreadReferences references) {
    /** Most recipients over to, cc and bcc together, on each way of sending (mail.md §6.8). */
    public static final int MOST_RECIPIENTS = 50;

    /** As many ids as a References field keeps (mail.md §12.6), twice. */
    private static final int MOST_CANDIDATES = 100;

    /** Whom a letter goes to, and where answers go. */
    public record Recipients(
            List<MailAddress> to, List<MailAddress> cc, List<MailAddress> bcc, List<MailAddress> replyTo) {
        public Recipients {
            to = List.copyOf(to);
            cc = List.copyOf(cc);
            bcc = List.copyOf(bcc);
            replyTo = List.copyOf(replyTo);
        }

        /** Whether the sender named anybody. */
        boolean isNamed() {
            return !to.isEmpty() || !cc.isEmpty() || !bcc.isEmpty();
        }
    }

    /** What a letter says. Attachments given by URL are fetched when it is sent, or when a draft keeps them. */
    public record Body(@Nullable String text, @Nullable String html, List<OutgoingAttachment> attachments) {
        public Body {
            attachments = List.copyOf(attachments);
        }
    }

    /**
     * What else a sender asks for.
     *
     * @param labels for the record, beside {@code sent}
     * @param headers custom fields, without those that thread
     */
    public record Options(Set<String> labels, List<CustomHeaderField> headers, boolean trackOpens) {
        /** Nothing else. */
        public static final Options NONE = new Options(Set.of(), List.of(), false);

        public Options {
            labels = Collections.unmodifiableSet(new LinkedHashSet<>(labels));
            headers = List.copyOf(headers);
        }
    }

    /**
     * What a letter belongs to.
     *
     * @param inReplyTo the ids that it answers
     * @param references the conversation, oldest first
     * @param thread the thread it joins whatever the ids say, or null
     */
    public record ThreadReferences(
            List<String> inReplyTo,
            List<String> references,
            @Nullable UUID thread) {
        /** A conversation of its own. */
        public static final ThreadReferences NEW = new ThreadReferences(List.of(), List.of(), null);

        public ThreadReferences {
            inReplyTo = List.copyOf(inReplyTo);
            references = List.copyOf(references);
        }
    }

    /** This letter as a reply: what the sender left out comes from the message answered (mail.md §6.9). */
    public OutgoingMessage answering(OriginalMessage source) {
        return ReplyBuilder.reply(this, source);
    }

    /** This letter as a reply to everybody; it must name no recipients of its own (mail.md §6.10). */
    public OutgoingMessage answeringAll(OriginalMessage source) {
        return ReplyBuilder.replyAll(this, source);
    }

    /** This letter as the one that passes a message on; what it says follows at {@link #enclosing}. */
    public OutgoingMessage forwarding(OriginalMessage source) {
        return ReplyBuilder.forward(this, source);
    }

    /** This letter with the text and the attachments of the message passed on behind its own (mail.md §6.11). */
    public OutgoingMessage enclosing(OriginalMessage source) {
        return withBody(ForwardBody.appendedTo(body, source));
    }

    /** This letter with another body. */
    OutgoingMessage withBody(Body other) {
        return new OutgoingMessage(recipients, subject, other, options, references);
    }

    /** This letter with other extras. */
    OutgoingMessage with(Options other) {
        return new OutgoingMessage(recipients, subject, body, other, references);
    }

    /** Every recipient's address, each once, as the envelope carries them. */
    List<String> envelope() {
        Map<String, String> distinct = new LinkedHashMap<>();
        Stream.of(recipients.to, recipients.cc, recipients.bcc)
                .flatMap(List::stream)
                .map(MailAddress::address)
                .forEach(address -> distinct.putIfAbsent(address.toLowerCase(Locale.ROOT), address));
        return List.copyOf(distinct.values());
    }

    /** The ids that decide about the thread, the nearest first. */
    List<String> candidates() {
        Set<String> candidates = new LinkedHashSet<>(references.inReplyTo);
        candidates.addAll(references.references.reversed());
        return candidates.stream().limit(MOST_CANDIDATES).toList();
    }

    /** The message to compose, from that inbox under that name, with its attachments at hand. */
    Composition composition(Inbox inbox, String name, Instant now, List<OutgoingAttachment> files) {
        return new Composition(
                new Composition.Addresses(
                        new Mailbox(inbox.displayName(), inbox.address()),
                        mailboxes(recipients.to),
                        mailboxes(recipients.cc),
                        mailboxes(recipients.replyTo)),
                new Composition.Identification(name, references.inReplyTo, references.references),
                subject,
                now,
                options.headers,
                new Composition.Body(body.text, body.html, files));
    }

    private static List<Mailbox> mailboxes(List<MailAddress> addresses) {
        return addresses.stream()
                .map(address -> new Mailbox(address.name(), address.address()))
                .toList();
    }
}
