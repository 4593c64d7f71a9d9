package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.ReversePath;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.tenant.inbox.AddressDirectory;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * One mail transaction, RFC 5321 §2.3.1.
 *
 * @param id names it in our Received field and in the log; lower-case letters and digits, unique
 * @param peer the client
 * @param reversePath the sender
 * @param forwardPaths the accepted recipients, each once, in the order given, at least one
 * @param destinations where its recipients led when they were named, each once; none for those whose mail nobody keeps
 * @param smtpUtf8 whether the client declared SMTPUTF8 (RFC 6531)
 * @param receivedAt when DATA began; the date of the Received field
 * @param dsn what the sender wants to be told, each recipient in its place among the forward paths
 */
public record Envelope(
        String id,
        Peer peer,
        ReversePath reversePath,
        List<SmtpPath> forwardPaths,
        Collection<AddressDirectory.Destination> destinations,
        boolean smtpUtf8,
        Instant receivedAt,
        DsnRequest dsn) {
    /** Copies the lists. */
    public Envelope {
        forwardPaths = List.copyOf(forwardPaths);
        destinations = List.copyOf(destinations);
    }

    /** The local parts of the recipients that may be return paths of ours. */
    public List<String> returnPaths() {
        return forwardPaths.stream()
                .map(SmtpPath::localPart)
                .filter(ReturnPaths::isMeant)
                .toList();
    }
}
