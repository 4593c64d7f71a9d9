package dev.inboxd.receive;

import dev.inboxd.inbox.Addresses;
import dev.inboxd.mail.smtp.Path;
import dev.inboxd.mail.smtp.ReversePath;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/** What MAIL and RCPT have said so far, RFC 5321 §3.3. */
final class Transaction {
    private final Party party;
    private final ReversePath reversePath;
    private final boolean smtpUtf8;
    private final SequencedSet<Path> forwardPaths = new LinkedHashSet<>();
    private final SequencedSet<Addresses.Destination> destinations = new LinkedHashSet<>();
    private int recipients;

    Transaction(Party party, ReversePath reversePath, boolean smtpUtf8) {
        this.party = party;
        this.reversePath = reversePath;
        this.smtpUtf8 = smtpUtf8;
    }

    Party party() {
        return party;
    }

    ReversePath reversePath() {
        return reversePath;
    }

    boolean smtpUtf8() {
        return smtpUtf8;
    }

    /** Accepted RCPT commands, repeated ones included. */
    int recipients() {
        return recipients;
    }

    /** A recipient named twice gets the message once. */
    void add(Path forwardPath, Addresses.@Nullable Destination destination) {
        forwardPaths.add(forwardPath);
        if (destination != null) {
            destinations.add(destination);
        }
        recipients++;
    }

    Envelope envelope(String id, Instant now) {
        return new Envelope(id, party.peer(), reversePath, List.copyOf(forwardPaths), destinations, smtpUtf8, now);
    }
}
