package dev.inboxd.inbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.inbound.authentication.AuthenticationVerdict;
import dev.inboxd.inbound.authentication.MessageAuthentication;
import dev.inboxd.inbound.authentication.MessageBytes;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.inbound.authentication.TracedMessage;
import dev.inboxd.inbound.filter.BestEffort;
import dev.inboxd.inbound.filter.ContentFilters;
import dev.inboxd.inbound.filter.SpamClassifier;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mailbox.attachment.MediaTypes;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.storage.MessageSummaries;
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
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stores received messages: checks, parses and commits a message before its 250 (promise P1). */
public final class InboundStore implements MailHandler {
    private static final SmtpReply ACCEPTED = SmtpReply.of(250, "2.0.0", "Message accepted");
    /** Time limit of a message's commits, far below the 10 minutes of RFC 5321 §4.5.3.2.6 with all checks before. */
    private static final Duration COMMIT_TIMEOUT = Duration.ofMinutes(2);

    private final RecipientCheck recipients;
    private final OrganizationDelivery delivery;
    private final MessageScreen screen;
    private final HeldCopyCheck held;
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
            InboundStorage means,
            InboundLimits inflow,
            MessageAuthentication authentication,
            Feedback feedback,
            ContentFilters filters,
            AutoReplyLabel autoReplyLabel) {}

    /** A store with these services. */
    public InboundStore(Parts parts) {
        this(parts, MessageMemory.of(HeapShare.MAIL), COMMIT_TIMEOUT);
    }

    public InboundStore(Parts parts, MessageMemory memory, Duration patience) {
        this.recipients = new RecipientCheck(parts.recipients, parts.feedback, parts.filters, parts.inflow);
        this.screen = parts.means.screen();
        this.held = new HeldCopyCheck(parts.recipients, parts.means.held());
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
        return recipients.ofPeer(forwardPath, peer, mail.size());
    }

    /** Decides about recipients before the content of a message is there. */
    public RecipientCheck recipients() {
        return recipients;
    }

    @Override
    public Outcome accept(Envelope envelope, Spool content) {
        return accept(envelope, content, IntakeChoices.none());
    }

    /** Takes a message of which somebody chose what would be found. */
    public Outcome accept(Envelope envelope, Spool content, IntakeChoices chosen) {
        // An inbox that was deleted since RCPT is detected by the transaction that stores the message.
        Map<UUID, List<UUID>> inboxes = InboxRecipient.inboxes(envelope);
        try {
            AuthenticationVerdict verdict = authenticate(envelope, inboxes.keySet(), content, chosen);
            SequencedMap<String, Object> details = CheckDetails.of(verdict.results());
            SmtpReply refusal = verdict.refusal() == null ? filters.refusal(content) : verdict.refusal();
            if (refusal != null) {
                return new Outcome(refusal, details);
            }
            IncomingMessage.Origin origin = IncomingMessage.Origin.of(envelope, content, verdict);
            MessageBytes traced = new TracedMessage(content, verdict);
            ContentFilters.EnvelopeCheck check = filters.checkEnvelope(envelope, content, chosen.isHandedIn());
            SmtpReply reply = withMemory(
                    traced.size(),
                    () -> store(
                            read(envelope.id(), origin, traced, chosen),
                            inboxes,
                            check.deciding(chosen.spam()),
                            details));
            return new Outcome(reply, details);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private AuthenticationVerdict authenticate(
            Envelope envelope, Set<UUID> organizations, Spool content, IntakeChoices chosen) throws IOException {
        try (InputStream message = content.open()) {
            message.skipNBytes(content.clientStart());
            return authentication.check(
                    new MessageAuthentication.Origin(
                            envelope.peer().address(),
                            envelope.peer().helo(),
                            envelope.reversePath().address(),
                            organizations),
                    message,
                    chosen.authentication());
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
            IncomingMessage.Origin origin = IncomingMessage.Origin.local(
                    reversePath, IncomingMessage.ForwardPaths.of(destination.inbox(), recipients), raw);
            SmtpReply reply = withMemory(
                    raw.size(),
                    () -> store(
                            held.checked(read(raw.id(), origin, raw, IntakeChoices.none()), destination),
                            to,
                            check,
                            new LinkedHashMap<>()));
            if (reply.equals(SmtpReplies.CROWDED)) {
                throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many messages are being processed");
            }
            return reply;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Stores a message, or refuses it when no memory becomes free. A late commit keeps its memory until its end.
     *
     * @param storing parses and stores it; false when there is no room for it
     */
    private SmtpReply withMemory(long size, BooleanSupplier storing) {
        if (!memory.acquire(size)) {
            return SmtpReplies.CROWDED;
        }
        Consumer<Runnable> end = Runnable::run;
        try {
            return storing.getAsBoolean() ? ACCEPTED : inflow.overLimit();
        } catch (InboundCommits.CommitTimeoutException late) {
            end = late::whenSettled;
            throw late;
        } finally {
            end.accept(() -> memory.release(size));
        }
    }

    private IncomingMessage read(String id, IncomingMessage.Origin origin, MessageBytes content, IntakeChoices chosen) {
        ParsedMessage parsed;
        try (InputStream in = content.open()) {
            parsed = MessageParser.parse(in, MediaTypes::received);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return new IncomingMessage(
                id,
                origin,
                content,
                parsed,
                autoReplyLabel.addTo(origin.labels(), origin.reversePath(), parsed),
                MessageSummaries.of(parsed, origin.reversePath(), content.size()),
                new PendingVerdict(
                        () -> chosen.security() == null ? screen.judge(id, parsed, content::open) : chosen.security()),
                null,
                chosen.copies());
    }

    /** Stores a message. False when an organization had no room; for the others, the client's retry is a duplicate. */
    private boolean store(
            IncomingMessage message,
            Map<UUID, List<UUID>> inboxes,
            ContentFilters.EnvelopeCheck check,
            SequencedMap<String, Object> details) {
        RecipientReports findings = reports(message, inboxes);
        Optional<SpamClassifier.Assessment> suspect =
                filters.assess(message.id(), message.parsed(), message.origin().labels(), check);
        long deadline = System.nanoTime() + patience.toNanos();
        boolean allStored = true;
        // One organization after another: after an interruption, the sender's retry is a duplicate where it is stored.
        for (Map.Entry<UUID, List<UUID>> entry :
                findings.withReportedInboxes(inboxes).entrySet()) {
            UUID organization = entry.getKey();
            InboundItem.Mail mail = new InboundItem.Mail(
                    message,
                    entry.getValue(),
                    findings.of(organization),
                    check.decided() == null ? filters.isSpam(suspect, organization) : check.decided());
            CheckDetails.addSpam(details, mail);
            boolean stored = mail.inboxes().isEmpty() || delivery.store(organization, mail, deadline);
            if (stored) {
                recordReports(organization, mail);
            }
            allStored &= stored;
        }
        if (!message.copies()
                .isEmpty()) { // once, however often the client repeats it for organizations that had no room
            filters.recordAccepted(suspect, check);
        }
        return allStored;
    }

    private RecipientReports reports(IncomingMessage message, Map<UUID, List<UUID>> inboxes) {
        return message.origin().local()
                ? RecipientReports.NONE
                : BestEffort.or(RecipientReports.NONE, message.id(), () -> feedback.examine(message.toReport(inboxes)));
    }

    /**
     * Applies the effects of a report after its commit. An effect that fails on this report would fail on each
     * repetition: it must not cost the message, nor the other effects.
     */
    private void recordReports(UUID organization, InboundItem.Mail mail) {
        String id = mail.message().id();
        List<RecipientReport> findings = mail.findings();
        if (!findings.isEmpty() && !BestEffort.done(id, () -> feedback.record(organization, findings))) {
            findings.forEach(finding -> BestEffort.done(id, () -> feedback.record(organization, List.of(finding))));
        }
    }
}
