package dev.inboxd.sending;

import dev.inboxd.mail.address.Author;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.compose.RawHeader;
import dev.inboxd.mail.compose.SevenBitConversion;
import dev.inboxd.mail.message.Defect;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.tenant.inbox.Inbox;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A message that its sender composed itself (RFC 6409 §8): it leaves as it is, but for what must not be seen, what is
 * missing, and 8-bit bodies where they can be converted.
 *
 * @param recipients everybody who gets it, whatever its header says
 * @param dsn what its sender wants to be told of each
 * @param trace what we put on top of it
 * @param message its octets, which begin with its header
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SubmittedMessage(List<String> recipients, DsnRequest dsn, byte[] trace, AttachmentContent message) {
    /** What different programs read differently; we would vouch for it with our signature (attacks A9, A16). */
    private static final Set<Defect> DOUBTFUL = EnumSet.of(
            Defect.MALFORMED_HEADER,
            Defect.DUPLICATE_FIELD,
            Defect.DUPLICATE_CONTENT_FIELD,
            Defect.DUPLICATE_PARAMETER,
            Defect.TOO_MANY_HEADERS,
            Defect.HEADER_TOO_LARGE,
            Defect.TOO_MANY_ADDRESSES);

    private static final Set<String> UNSEEN = Set.of(
            "bcc",
            "resent-bcc",
            "return-path",
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
     * The message as it may leave.
     *
     * @param name for a message that has none
     * @param largest octets for which it is converted to 7-bit; what would have more stays 8-bit
     * @throws Problem {@code validation_error} for a header that cannot stand, {@code message_rejected} for a foreign
     *     author
     */
    ComposedMessage edited(Inbox inbox, String name, Instant now, long largest) {
        try {
            AttachmentContent converted = converted(largest);
            RawHeader header = RawHeader.read(converted);
            if (header == null) {
                throw Problem.invalid("headers", "The header of the message is too large");
            }
            ParsedMessage parsed = MessageParser.parse(new ByteArrayInputStream(header.octets()));
            check(header, parsed);
            checkAuthor(header, parsed, inbox);
            RawHeader sound = header.without(UNSEEN);
            if (parsed.identification().messageId() == null) {
                sound = sound.without(Set.of("message-id")).withMessageId(name);
            }
            return (parsed.date() == null ? sound.without(Set.of("date")).withDate(now) : sound)
                    .before(trace, converted);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** RFC 6376 §5.3: converted before it is signed, as a host on its way might and break the signature. */
    private AttachmentContent converted(long largest) throws IOException {
        AttachmentContent sevenBit = SevenBitConversion.of(message);
        return trace.length + sevenBit.length() > largest ? message : sevenBit;
    }

    private static void check(RawHeader header, ParsedMessage parsed) {
        Optional<Defect> doubt = header.isSound()
                ? parsed.defects().stream().filter(DOUBTFUL::contains).findFirst()
                : Optional.of(Defect.MALFORMED_HEADER);
        doubt.ifPresent(defect -> {
            throw Problem.invalid("headers", "The header of the message is not sound: " + defect);
        });
    }

    /** Neither the author nor who sent it in the author's place (RFC 5322 §3.6.2) is or looks like somebody else. */
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
