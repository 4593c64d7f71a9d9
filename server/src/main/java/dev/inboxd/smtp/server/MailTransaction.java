package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** An open mail transaction: the MAIL command and the accepted RCPT commands so far (RFC 5321 §3.3). */
final class MailTransaction {
    private final TransactionContext context;
    private final SmtpCommand.Mail mail;
    private final SequencedMap<SmtpPath, RecipientDsn> forwardPaths = new LinkedHashMap<>();
    private final SequencedMap<Recipient, List<SmtpPath>> destinations = new LinkedHashMap<>();
    private final long begun;
    private int recipients;

    /** @param begun when MAIL came, in monotonic nanoseconds */
    MailTransaction(TransactionContext context, SmtpCommand.Mail mail, long begun) {
        this.context = context;
        this.mail = mail;
        this.begun = begun;
    }

    long begun() {
        return begun;
    }

    /** The accepted recipients, each once. */
    Collection<SmtpPath> forwardPaths() {
        return forwardPaths.keySet();
    }

    TransactionContext context() {
        return context;
    }

    SmtpCommand.Mail mail() {
        return mail;
    }

    boolean smtpUtf8() {
        return mail.smtpUtf8();
    }

    /** Number of accepted RCPT commands, repetitions included. */
    int recipients() {
        return recipients;
    }

    /**
     * Adds an accepted recipient. A recipient named twice gets the message once, and the DSN parameters of the first
     * RCPT apply.
     *
     * @param destination null when the recipient's mail is not stored
     */
    void add(SmtpCommand.Rcpt rcpt, @Nullable Recipient destination) {
        forwardPaths.putIfAbsent(rcpt.forwardPath(), rcpt.dsn());
        if (destination != null) {
            List<SmtpPath> paths = destinations.computeIfAbsent(destination, _ -> new ArrayList<>());
            if (!paths.contains(rcpt.forwardPath())) {
                paths.add(rcpt.forwardPath());
            }
        }
        recipients++;
    }

    /** The envelope of this transaction, at least one recipient of which was accepted. */
    Envelope envelope(String id, Instant now) {
        return new Envelope(
                id,
                context.peer(),
                mail.reversePath(),
                List.copyOf(forwardPaths.keySet()),
                destinations,
                mail.smtpUtf8(),
                now,
                new DsnRequest(mail.dsn(), List.copyOf(forwardPaths.values())));
    }
}
