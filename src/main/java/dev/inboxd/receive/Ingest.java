package dev.inboxd.receive;

import dev.inboxd.attachment.MediaTypes;
import dev.inboxd.database.Database;
import dev.inboxd.database.JointWrites;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.feedback.Feedback;
import dev.inboxd.feedback.Finding;
import dev.inboxd.feedback.Findings;
import dev.inboxd.inbox.Addresses;
import dev.inboxd.inbox.KnownRecipients;
import dev.inboxd.link.Links;
import dev.inboxd.log.LogLine;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.Path;
import dev.inboxd.mail.smtp.Reply;
import dev.inboxd.mail.smtp.ReversePath;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.message.Content;
import dev.inboxd.message.LargeMessages;
import dev.inboxd.message.Outlines;
import dev.inboxd.message.RecentlyShown;
import dev.inboxd.message.Shown;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From the final dot to the commit: parses, stores, and only then lets the dialogue say 250 (promise P1). */
public final class Ingest implements Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);
    private static final Reply ACCEPTED = Reply.of(250, "2.0.0", "Message accepted");

    private final KnownRecipients recipients;
    private final LargeMessages blobs;
    private final Means means;
    private final Authentication authentication;
    private final Feedback feedback;
    private final Filters filters;
    private final MailBudget memory;
    private final JointWrites<Arrival> writes;

    /**
     * What an intake stands on.
     *
     * @param blobs keeps large messages where they belong
     */
    public record Parts(Database database, KnownRecipients recipients, LargeMessages blobs, Means means,
            Authentication authentication, Feedback feedback, Filters filters) {}

    /**
     * What storing stands on.
     *
     * @param recent is told what is shown of what was stored
     */
    public record Means(EventLog log, Links links, RecentlyShown recent) {}

    /** An intake that checks, and stores in that database. */
    public Ingest(Parts parts) {
        this(parts, MailBudget.ofHeap());
    }

    Ingest(Parts parts, MailBudget memory) {
        this.writes = new JointWrites<>(parts.database, new Storage());
        this.recipients = parts.recipients;
        this.blobs = parts.blobs;
        this.means = parts.means;
        this.authentication = parts.authentication;
        this.feedback = parts.feedback;
        this.filters = parts.filters;
        this.memory = memory;
    }

    @Override
    public Verdict recipient(ReversePath reversePath, Path forwardPath, Peer peer) {
        if (ReturnPaths.isMeant(forwardPath.localPart())) {
            return feedback.returned(forwardPath.localPart()).map(Verdict::taken)
                    .orElse(Verdict.refused(Reply.NO_SUCH_MAILBOX));
        }
        return filters.recipient(peer, () -> switch (recipients.resolve(forwardPath.localPart(), forwardPath.domain())) {
            case Addresses.Resolution.Ours ours -> Verdict.taken(ours.destination());
            case Addresses.Resolution.Unknown _ -> Verdict.refused(Reply.NO_SUCH_MAILBOX);
            case Addresses.Resolution.Elsewhere _ -> Verdict.refused(Reply.RELAY_DENIED);
        });
    }

    @Override
    public Reply accept(Envelope envelope, Spool content) {
        Map<UUID, List<UUID>> inboxes = new LinkedHashMap<>();
        // An inbox that is gone since RCPT is noticed by the transaction that stores the message.
        envelope.destinations().forEach(destination ->
                inboxes.computeIfAbsent(destination.organization(), _ -> new ArrayList<>()).add(destination.inbox()));
        try {
            Judgement judgement = judge(envelope, content);
            Reply refusal = judgement.refusal() == null ? filters.refusal(content) : judgement.refusal();
            if (refusal != null) {
                LogLine.of("message_refused").with("id", envelope.id()).with("reply", refusal.code()).write();
                return refusal;
            }
            Delivered delivered = new Delivered(envelope.id(), envelope.reversePath().address(),
                    content.contentDigest(), false, judgement.labels(), envelope.returnPaths(), judgement.vouched(),
                    filters.see(envelope, content));
            return deliver(delivered, new Stamped(content, judgement), inboxes) ? ACCEPTED : Replies.CROWDED;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Judgement judge(Envelope envelope, Spool content) throws IOException {
        try (InputStream message = content.open()) {
            message.skipNBytes(content.clientStart());
            return authentication.judge(new Authentication.Origin(envelope.peer().address(), envelope.peer().helo(),
                    envelope.reversePath().address()), message);
        }
    }

    /**
     * Puts a message of an inbox of this server into another inbox, without leaving the server. Repeating it after a
     * crash changes nothing. Blocks until the commit.
     *
     * @param reversePath the sending inbox's address
     * @param destination where to
     * @param raw the message as composed
     * @throws Problem {@link Code#SERVICE_UNAVAILABLE} when too much mail is under way
     */
    public void deliverLocally(String reversePath, Addresses.Destination destination, Raw raw) {
        try {
            Map<UUID, List<UUID>> to = Map.of(destination.organization(), List.of(destination.inbox()));
            if (!deliver(Delivered.local(raw, reversePath), raw, to)) {
                throw Problem.of(Code.SERVICE_UNAVAILABLE, "Too much mail is under way");
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** False when there is no memory for it now. */
    private boolean deliver(Delivered delivered, Octets octets, Map<UUID, List<UUID>> inboxes) throws IOException {
        if (!memory.take(octets.size())) {
            return false;
        }
        try {
            store(delivered, octets, inboxes);
            return true;
        } finally {
            memory.give(octets.size());
        }
    }

    private void store(Delivered delivered, Octets octets, Map<UUID, List<UUID>> inboxes) throws IOException {
        ParsedMessage parsed;
        try (InputStream in = octets.open()) {
            parsed = MessageParser.parse(in, MediaTypes::received);
        }
        Findings findings = delivered.local() ? Findings.NONE
                : feedback.examine(delivered.arrived(parsed, octets, inboxes));
        Classifier.Suspect suspect = filters.look(delivered.id(), parsed, delivered.labels(), delivered.sighting());
        // One organization after another: if this is cut short, the sender's retry is absorbed where it is done.
        for (Map.Entry<UUID, List<UUID>> some : findings.placed(inboxes).entrySet()) {
            Mail mail = new Mail(delivered, octets, parsed, findings.of(some.getKey()),
                    filters.isSpam(suspect, some.getKey()));
            if (some.getValue().isEmpty()) {
                feedback.settle(some.getKey(), mail.findings);
                continue;
            }
            try {
                store(mail, some.getKey(), some.getValue(), true);
            } catch (LargeMessages.NoLongerShared deleted) {
                store(mail, some.getKey(), some.getValue(), false);
            }
        }
    }

    private record Mail(Delivered delivered, Octets octets, ParsedMessage parsed, List<Finding> findings,
            boolean suspected) {}

    private void store(Mail mail, UUID organization, List<UUID> inboxes, boolean sharing) throws IOException {
        Delivered delivered = mail.delivered;
        Content content = content(organization, mail.octets, mail.parsed, sharing);
        Arrival arrival = new Arrival(inboxes, new Arrival.Mail(delivered.id(), delivered.reversePath(),
                delivered.contentDigest(), delivered.local(),
                Machines.labelled(delivered.labels(), delivered.reversePath(), mail.parsed), mail.findings,
                mail.suspected, mail.parsed, Outlines.of(mail.parsed, delivered.reversePath(), mail.octets.size(), content)));
        writes.add(organization, arrival);
        try {
            arrival.done().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }

    private Content content(UUID organization, Octets octets, ParsedMessage parsed, boolean sharing) throws IOException {
        byte[] sha256 = HexFormat.of().parseHex(octets.sha256());
        if (octets.size() <= Content.LARGEST_IN_DATABASE) {
            byte[] raw = octets.bytes();
            return new Content(raw, null, headerSize(raw), null, sha256);
        }
        return blobs.keep(organization, octets::open, octets.size(),
                new LargeMessages.Kept(Shown.of(parsed).stored(), sha256), sharing);
    }

    /** Where the header section ends: at the first empty line, whatever ends its lines. */
    static int headerSize(byte[] raw) {
        int lineStart = 0;
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == '\n') {
                boolean empty = i == lineStart || (i == lineStart + 1 && raw[lineStart] == '\r');
                if (empty) {
                    return i + 1;
                }
                lineStart = i + 1;
            }
        }
        return raw.length;
    }

    /** What is stored together, and who is told. */
    private final class Storage implements JointWrites.Work<Arrival> {
        @Override
        public Database.Planned planned(UUID organization, List<Arrival> arrivals) {
            return new Database.Planned(organization, Batch.numbers(arrivals),
                    tx -> new Batch(tx, View.of(organization), means, arrivals));
        }

        @Override
        public void failed(UUID organization, List<Arrival> arrivals, Throwable failure) {
            LOG.warn("Message {} and {} more could not be stored: {}", arrivals.getFirst().mail().envelopeId(),
                    arrivals.size() - 1, failure.toString());
            arrivals.forEach(arrival -> arrival.done().completeExceptionally(failure));
        }

        @Override
        public void written(UUID organization, List<Arrival> arrivals) {
            arrivals.forEach(arrival -> arrival.done().complete(null));
            arrivals.forEach(arrival -> LogLine.of("message").with("id", arrival.mail().envelopeId())
                    .with("organization_id", organization).with("inboxes", arrival.inboxes().size())
                    .with("size", arrival.mail().outline().size()).write());
        }
    }
}
