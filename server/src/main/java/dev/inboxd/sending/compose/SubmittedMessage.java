package dev.inboxd.sending.compose;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.address.Author;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.compose.RawHeader;
import dev.inboxd.mail.compose.SevenBitConversion;
import dev.inboxd.mail.message.Defect;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.tenant.inbox.Inbox;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message that its sender composed itself (RFC 6409 §8). It is sent as it is, except for removed private fields,
 * added missing fields, and 8-bit bodies that can be converted to 7-bit.
 *
 * @param recipients all recipients of the envelope, whatever the header says
 * @param dsn the delivery status notifications that the sender requested
 * @param trace the trace field to add on top
 * @param message its octets, header first
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SubmittedMessage(List<String> recipients, DsnRequest dsn, byte[] trace, AttachmentContent message) {
    /**
     * Defects that different programs read differently; the signature of this service would vouch for them (attacks A9,
     * A16).
     */
    private static final Set<Defect> AMBIGUOUS = EnumSet.of(
            Defect.MALFORMED_HEADER,
            Defect.DUPLICATE_FIELD,
            Defect.DUPLICATE_CONTENT_FIELD,
            Defect.DUPLICATE_PARAMETER,
            Defect.TOO_MANY_HEADERS,
            Defect.HEADER_TOO_LARGE,
            Defect.TOO_MANY_ADDRESSES);

    private static final String IF_UNANSWERED = "if-unanswered";
    private static final Set<String> PRIVATE_FIELDS = Set.of(
            "bcc",
            "resent-bcc",
            "return-path",
            IF_UNANSWERED,
            "authentication-results",
            "received-spf",
            "arc-seal",
            "arc-message-signature",
            "arc-authentication-results");

    /** Copies the list. */
    public SubmittedMessage {
        recipients = List.copyOf(recipients);
    }

    /**
     * The message as it is sent.
     *
     * @param name the Message-ID for a message without one
     * @param largest limit in octets of a message after conversion to 7-bit; a message that would exceed it stays 8-bit
     * @throws Problem {@code validation_error} for a malformed header or a NUL, {@code message_rejected} for an author
     *     other than the inbox
     */
    public ComposedMessage edited(Inbox inbox, String name, Instant now, long largest) {
        try {
            AttachmentContent converted = converted(largest);
            RawHeader header = RawHeader.read(converted);
            if (header == null) {
                throw Problem.invalid("headers", "The header of the message is too large");
            }
            ParsedMessage parsed = MessageParser.parse(new ByteArrayInputStream(header.octets()));
            check(header, parsed);
            checkOctets();
            checkAuthor(header, parsed, inbox);
            RawHeader sound = header.without(PRIVATE_FIELDS);
            if (!isIdentified(header, parsed)) {
                sound = sound.without(Set.of("message-id")).withMessageId(name);
            }
            return (parsed.date() == null ? sound.without(Set.of("date")).withDate(now) : sound)
                    .before(trace, converted);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Whether its sender refuses a second answer by {@code If-Unanswered: yes}; null when it does not say so. */
    public @Nullable Boolean ifUnanswered() throws IOException {
        RawHeader header = RawHeader.read(message);
        List<String> fields = header == null ? List.of() : header.bodies(IF_UNANSWERED);
        return fields.stream().anyMatch(body -> body.strip().equalsIgnoreCase("yes")) ? true : null;
    }

    /**
     * What a person is shown who decides about it; the whole message goes with it.
     *
     * @param parsed the message as it would be sent
     */
    public OutgoingMessage shown(ParsedMessage parsed) {
        List<MailAddress> to = parsed.addresses().to();
        List<MailAddress> cc = parsed.addresses().cc();
        Set<String> named = Stream.of(to, cc)
                .flatMap(List::stream)
                .map(address -> address.address().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        List<MailAddress> bcc = recipients.stream()
                .filter(address -> !named.contains(address.toLowerCase(Locale.ROOT)))
                .map(MailAddress::parse)
                .toList();
        return new OutgoingMessage(
                new OutgoingMessage.Recipients(to, cc, bcc, List.of()),
                clean(parsed.subject()),
                new OutgoingMessage.Body(
                        clean(parsed.body().text()),
                        clean(parsed.body().html()),
                        List.of(new OutgoingAttachment("message.eml", "message/rfc822", false, null, message))),
                OutgoingMessage.Options.NONE,
                new OutgoingMessage.ThreadReferences(
                        parsed.identification().inReplyTo(),
                        parsed.identification().references(),
                        null));
    }

    /** The database has no NUL in texts. */
    private static @Nullable String clean(@Nullable String text) {
        return text == null ? null : text.replace('\0', '\uFFFD');
    }

    /** RFC 6376 §5.3: converted before it is signed, because a relay might convert it and break the signature. */
    private AttachmentContent converted(long largest) throws IOException {
        AttachmentContent sevenBit = SevenBitConversion.of(message);
        return trace.length + sevenBit.length() > largest ? message : sevenBit;
    }

    /** RFC 2045 §2.7, §2.8: neither 7bit nor 8bit data has a NUL, and readers differ in what they make of one. */
    private void checkOctets() throws IOException {
        try (InputStream in = message.open()) {
            byte[] piece = new byte[8 * 1024];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                for (int i = 0; i < count; i++) {
                    if (piece[i] == 0) {
                        throw Problem.invalid("content", "The message has a NUL. Encode binary files in base64.");
                    }
                }
            }
        }
    }

    private static void check(RawHeader header, ParsedMessage parsed) {
        Optional<Defect> doubt = header.isSound()
                ? parsed.defects().stream().filter(AMBIGUOUS::contains).findFirst()
                : Optional.of(Defect.MALFORMED_HEADER);
        doubt.ifPresent(defect -> {
            throw Problem.invalid("headers", "The header of the message is not sound: " + defect);
        });
    }

    /** RFC 6409 §8.3: an id is added when there is none of the form of RFC 5322. */
    private static boolean isIdentified(RawHeader header, ParsedMessage parsed) {
        String id = parsed.identification().messageId();
        return id != null
                && Identification.isPlain(id)
                && header.bodies("message-id").stream().allMatch(body -> body.contains(id));
    }

    /** Requires that neither From nor Sender (RFC 5322 §3.6.2) is, or looks like, another address. */
    private static void checkAuthor(RawHeader header, ParsedMessage parsed, Inbox inbox) {
        List<String> from = header.bodies("from");
        boolean own = from.size() == 1
                && Stream.of(from, header.bodies("sender"))
                        .flatMap(List::stream)
                        .map(Author::of)
                        .allMatch(author -> author != null && author.toString().equalsIgnoreCase(inbox.address()));
        boolean another = parsed.headers().stream()
                .filter(field ->
                        field.name().equalsIgnoreCase("From") || field.name().equalsIgnoreCase("Sender"))
                .anyMatch(field -> Author.namesAnother(field.value(), inbox.address()));
        if (!own || another) {
            throw Problem.of(
                    ErrorCode.MESSAGE_REJECTED,
                    "Sender not authorized",
                    "Write From: " + inbox.address() + ", or a name and <" + inbox.address()
                            + ">, and no other address in From or Sender.");
        }
    }
}
