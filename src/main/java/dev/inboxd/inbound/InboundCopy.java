package dev.inboxd.inbound;

import dev.inboxd.mail.message.Identification;
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
}
