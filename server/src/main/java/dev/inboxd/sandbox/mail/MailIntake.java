package dev.inboxd.sandbox.mail;

import dev.inboxd.inbound.InboundStore;
import dev.inboxd.inbound.InboxRecipient;
import dev.inboxd.inbound.IntakeChoices;
import dev.inboxd.inbound.StoredCopies;
import dev.inboxd.inbound.authentication.ChosenResults;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mail.smtp.TraceFields;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.smtp.server.Envelope;
import dev.inboxd.smtp.server.MailHandler;
import dev.inboxd.smtp.server.Peer;
import dev.inboxd.smtp.server.Recipient;
import dev.inboxd.smtp.server.Spool;
import dev.inboxd.tenant.inbox.AddressDirectory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Hands mail in to the intake that mail from other servers has: only the session of SMTP is missing. */
public final class MailIntake {
    private final InboundStore store;
    private final Config config;
    private final InstantSource clock;

    /**
     * What the listener of SMTP would keep to.
     *
     * @param host the name of this server
     * @param largest octets of a mail
     */
    public record Config(String host, long largest) {}

    /** A way into that store. */
    public MailIntake(InboundStore store, Config config, InstantSource clock) {
        this.store = store;
        this.config = config;
        this.clock = clock;
    }

    /** What became of a mail. */
    public sealed interface Result {
        /**
         * Refused as a client of SMTP would be told; nothing is stored.
         *
         * @param to the recipient that it is about; null when it is about the mail
         */
        record Refused(@Nullable SmtpPath to, SmtpReply reply) implements Result {}

        /** Accepted. */
        record Accepted(List<Copy> copies) implements Result {
            public Accepted {
                copies = List.copyOf(copies);
            }
        }
    }

    /**
     * What became of it for one recipient.
     *
     * @param inbox null for a report on mail of the service itself, which no inbox has
     * @param message null when it was dropped
     */
    public record Copy(
            SmtpPath to, @Nullable UUID inbox, @Nullable Message message) {}

    /**
     * Hands a mail in; blocks until it is committed.
     *
     * @param isVisible the inboxes that whoever hands it in may see; to all others there is no way
     */
    public Result take(HandedMail mail, Predicate<AddressDirectory.Destination> isVisible) {
        if (mail.octets().length > config.largest) {
            return new Result.Refused(null, SmtpReply.TOO_LARGE);
        }
        Map<Recipient, List<SmtpPath>> destinations = new LinkedHashMap<>();
        List<Copy> places = new ArrayList<>();
        for (SmtpPath path : mail.to()) {
            MailHandler.Verdict verdict = store.recipients().ofSandbox(path, mail.octets().length, isVisible);
            if (!verdict.reply().isPositive()) {
                return new Result.Refused(path, verdict.reply());
            }
            Recipient to = verdict.destination();
            if (to != null) {
                destinations.computeIfAbsent(to, _ -> new ArrayList<>()).add(path);
            }
            places.add(
                    new Copy(path, to instanceof InboxRecipient(var destination) ? destination.inbox() : null, null));
        }
        StoredCopies copies = new StoredCopies();
        SmtpReply reply = accepted(mail, destinations, copies);
        return reply.isPositive()
                ? new Result.Accepted(
                        places.stream().map(place -> filled(place, copies)).toList())
                : new Result.Refused(null, reply);
    }

    private static Copy filled(Copy place, StoredCopies copies) {
        UUID inbox = place.inbox;
        return inbox == null
                ? place
                : new Copy(place.to, inbox, copies.in(inbox).orElse(null));
    }

    private SmtpReply accepted(HandedMail mail, Map<Recipient, List<SmtpPath>> destinations, StoredCopies copies) {
        Envelope envelope = envelope(mail, destinations);
        byte[] trace = trace(envelope).getBytes(StandardCharsets.UTF_8);
        IntakeChoices choices = new IntakeChoices(
                mail.choices().authentication(),
                mail.choices().spam(),
                mail.choices().security(),
                copies);
        try (Spool spool = Spool.of(trace, mail.octets())) {
            return store.accept(envelope, spool, choices).reply();
        }
    }

    private Envelope envelope(HandedMail mail, Map<Recipient, List<SmtpPath>> destinations) {
        Instant now = clock.instant();
        String id = Long.toString(now.toEpochMilli(), 36)
                + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40, 1L << 41), 36);
        return new Envelope(
                id,
                new Peer(mail.origin().client(), mail.origin().helo(), false),
                mail.origin().mailFrom(),
                mail.to(),
                destinations,
                true,
                now,
                new DsnRequest(MailDsn.NONE, Collections.nCopies(mail.to().size(), RecipientDsn.NONE)));
    }

    private String trace(Envelope envelope) {
        List<SmtpPath> paths = envelope.forwardPaths();
        return TraceFields.returnPath(envelope.reversePath())
                + new TraceFields(
                        envelope.peer().helo(),
                        envelope.peer().address(),
                        new TraceFields.Receiver(config.host + ChosenResults.COMMENT, "ESMTP", envelope.id()),
                        paths.size() == 1 ? paths.getFirst() : null,
                        envelope.receivedAt());
    }
}
