package dev.inboxd.send;

import dev.inboxd.inbox.Inbox;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.Attachment;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.message.Message;
import dev.inboxd.message.Shown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What will be composed: the caller's request with everything a reply fills in.
 *
 * @param inReplyTo the ids that the message answers
 * @param references the conversation, oldest first
 * @param thread the thread of the message replied to, or null
 */
record Letter(SendRequest request, List<MailAddress> to, List<MailAddress> cc, List<MailAddress> bcc,
        @Nullable String subject, List<String> inReplyTo, List<String> references, @Nullable UUID thread) {

    /** As many ids as a References field keeps (contract: mail.md §12.6), twice. */
    private static final int MOST_CANDIDATES = 100;

    /** A letter of its own, in a thread only when its headers say so (contract: mail.md §12.5). */
    static Letter of(SendRequest request) {
        SendRequest.Recipients recipients = request.recipients();
        return new Letter(request, recipients.to(), recipients.cc(), recipients.bcc(), request.subject(),
                request.inReplyTo(), request.references(), null);
    }

    /**
     * An answer to a message of the inbox (contract: mail.md §6.9, §6.10).
     *
     * @param shown the message's Reply-To and references
     */
    static Letter replyTo(Message original, Shown shown, SendRequest request) {
        Message.People people = original.people();
        List<String> author = shown.replyTo().isEmpty() ? List.of(people.from()) : shown.replyTo();
        List<String> usual = original.outgoing() ? people.to() : author;
        SendRequest.Recipients asked = request.recipients();
        List<MailAddress> to = asked.to().isEmpty() ? addresses(usual) : asked.to();
        List<MailAddress> cc = asked.cc();
        if (request.replyAll()) {
            String own = original.place().inboxName();
            to = without(own, addresses(original.outgoing() ? people.to()
                    : Stream.concat(author.stream(), people.to().stream()).toList()));
            cc = without(own, addresses(people.cc()));
            cc = cc.stream().filter(notIn(to)).toList();
        }
        List<String> references = new ArrayList<>(shown.references());
        references.remove(original.name());
        references.add(original.name());
        return new Letter(request, to, cc, asked.bcc(), reply(original.subject()), List.of(original.name()), references,
                original.place().thread());
    }

    /** Every recipient's address, each once, as the envelope carries them. */
    List<String> envelope() {
        Map<String, String> distinct = new LinkedHashMap<>();
        Stream.of(to, cc, bcc).flatMap(List::stream).map(MailAddress::address)
                .forEach(address -> distinct.putIfAbsent(address.toLowerCase(Locale.ROOT), address));
        return List.copyOf(distinct.values());
    }

    /** The ids that decide about the thread, the nearest first. */
    List<String> candidates() {
        Set<String> candidates = new LinkedHashSet<>(inReplyTo);
        candidates.addAll(references.reversed());
        return candidates.stream().limit(MOST_CANDIDATES).toList();
    }

    /** The message to compose, from that inbox under that name, with these files. */
    Composition composition(Inbox inbox, String name, Instant now, List<Attachment> files) {
        return new Composition(
                new Composition.Addresses(new Mailbox(inbox.displayName(), inbox.address()), mailboxes(to),
                        mailboxes(cc), mailboxes(request.recipients().replyTo())),
                new Composition.Identification(name, inReplyTo, references), subject, now, request.headers(),
                new Composition.Body(request.text(), request.html(), files));
    }

    private static List<Mailbox> mailboxes(List<MailAddress> addresses) {
        return addresses.stream().map(address -> new Mailbox(address.name(), address.address())).toList();
    }

    /** {@code Re: } once (contract: mail.md §6.9). */
    private static String reply(@Nullable String subject) {
        String original = subject == null ? "" : subject;
        boolean marked = original.regionMatches(true, 0, "re:", 0, 3);
        return marked ? original : ("Re: " + original).strip();
    }

    private static List<MailAddress> addresses(List<String> texts) {
        return texts.stream().map(StoredAddresses::parse).flatMap(List::stream).toList();
    }

    private static List<MailAddress> without(String own, List<MailAddress> addresses) {
        return addresses.stream().filter(address -> !address.address().equalsIgnoreCase(own)).toList();
    }

    private static Predicate<MailAddress> notIn(List<MailAddress> others) {
        return address -> others.stream().noneMatch(other -> other.address().equalsIgnoreCase(address.address()));
    }
}
