package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.ReversePath;
import dev.inboxd.mail.smtp.SmtpPath;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The envelope of one message: the result of a mail transaction (RFC 5321 §2.3.1).
 *
 * @param id identifies the message in our Received field and in the log; lower-case letters and digits, unique
 * @param peer the client
 * @param reversePath the sender
 * @param forwardPaths the accepted recipients, each once, in the order of RCPT, at least one
 * @param destinations the places that the recipients resolved to at RCPT, each once, with those recipients; a
 *     recipient whose mail is not stored, such as a return path of the service's own mail, has none
 * @param smtpUtf8 whether the client declared SMTPUTF8 (RFC 6531)
 * @param receivedAt when DATA began; the date of the Received field
 * @param dsn the delivery status notifications that the sender requested; its recipients are in the order of
 *     {@code forwardPaths}
 */
public record Envelope(
        String id,
        Peer peer,
        ReversePath reversePath,
        List<SmtpPath> forwardPaths,
        Map<Recipient, List<SmtpPath>> destinations,
        boolean smtpUtf8,
        Instant receivedAt,
        DsnRequest dsn) {
    /** Copies the lists. */
    public Envelope {
        forwardPaths = List.copyOf(forwardPaths);
        destinations = Collections.unmodifiableMap(new LinkedHashMap<>(destinations)); // in their order
    }
}
