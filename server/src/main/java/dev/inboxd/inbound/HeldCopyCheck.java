package dev.inboxd.inbound;

import dev.inboxd.screening.HeldCopies;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.KnownRecipients;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Looks whether mail within an organization passes on held mail of it (ruling 166). */
final class HeldCopyCheck {
    private final KnownRecipients recipients;
    private final HeldCopies copies;

    HeldCopyCheck(KnownRecipients recipients, HeldCopies copies) {
        this.recipients = recipients;
        this.copies = copies;
    }

    /**
     * A message of an inbox of this server, with the held mail that it passes on. Reads the database.
     *
     * @param destination whom it goes to
     */
    IncomingMessage checked(IncomingMessage message, AddressDirectory.Destination destination) {
        String sender = message.reversePath();
        int at = sender.lastIndexOf('@');
        boolean isWithin = at > 0
                && recipients.resolve(sender.substring(0, at), sender.substring(at + 1))
                        instanceof AddressDirectory.Resolution.LocalInbox own
                && own.destination().organization().equals(destination.organization());
        if (!isWithin) {
            return message;
        }
        try {
            return message.passingOn(
                    copies.find(destination.organization(), message.parsed(), message.content()::open));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
