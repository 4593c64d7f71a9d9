package dev.inboxd.sending;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mailbox.message.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What answers take over from the message they answer (mail.md §6.9 to §6.11). */
final class ReplyBuilder {
    private ReplyBuilder() {}

    /** To the author, or to whom the sender names; of an own message, to its recipients again. */
    static OutgoingMessage reply(OutgoingMessage letter, OriginalMessage source) {
        OutgoingMessage.Recipients asked = letter.recipients();
        List<String> usual =
                source.message().outgoing() ? source.message().people().to() : author(source);
        List<MailAddress> to = asked.to().isEmpty() ? addresses(usual) : asked.to();
        return with(letter, source, new OutgoingMessage.Recipients(to, asked.cc(), asked.bcc(), asked.replyTo()));
    }

    /** To the author and everybody else, but for the inbox itself; blind copies stay out. */
    static OutgoingMessage replyAll(OutgoingMessage letter, OriginalMessage source) {
        Message original = source.message();
        String own = original.place().inboxName();
        Stream<String> author = original.outgoing() ? Stream.empty() : author(source).stream();
        List<MailAddress> to = addresses(
                        Stream.concat(author, original.people().to().stream()).toList())
                .stream()
                .filter(address -> !leadsTo(own, address))
                .toList();
        List<String> known = to.stream().map(ReplyBuilder::key).toList();
        List<MailAddress> cc = addresses(original.people().cc()).stream()
                .filter(address -> !leadsTo(own, address) && !known.contains(key(address)))
                .toList();
        return with(
                letter,
                source,
                new OutgoingMessage.Recipients(
                        to, cc, List.of(), letter.recipients().replyTo()));
    }

    /** RFC 5322 §3.6.4: what is passed on is referred to, but not answered. */
    static OutgoingMessage forward(OutgoingMessage letter, OriginalMessage source) {
        Message original = source.message();
        String subject =
                letter.subject() != null ? letter.subject() : marked("Fwd: ", original.subject(), "fwd:", "fw:");
        return new OutgoingMessage(
                letter.recipients(),
                subject,
                letter.body(),
                letter.options(),
                new OutgoingMessage.ThreadReferences(
                        List.of(), references(source), original.place().thread()));
    }

    private static OutgoingMessage with(
            OutgoingMessage letter, OriginalMessage source, OutgoingMessage.Recipients recipients) {
        Message original = source.message();
        String subject = letter.subject() != null ? letter.subject() : marked("Re: ", original.subject(), "re:");
        UUID thread = original.place().thread();
        return new OutgoingMessage(
                recipients,
                subject,
                letter.body(),
                letter.options(),
                new OutgoingMessage.ThreadReferences(List.of(original.name()), references(source), thread));
    }

    /** Reply-To, or else From (RFC 5322 §3.6.2). */
    private static List<String> author(OriginalMessage source) {
        List<String> replyTo = source.readable().replyTo();
        return replyTo.isEmpty() ? List.of(source.message().people().from()) : replyTo;
    }

    private static List<String> references(OriginalMessage source) {
        List<String> references = new ArrayList<>(source.readable().references());
        references.remove(source.message().name());
        references.add(source.message().name());
        return references;
    }

    /** The subject with its mark once, however the original spells it. */
    private static String marked(String mark, @Nullable String subject, String... spellings) {
        String original = subject == null ? "" : subject;
        for (String spelling : spellings) {
            if (original.regionMatches(true, 0, spelling, 0, spelling.length())) {
                return original;
            }
        }
        return (mark + original).strip();
    }

    /** Each address once, without those that no mail could be sent to. */
    private static List<MailAddress> addresses(List<String> texts) {
        Map<String, MailAddress> distinct = new LinkedHashMap<>();
        texts.stream()
                .map(StoredAddresses::parse)
                .flatMap(List::stream)
                .forEach(address -> distinct.putIfAbsent(key(address), address));
        return List.copyOf(distinct.values());
    }

    private static String key(MailAddress address) {
        return address.address().toLowerCase(Locale.ROOT);
    }

    /** Whether mail to that address arrives in the inbox itself: what follows a plus in the local part is ignored. */
    private static boolean leadsTo(String inbox, MailAddress address) {
        String key = key(address);
        int plus = key.indexOf('+');
        int at = key.lastIndexOf('@');
        return inbox.equals(plus > 0 && plus < at ? key.substring(0, plus) + key.substring(at) : key);
    }
}
