package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.tenant.inbox.AddressDirectory;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/** What MAIL and RCPT have said so far, RFC 5321 §3.3. */
final class MailTransaction {
    private final TransactionContext party;
    private final SmtpCommand.Mail mail;
    private final SequencedMap<SmtpPath, RecipientDsn> forwardPaths = new LinkedHashMap<>();
    private final SequencedSet<AddressDirectory.Destination> destinations = new LinkedHashSet<>();
    private int recipients;

    MailTransaction(TransactionContext party, SmtpCommand.Mail mail) {
        this.party = party;
        this.mail = mail;
    }

    TransactionContext party() {
        return party;
    }

    SmtpCommand.Mail mail() {
        return mail;
    }

    boolean smtpUtf8() {
        return mail.smtpUtf8();
    }

    /** Accepted RCPT commands, repeated ones included. */
    int recipients() {
        return recipients;
    }

    /**
     * A recipient named twice gets the message once, and is reported on as it was said first.
     *
     * @param destination null when nobody keeps it
     */
    void add(SmtpCommand.Rcpt rcpt, AddressDirectory.@Nullable Destination destination) {
        forwardPaths.putIfAbsent(rcpt.forwardPath(), rcpt.dsn());
        if (destination != null) {
            destinations.add(destination);
        }
        recipients++;
    }

    Envelope envelope(String id, Instant now) {
        return new Envelope(
                id,
                party.peer(),
                mail.reversePath(),
                List.copyOf(forwardPaths.keySet()),
                destinations,
                mail.smtpUtf8(),
                now,
                new DsnRequest(mail.dsn(), List.copyOf(forwardPaths.values())));
    }
}
