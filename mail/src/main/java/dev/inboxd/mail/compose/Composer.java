package dev.inboxd.mail.compose;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Composes the message of a composition. */
public final class Composer {
    /** RFC 5322 §3.3, always in UTC. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, d MMM yyyy HH:mm:ss '+0000'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Composer() {}

    /**
     * Composes the message. Attachments are not read here, except attached messages.
     *
     * @throws MalformedFieldException when a value is not possible in a message; it names the value
     * @throws java.io.UncheckedIOException when an attached message cannot be read
     */
    public static ComposedMessage compose(Composition composition) {
        var header = header(composition);
        var prefix = boundaryPrefix(composition.identification().messageId());
        var tree = new BodyTree(composition.body(), "--" + prefix);
        var sections = new MimeWriter(prefix).message(header.bytes(), tree.root());
        return new ComposedMessage(sections, !header.isAscii(), tree);
    }

    static HeaderWriter header(Composition composition) {
        var header = new HeaderWriter();
        header.words("Date", List.of(date(composition.date())));
        addresses(header, composition.addresses());
        if (composition.subject() != null) {
            header.unstructured("Subject", SafeText.header("subject", composition.subject()));
        }
        identification(header, composition.identification());
        for (var field : composition.headers()) {
            field.check();
            header.unstructured(field.name(), field.value());
        }
        header.words("MIME-Version", List.of("1.0"));
        return header;
    }

    private static void addresses(HeaderWriter header, Composition.Addresses addresses) {
        header.mailboxes("From", "from", List.of(addresses.from()));
        if (!addresses.replyTo().isEmpty()) {
            header.mailboxes("Reply-To", "reply_to", addresses.replyTo());
        }
        if (!addresses.to().isEmpty()) {
            header.mailboxes("To", "to", addresses.to());
        } else if (addresses.cc().isEmpty()) {
            // RFC 5322 §A.1.3: an empty group tells readers that the recipients are hidden.
            header.words("To", List.of("undisclosed-recipients:;"));
        }
        if (!addresses.cc().isEmpty()) {
            header.mailboxes("Cc", "cc", addresses.cc());
        }
    }

    private static void identification(HeaderWriter header, Composition.Identification ids) {
        header.words("Message-ID", List.of(IdentificationFields.own(ids.messageId())));
        var inReplyTo = IdentificationFields.others("in_reply_to", ids.inReplyTo());
        if (!inReplyTo.isEmpty()) {
            header.ids("In-Reply-To", inReplyTo);
        }
        var references = IdentificationFields.trimmed(IdentificationFields.others("references", ids.references()));
        if (!references.isEmpty()) {
            header.ids("References", references);
        }
    }

    static String date(Instant instant) {
        return DATE.format(instant);
    }

    /** RFC 2045 §6.7 suggests "=_": no encoding can produce it, so only 7bit parts must be searched for it. */
    static String boundaryPrefix(String messageId) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(messageId.getBytes(StandardCharsets.UTF_8));
            return "=_" + HexFormat.of().formatHex(digest, 0, 12) + "_";
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }
}
