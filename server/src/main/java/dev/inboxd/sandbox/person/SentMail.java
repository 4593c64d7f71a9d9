package dev.inboxd.sandbox.person;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A mail that an inbox sent, as the person reads it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SentMail(byte[] octets, ParsedMessage parsed) {
    static SentMail of(byte[] octets) {
        return new SentMail(octets, MessageParser.parse(new ByteArrayInputStream(octets)));
    }

    /** Whom an answer goes to. */
    Optional<AddrSpec> answerTo() {
        return Stream.concat(parsed.addresses().replyTo().stream(), parsed.addresses().from().stream())
                .map(SentMail::address)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static @Nullable AddrSpec address(MailAddress address) {
        try {
            return AddrSpec.parse(address.address());
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }

    String subject() {
        return Objects.requireNonNullElse(parsed.subject(), "");
    }

    String text() {
        return Objects.requireNonNullElse(parsed.body().text(), "");
    }

    String html() {
        return Objects.requireNonNullElse(parsed.body().html(), "");
    }

    /** The id of the mail, in a list that is empty when it has none. */
    List<String> id() {
        String id = parsed.identification().messageId();
        return id == null ? List.of() : List.of(id);
    }

    /** The ids of the conversation, this mail the last. */
    List<String> references() {
        return Stream.concat(parsed.identification().references().stream(), id().stream())
                .toList();
    }

    /** The value of the first field of that name; empty when there is none. */
    String field(String name) {
        return parsed.headers().stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(HeaderField::value)
                .findFirst()
                .orElse("");
    }

    /** The header, up to the empty line. */
    byte[] header() {
        String all = new String(octets, StandardCharsets.ISO_8859_1);
        int end = all.indexOf("\r\n\r\n");
        return (end < 0 ? all : all.substring(0, end + 2)).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The calendar in it. */
    Optional<String> calendar() {
        return parsed.body().attachments().stream()
                .filter(part -> part.mediaType().equals("text/calendar"))
                .findFirst()
                .map(this::text);
    }

    private String text(AttachmentPart part) {
        try (InputStream in = PartReader.open(new ByteArrayInputStream(octets), part.index())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
