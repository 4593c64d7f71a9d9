package dev.inboxd.inbound;

import dev.inboxd.event.EventLog;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.mailbox.attachment.MediaTypes;
import dev.inboxd.mailbox.message.LargeMessages;
import dev.inboxd.mailbox.message.MessageSummaries;
import dev.inboxd.mailbox.message.NewMessage;
import dev.inboxd.mailbox.message.ReadableContentCache;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.link.Links;
import dev.inboxd.platform.memory.HeapShare;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.screening.MessageScreen;
import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.sending.feedback.RecipientReport;
import dev.inboxd.sending.feedback.RecipientReports;
import dev.inboxd.smtp.server.Envelope;
import dev.inboxd.smtp.server.MailHandler;
import dev.inboxd.smtp.server.MessageMemory;
import dev.inboxd.smtp.server.Peer;
import dev.inboxd.smtp.server.SmtpReplies;
import dev.inboxd.smtp.server.Spool;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.KnownRecipients;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stores received messages: checks, parses and commits a message before its 250 (promise P1). */
public final class InboundStore implements MailHandler {
    private static final SmtpReply ACCEPTED = SmtpReply.of(250, "2.0.0", "Message accepted");
    /** Time limit of a message's commits, far below the 10 minutes of RFC 5321 §4.5.3.2.6 with all checks before. */
    private static final Duration COMMIT_TIMEOUT = Duration.ofMinutes(2);

    private final KnownRecipients recipients;
    private final OrganizationDelivery delivery;
    private final MessageScreen screen;
    private final InboundLimits inflow;
    private final MessageAuthentication authentication;
    private final Feedback feedback;
    private final ContentFilters filters;
    private final AutoReplyLabel autoReplyLabel;
    private final MessageMemory memory;
    private final Duration patience;

    /** The services behind a store; the blobs are those of large messages. */
    public record Parts(
            Database database,
            KnownRecipients recipients,
            LargeMessages blobs,
            Storage means,
            InboundLimits inflow,
            MessageAuthentication authentication,
            Feedback feedback,
            ContentFilters filters,
            AutoReplyLabel autoReplyLabel) {}

    /**
     * The services of the writing transaction.
     *
     * @param recent caches the readable content of stored messages
     * @param quota maximum storage of an organization
     * @param screen judges what may steer an agent
     * @param calendars takes in the calendars of mail
     */
    public record Storage(
            EventLog log,
            Links links,
            ReadableContentCache recent,
            StorageQuota quota,
            MessageScreen screen,
            CalendarIntake calendars) {}

    /** A store with these services. */
    public InboundStore(Parts parts) {
        this(parts, MessageMemory.of(HeapShare.MAIL), COMMIT_TIMEOUT);
    }

    public InboundStore(Parts parts, MessageMemory memory, Duration patience) {
        this.recipients = parts.recipients;
        this.screen = parts.means.screen;
        this.delivery = new OrganizationDelivery(
                parts.blobs, new InboundCommits(parts.database, parts.means), parts.inflow, screen);
        this.inflow = parts.inflow;
        this.authentication = parts.authentication;
        this.feedback = parts.feedback;
        this.filters = parts.filters;
        this.autoReplyLabel = parts.autoReplyLabel;
        this.memory = memory;
        this.patience = patience;
    }

    @Override
    public Verdict recipient(SmtpCommand.Mail mail, SmtpPath forwardPath, Peer peer) {
        return inflow.admit(peer, resolved(forwardPath, peer), mail.size());
    }

    private Verdict resolved(SmtpPath forwardPath, Peer peer) {
        if (ReturnPaths.isMeant(forwardPath.localPart())) {
            return feedback.returned(forwardPath.localPart())
                    .map(Verdict::accepted)
                    .orElse(Verdict.refused(SmtpReply.NO_SUCH_MAILBOX));
        }
        return filters.recipient(
                peer, () -> switch (recipients.resolve(forwardPath.localPart(), forwardPath.domain())) {
                    case AddressDirectory.Resolution.LocalInbox ours -> Verdict.accepted(ours.destination());
                    case AddressDirectory.Resolution.UnknownAddress _ -> Verdict.refused(SmtpReply.NO_SUCH_MAILBOX);
                    case AddressDirectory.Resolution.Remote _ -> Verdict.refused(SmtpReply.RELAY_DENIED);
                });
    }

