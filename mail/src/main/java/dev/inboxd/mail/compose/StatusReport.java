package dev.inboxd.mail.compose;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A delivery status notification (RFC 3464) as a multipart/report (RFC 6522): a text for people, fields for programs,
 * and the returned content. Foreign text may be in its fields: it is made printable and kept on its line.
 *
 * @param recipients at least one
 * @param returned content of the reported message, or null
 */
public record StatusReport(
        Message message,
        List<Recipient> recipients,
        @Nullable ReturnedContent returned) {
    private static final int LONGEST = 900; // RFC 5322 §2.1.1 permits 998 in a line, and the field has no place to fold

    /** Copies the list. */
    public StatusReport {
        recipients = List.copyOf(recipients);
    }

    /**
     * Fields of the message (RFC 3464 §2.2).
     *
     * @param envelopeId the sender's ENVID, or null
     * @param host the reporting server
     * @param arrivedAt when the message was accepted
     */
    public record Message(@Nullable String envelopeId, String host, Instant arrivedAt) {}

    /**
     * Fields of a recipient (RFC 3464 §2.3).
     *
     * @param original the recipient as the sender wrote it, with the address type; or null
     * @param address with the address type, as in {@code rfc822; jo@example.com}
     * @param action the action taken
     * @param status an enhanced status code (RFC 3463)
     * @param diagnostic reply of the other server, with its type, or null
     * @param attemptedAt time of the last attempt
     * @param triedUntil end of the attempts, or null when they are over
     */
    public record Recipient(
            @Nullable String original,
            String address,
            String action,
            String status,
            @Nullable String diagnostic,
            Instant attemptedAt,
            @Nullable Instant triedUntil) {}

    /**
     * The returned content.
     *
     * @param octets as they were sent
     * @param full whether they are the whole message, and not its header alone
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record ReturnedContent(byte[] octets, boolean full) {}

    /**
     * Composes the report.
     *
     * @param composition its header, and as its text the part for people
     * @throws MalformedFieldException when a value is not possible in a message; it names the value
     */
    public ComposedMessage composed(Composition composition) {
        var header = Composer.header(composition);
        var prefix = Composer.boundaryPrefix(composition.identification().messageId());
        var parts = new ArrayList<MimePart>();
        parts.add(TextPart.of(
                "plain", Objects.requireNonNullElse(composition.body().text(), ""), "--" + prefix));
        parts.add(leaf("message/delivery-status", fields().getBytes(StandardCharsets.US_ASCII)));
        if (returned != null) {
            parts.add(leaf(returned.full ? "message/rfc822" : "text/rfc822-headers", returned.octets));
        }
        var root = new MimePart.Multipart("report", List.copyOf(parts));
        return new ComposedMessage(new MimeWriter(prefix).message(header.bytes(), root), !header.isAscii());
    }

    private static MimePart leaf(String type, byte[] octets) {
        boolean ascii = true;
        for (byte octet : octets) {
            ascii &= octet >= 0;
        }
        return new MimePart.Leaf(
                List.of(new ParameterField("Content-Type", type)),
                ascii ? TransferEncoding.SEVEN_BIT : TransferEncoding.EIGHT_BIT,
                AttachmentContent.of(octets));
    }

    private String fields() {
        var text = new StringBuilder();
        add(text, "Original-Envelope-Id", message.envelopeId);
        add(text, "Reporting-MTA", "dns; " + message.host);
        add(text, "Arrival-Date", Composer.date(message.arrivedAt));
        for (var recipient : recipients) {
            text.append("\r\n");
            add(text, "Original-Recipient", recipient.original);
            add(text, "Final-Recipient", recipient.address);
            add(text, "Action", recipient.action);
            add(text, "Status", recipient.status);
            add(text, "Diagnostic-Code", recipient.diagnostic);
            add(text, "Last-Attempt-Date", Composer.date(recipient.attemptedAt));
            add(text, "Will-Retry-Until", recipient.triedUntil == null ? null : Composer.date(recipient.triedUntil));
        }
        return text.toString();
    }

    private static void add(StringBuilder text, String name, @Nullable String value) {
        if (value != null) {
            var printable = new StringBuilder();
            value.strip()
                    .codePoints()
                    .limit(LONGEST)
                    .forEach(c -> printable.append(c >= ' ' && c < 0x7f ? (char) c : '?'));
            var field = new FoldedField(name);
            List.of(printable.toString().split(" ", -1)).forEach(field::add);
            text.append(field);
        }
    }
}
