package dev.inboxd.sending.compose;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.Body;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mailbox.attachment.MediaTypes;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.storage.MessageSummaries;
import dev.inboxd.mailbox.storage.NewMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the rows and events of sent messages show. */
public final class SentSummaries {
    private SentSummaries() {}

    /** What decides about the thread of a submitted message, for a sender from whom these labels hide messages. */
    public static NewMessage.Parents parents(ParsedMessage parsed, int hidden) {
        List<String> candidates = MessageSummaries.candidates(parsed.identification()).stream()
                .limit(OutgoingMessage.MOST_CANDIDATES)
                .toList();
        return new NewMessage.Parents(candidates, hidden, null);
    }

    /** Reads a message again, as its receivers will. */
    public static ParsedMessage parsed(SignedMessage mail, Function<InputStream, ParsedMessage> parser) {
        try (InputStream in = mail.open()) {
            return parser.apply(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A sent message is shown as the caller wrote it, byte for byte (mail.md §14.4). */
    public static NewMessage.Summary of(OutgoingMessage message, SignedMessage mail) {
        OutgoingMessage.Body outgoingBody = message.body();
        Body body = new Body(
                outgoingBody.text(), null, outgoingBody.html(), mail.message().attachments(MediaTypes::received));
        ParsedMessage parsed = parsed(mail, in -> MessageParser.parse(in, body));
        OutgoingMessage.Recipients recipients = message.recipients();
        Message.People people = new Message.People(
                parsed.addresses().from().getFirst().toString(),
                texts(recipients.to()),
                texts(recipients.cc()),
                texts(recipients.bcc()));
        return MessageSummaries.of(people, parsed, mail.length());
    }

    /** A recipient that is not in the header got a blind copy. */
    public static NewMessage.Summary of(ParsedMessage parsed, List<String> recipients, long size) {
        List<MailAddress> to = parsed.addresses().to();
        List<MailAddress> cc = parsed.addresses().cc();
        Set<String> named = Stream.of(to, cc)
                .flatMap(List::stream)
                .map(address -> address.address().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        List<String> bcc = recipients.stream()
                .filter(address -> !named.contains(address.toLowerCase(Locale.ROOT)))
                .toList();
        String author = parsed.addresses().from().getFirst().toString();
        Message.People people = new Message.People(author, MailAddress.shown(to), MailAddress.shown(cc), bcc);
        return MessageSummaries.of(people, parsed, size);
    }

    private static List<String> texts(List<MailAddress> addresses) {
        return addresses.stream().map(MailAddress::toString).toList();
    }
}
