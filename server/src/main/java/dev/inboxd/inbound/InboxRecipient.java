package dev.inboxd.inbound;

import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.smtp.server.Envelope;
import dev.inboxd.smtp.server.MailHandler;
import dev.inboxd.smtp.server.Recipient;
import dev.inboxd.tenant.inbox.AddressDirectory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An inbox as a place where the SMTP server has mail stored.
 *
 * @param destination the inbox and its organization
 */
public record InboxRecipient(AddressDirectory.Destination destination) implements Recipient {
    /** Of a recipient that {@link InboundStore} named. */
    static AddressDirectory.Destination of(Recipient recipient) {
        return ((InboxRecipient) recipient).destination;
    }

    /** The inboxes of an envelope by their organization. */
    static Map<UUID, List<UUID>> inboxes(Envelope envelope) {
        Map<UUID, List<UUID>> inboxes = new LinkedHashMap<>();
        for (Recipient recipient : envelope.destinations().keySet()) {
            AddressDirectory.Destination destination = of(recipient);
            inboxes.computeIfAbsent(destination.organization(), _ -> new ArrayList<>())
                    .add(destination.inbox());
        }
        return inboxes;
    }

    /** Reports about mail of the service itself are examined and not stored: they have no inbox. */
    static MailHandler.Verdict accepted(Feedback.ReturnPathTarget returned) {
        UUID inbox = returned.inbox();
        return inbox == null
                ? MailHandler.Verdict.accepted()
                : MailHandler.Verdict.accepted(
                        new InboxRecipient(new AddressDirectory.Destination(returned.organization(), inbox)));
    }
}
