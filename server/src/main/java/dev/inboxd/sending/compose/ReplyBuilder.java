package dev.inboxd.sending.compose;

import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mailbox.message.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds replies and forwards from the original message (mail.md §6.9 to §6.11). */
final class ReplyBuilder {
    private ReplyBuilder() {}

    /**
     * A reply to the author, or to the recipients that the sender named; a reply to an own message goes to its
     * recipients again.
     */
    static OutgoingMessage reply(OutgoingMessage message, OriginalMessage source) {
        OutgoingMessage.Recipients recipients = message.recipients();
        List<MailAddress> usual = source.message().outgoing()
                ? addresses(source.message().people().to())
                : author(source);
        List<MailAddress> to = recipients.to().isEmpty() ? usual : recipients.to();
        return with(
                message,
                source,
                new OutgoingMessage.Recipients(to, recipients.cc(), recipients.bcc(), recipients.replyTo()));
    }

    /** A reply to the author and all recipients except the inbox itself and those of blind copies. */
    static OutgoingMessage replyAll(OutgoingMessage message, OriginalMessage source) {
        Message original = source.message();
        String own = original.place().inboxName();
        Stream<MailAddress> author = original.outgoing() ? Stream.empty() : author(source).stream();
        List<MailAddress> to = distinct(
                        Stream.concat(author, addresses(original.people().to()).stream()))
                .stream()
                .filter(address -> !isInbox(own, address))
                .toList();
        List<String> toKeys = to.stream().map(ReplyBuilder::key).toList();
        List<MailAddress> cc = addresses(original.people().cc()).stream()
                .filter(address -> !isInbox(own, address) && !toKeys.contains(key(address)))
                .toList();
        return with(
                message,
                source,
                new OutgoingMessage.Recipients(
                        to, cc, List.of(), message.recipients().replyTo()));
    }

    /** RFC 5322 §3.6.4: a forward has References, but no In-Reply-To. */
    static OutgoingMessage forward(OutgoingMessage message, OriginalMessage source) {
        Message original = source.message();
        String subject =
                message.subject() != null ? message.subject() : prefixed("Fwd: ", original.subject(), "fwd:", "fw:");
        return new OutgoingMessage(
                message.recipients(),
                subject,
                message.body(),
                message.options(),
                new OutgoingMessage.ThreadReferences(
                        List.of(), references(source), original.place().thread()));
    }

    private static OutgoingMessage with(
            OutgoingMessage message, OriginalMessage source, OutgoingMessage.Recipients recipients) {
        Message original = source.message();
        String subject = message.subject() != null ? message.subject() : prefixed("Re: ", original.subject(), "re:");
        UUID thread = original.place().thread();
        return new OutgoingMessage(
                recipients,
                subject,
                message.body(),
                message.options(),
                new OutgoingMessage.ThreadReferences(List.of(source.ownId()), references(source), thread));
    }

    /**
     * Reply-To, or else From (RFC 5322 §3.6.2). A Reply-To that leads nowhere, or back to the inbox, is none: the
     * author is known. Nobody where From names nobody: the envelope's sender is shown, and never answered (ruling 130).
     */
    private static List<MailAddress> author(OriginalMessage source) {
        String own = source.message().place().inboxName();
        List<MailAddress> replyTo = addresses(source.readable().replyTo()).stream()
                .filter(address -> !isInbox(own, address))
                .toList();
        List<String> authors =
                source.readable().isAuthored() ? source.message().people().authors() : List.of();
        return replyTo.isEmpty() ? addresses(authors) : replyTo;
    }

    /** RFC 5322 §3.6.4: the References of the original, or else its In-Reply-To, and then its own id. */
    private static List<String> references(OriginalMessage source) {
        List<String> references = new ArrayList<>(source.readable().references());
        String parent = source.readable().inReplyTo();
        if (references.isEmpty() && parent != null) {
            references.add(parent);
        }
        references.remove(source.ownId());
        references.add(source.ownId());
        return references;
    }

    /** The subject with its prefix once, however the original spells it. */
    private static String prefixed(String prefix, @Nullable String subject, String... spellings) {
        String original = subject == null ? "" : subject;
        for (String spelling : spellings) {
            if (original.regionMatches(true, 0, spelling, 0, spelling.length())) {
                return original;
            }
        }
        return (prefix + original).strip();
    }

    /** Each address once, without addresses that mail cannot be sent to. */
    private static List<MailAddress> addresses(List<String> texts) {
        return distinct(texts.stream().map(ReplyBuilder::address).flatMap(Optional::stream));
    }

    private static List<MailAddress> distinct(Stream<MailAddress> addresses) {
        Map<String, MailAddress> distinct = new LinkedHashMap<>();
        addresses.forEach(address -> distinct.putIfAbsent(key(address), address));
        return List.copyOf(distinct.values());
    }

    /** The address of a stored text; empty when mail cannot be sent to it (RFC 6761 §6.4: no host is in .invalid). */
    private static Optional<MailAddress> address(String shown) {
        try {
            MailAddress address = MailAddress.parse(shown);
            return key(address).endsWith(".invalid") ? Optional.empty() : Optional.of(address);
        } catch (AddressSyntaxException unusable) {
            return Optional.empty();
        }
    }

    private static String key(MailAddress address) {
        return address.address().toLowerCase(Locale.ROOT);
    }

    /** Whether mail to this address is delivered to the inbox itself; a plus suffix of the local part is ignored. */
    private static boolean isInbox(String inbox, MailAddress address) {
        String key = key(address);
        int plus = key.indexOf('+');
        int at = key.lastIndexOf('@');
        return inbox.equals(plus > 0 && plus < at ? key.substring(0, plus) + key.substring(at) : key);
    }
}