    @Override
    public Outcome accept(Envelope envelope, Spool content) {
        // An inbox that was deleted since RCPT is detected by the transaction that stores the message.
        Map<UUID, List<UUID>> inboxes = envelope.inboxes();
        try {
            AuthenticationVerdict verdict = authenticate(envelope, content);
            SequencedMap<String, Object> details = CheckDetails.of(verdict.results());
            SmtpReply refusal = verdict.refusal() == null ? filters.refusal(content) : verdict.refusal();
            if (refusal != null) {
                return new Outcome(refusal, details);
            }
            IncomingMessage delivered = new IncomingMessage(
                    envelope.id(),
                    envelope.reversePath().address(),
                    new TracedMessage(content, verdict),
                    content.contentDigest(),
                    false,
                    verdict.labels(),
                    IncomingMessage.ForwardPaths.of(envelope),
                    verdict.author(),
                    filters.checkEnvelope(envelope, content));
            return new Outcome(deliver(delivered, inboxes, details), details);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private AuthenticationVerdict authenticate(Envelope envelope, Spool content) throws IOException {
        try (InputStream message = content.open()) {
            message.skipNBytes(content.clientStart());
            return authentication.check(
                    new MessageAuthentication.Origin(
                            envelope.peer().address(),
                            envelope.peer().helo(),
                            envelope.reversePath().address()),
                    message);
        }
    }

    /**
     * The refusal of an outgoing message before it leaves (ruling 24), or null; 4yz when it cannot be decided now.
     * Blocks while a virus scanner works.
     */
    public @Nullable SmtpReply refusal(RawMessage raw) {
        try {
            return filters.refusal(raw);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Stores a message from another inbox of this server, checked like any received mail. A repetition after a crash
     * changes nothing. Blocks until the commit.
     *
     * @param reversePath the sending inbox's address
     * @param destination the receiving inbox
     * @param recipients the recipients of the envelope that lead to it, as the sender wrote them
     * @param raw the message as composed
     * @return 250, or 452 while there is no room for it
     * @throws Problem {@link ErrorCode#SERVICE_UNAVAILABLE} when too many messages are being processed
     */
    public SmtpReply deliverLocally(
            String reversePath, AddressDirectory.Destination destination, List<String> recipients, RawMessage raw) {
        try {
            Map<UUID, List<UUID>> to = Map.of(destination.organization(), List.of(destination.inbox()));
            ContentFilters.EnvelopeCheck check = filters.checkEnvelope(reversePath, raw);
            IncomingMessage.ForwardPaths paths = IncomingMessage.ForwardPaths.of(destination.inbox(), recipients);
            SmtpReply reply = deliver(IncomingMessage.local(raw, reversePath, paths, check), to, new LinkedHashMap<>());
            if (reply.equals(SmtpReplies.CROWDED)) {
                throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many messages are being processed");
            }
            return reply;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Stores a message, or refuses it when no memory becomes free. A late commit keeps its memory until its end. */
    private SmtpReply deliver(
            IncomingMessage message, Map<UUID, List<UUID>> inboxes, SequencedMap<String, Object> details)
            throws IOException {
        long size = message.content().size();
        if (!memory.acquire(size)) {
            return SmtpReplies.CROWDED;
        }
        Consumer<Runnable> end = Runnable::run;
        try {
            return store(message, inboxes, details) ? ACCEPTED : inflow.overLimit();
        } catch (InboundCommits.CommitTimeoutException late) {
            end = late::whenSettled;
            throw late;
        } finally {
            end.accept(() -> memory.release(size));
        }
    }

    /** Stores a message. False when an organization had no room; for the others, the client's retry is a duplicate. */
    private boolean store(IncomingMessage message, Map<UUID, List<UUID>> inboxes, SequencedMap<String, Object> details)
            throws IOException {
        ParsedMessage parsed = parsed(message.content());
        RecipientReports findings = reports(message, parsed, inboxes);
        Optional<SpamClassifier.Assessment> suspect =
                filters.assess(message.id(), parsed, message.labels(), message.envelopeCheck());
        List<String> labels = autoReplyLabel.addTo(message.labels(), message.reversePath(), parsed);
        NewMessage.Summary summary = MessageSummaries.of(
                parsed, message.reversePath(), message.content().size());
        PendingVerdict verdict = new PendingVerdict(() -> screen.judge(message.id(), parsed, message.content()::open));
        long deadline = System.nanoTime() + patience.toNanos();
        boolean kept = true;
        AtomicBoolean isNew = new AtomicBoolean();
        // One organization after another: after an interruption, the sender's retry is a duplicate where it is stored.
        for (Map.Entry<UUID, List<UUID>> some :
                findings.withReportedInboxes(inboxes).entrySet()) {
            UUID organization = some.getKey();
            InboundItem.Mail mail = new InboundItem.Mail(
                    some.getValue(),
                    message,
                    parsed,
                    labels,
                    findings.of(organization),
                    filters.isSpam(suspect, organization),
                    summary,
                    verdict,
                    isNew);
            CheckDetails.addSpam(details, mail);
            boolean stored = mail.inboxes().isEmpty() || delivery.store(organization, mail, deadline);
            if (stored) {
                settle(organization, mail);
            }
            kept &= stored;
        }
        if (isNew.get()) { // once, however often the client repeats it for organizations that had no room
            filters.recordAccepted(suspect, message.envelopeCheck());
        }
        return kept;
    }

    private RecipientReports reports(IncomingMessage message, ParsedMessage parsed, Map<UUID, List<UUID>> inboxes) {
        return message.local()
                ? RecipientReports.NONE
                : BestEffort.or(
                        RecipientReports.NONE, message.id(), () -> feedback.examine(message.toReport(parsed, inboxes)));
    }

    private static ParsedMessage parsed(MessageBytes content) throws IOException {
        try (InputStream in = content.open()) {
            return MessageParser.parse(in, MediaTypes::received);
        }
    }

    /**
     * Applies the effects of a report after its commit. An effect that fails on this report would fail on each
     * repetition: it must not cost the message, nor the other effects.
     */
    private void settle(UUID organization, InboundItem.Mail mail) {
        String id = mail.message().id();
        List<RecipientReport> findings = mail.findings();
        if (!findings.isEmpty() && !BestEffort.done(id, () -> feedback.record(organization, findings))) {
            findings.forEach(each -> BestEffort.done(id, () -> feedback.record(organization, List.of(each))));
        }
    }
}
