package dev.inboxd.sandbox.mail;

import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.MalformedFieldException;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.message.MessageIds;
import dev.inboxd.mailbox.attachment.RemoteFile;
import dev.inboxd.sending.compose.AddressMembers;
import dev.inboxd.sending.compose.AttachmentMembers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a mail that is given by its parts instead of its octets. */
final class ComposedMail {
    private static final int MOST_HEADERS = 50;

    private final JsonBody body;
    private final List<Mailbox> replyTo = new ArrayList<>();
    private final List<String> inReplyTo = new ArrayList<>();
    private final List<String> references = new ArrayList<>();
    private final List<CustomHeaderField> others = new ArrayList<>();
    private @Nullable String messageId;

    private ComposedMail(JsonBody body) {
        this.body = body;
    }

    /**
     * The octets of the mail; faults are thrown.
     *
     * @param to the recipients of its envelope, whom it names unless it says otherwise
     * @param now its date unless it says otherwise
     */
    static byte[] read(JsonBody body, List<String> to, Instant now) {
        return new ComposedMail(body).octets(to, now);
    }

    private byte[] octets(List<String> to, Instant now) {
        MailAddress from = body.string("from").as(ComposedMail::address, "an address like Kim <kim@example.com>");
        if (!body.isGiven("from")) {
            body.missing("from");
        }
        readHeaders();
        List<MailAddress> named = AddressMembers.read(body, "to_header");
        String answered = body.string("in_reply_to").max(998).optional();
        if (answered != null) {
            inReplyTo.addAll(MessageIds.all(answered));
            references.addAll(MessageIds.all(answered));
        }
        Instant date = body.instant("date");
        String subject = body.string("subject").max(998).optional();
        Composition.Body content = new Composition.Body(
                body.string("text").multiline().optional(),
                body.string("html").multiline().optional(),
                files());
        List<Mailbox> cc = mailboxes(AddressMembers.read(body, "cc"));
        body.check();
        String id = Objects.requireNonNullElseGet(
                messageId,
                () -> "<" + Uuid7.next() + "@" + Objects.requireNonNull(from).domain() + ">");
        Composition.Addresses addresses = new Composition.Addresses(
                mailbox(Objects.requireNonNull(from)),
                named.isEmpty()
                        ? to.stream()
                                .map(recipient -> new Mailbox(null, recipient))
                                .toList()
                        : mailboxes(named),
                cc,
                replyTo);
        return composed(new Composition(
                addresses,
                new Composition.Identification(id, inReplyTo, references),
                subject,
                Objects.requireNonNullElse(date, now),
                others,
                content));
    }

    private byte[] composed(Composition composition) {
        try {
            return Composer.compose(composition).bytes();
        } catch (MalformedFieldException wrong) {
            body.fault(wrong.field(), wrong.field() + " " + wrong.reason());
            body.check();
            throw wrong;
        }
    }

    private List<OutgoingAttachment> files() {
        List<OutgoingAttachment> files = AttachmentMembers.read(body, "attachments");
        for (int i = 0; i < files.size(); i++) {
            if (files.get(i).content() instanceof RemoteFile) {
                body.fault("attachments", i, "An attachment of a mail from outside has content, not url");
            }
        }
        return files;
    }

    private void readHeaders() {
        Map<String, String> members = body.stringMap("headers");
        if (members == null) {
            return;
        }
        if (members.size() > MOST_HEADERS) {
            body.fault("headers", "headers has at most " + MOST_HEADERS + " members");
            return;
        }
        members.forEach((name, value) -> {
            switch (name.toLowerCase(Locale.ROOT)) {
                case "message-id" ->
                    messageId = MessageIds.all(value).stream().findFirst().orElse(null);
                case "in-reply-to" -> inReplyTo.addAll(MessageIds.all(value));
                case "references" -> references.addAll(MessageIds.all(value));
                case "reply-to" -> {
                    MailAddress address = address(value);
                    if (address == null) {
                        body.fault("headers", name, "Reply-To must be an address");
                    } else {
                        replyTo.add(mailbox(address));
                    }
                }
                default -> {
                    if (CustomHeaderField.isReserved(name)) {
                        body.fault("headers", name, name + " has a member of its own, or is given with raw");
                    } else {
                        others.add(new CustomHeaderField(name, value));
                    }
                }
            }
        });
    }

    private static @Nullable MailAddress address(String text) {
        try {
            MailAddress address = MailAddress.parse(text);
            AddrSpec.parse(address.address());
            return address;
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }

    private static List<Mailbox> mailboxes(List<MailAddress> addresses) {
        return addresses.stream().map(ComposedMail::mailbox).toList();
    }

    private static Mailbox mailbox(MailAddress address) {
        return new Mailbox(address.name(), address.address());
    }
}
