package dev.inboxd.inbound;

import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.tenant.inbox.DroppedMail;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The copy of one message for one inbox. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record InboundCopy(UUID inbox, InboundItem of, byte[] digest, List<String> candidates) {
    InboundItem.Mail mail() {
        return of.mail();
    }

    IncomingMessage message() {
        return of.message();
    }

    String wantedName() {
        String name = message().parsed().identification().messageId();
        return name == null || !Identification.isPlain(name) ? "" : name;
    }

    /** What is kept of a copy that a pause drops: whom it names as its author, or else its envelope. */
    DroppedMail.DroppedMessage dropped(Instant at) {
        String reversePath = message().reversePath();
        String sender = message().parsed().addresses().from().stream()
                .map(MailAddress::address)
                .findFirst()
                .orElse(reversePath.isEmpty() ? null : reversePath);
        return new DroppedMail.DroppedMessage(inbox, Uuid7.next(), sender, at);
    }

    /** Writes the log line of a copy that is not stored. */
    void logDropped(String why, UUID organization) {
        LogLine.of("message")
                .with("id", message().id())
                .with("organization_id", organization)
                .with("inbox_id", inbox)
                .with("dropped", why)
                .write();
    }
}
