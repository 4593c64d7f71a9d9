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
import dev.inboxd.mailbox.message.ReadableContent;
import dev.inboxd.mailbox.message.ReadableContentCache;
import dev.inboxd.mailbox.message.StoredContent;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.link.Links;
import dev.inboxd.platform.log.LogLine;
import dev.inboxd.platform.memory.HeapShare;
import dev.inboxd.platform.rate.StorageQuota;
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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** From the final dot to the commit: parses, stores, and only then lets the dialogue say 250 (promise P1). */
public final class InboundStore implements MailHandler {
    private static final SmtpReply ACCEPTED = SmtpReply.of(250, "2.0.0", "Message accepted");
    /** For the commits of a message. With all that is before, far below the 10 minutes of RFC 5321 §4.5.3.2.6. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final KnownRecipients recipients;
    private final LargeMessages blobs;
    private final InboundCommits commits;
    private final InboundLimits inflow;
    private final MessageAuthentication authentication;
    private final Feedback feedback;
    private final ContentFilters filters;
    private final AutoReplyLabel machines;
    private final MessageMemory memory;
    private final Duration patience;

    /**
     * What an intake stands on.
     *
     * @param blobs keeps large messages where they belong
     */
    public record Parts(
            Database database,
            KnownRecipients recipients,
            LargeMessages blobs,
            Storage means,
            InboundLimits inflow,
            MessageAuthentication authentication,
            Feedback feedback,
            ContentFilters filters,
            AutoReplyLabel machines) {}

    /**
     * What storing stands on.
     *
     * @param recent is told what is shown of what was stored
     * @param quota how much an organization keeps at most
     */
    public record Storage(EventLog log, Links links, ReadableContentCache recent, StorageQuota quota) {}

    /** An intake that checks, and stores in that database. */
    public InboundStore(Parts parts) {
        this(parts, MessageMemory.of(HeapShare.MAIL), PATIENCE);
    }

    public InboundStore(Parts parts, MessageMemory memory, Duration patience) {
        this.recipients = parts.recipients;
        this.blobs = parts.blobs;
        this.commits = new InboundCommits(parts.database, parts.means);
        this.inflow = parts.inflow;
        this.authentication = parts.authentication;
        this.feedback = parts.feedback;
        this.filters = parts.filters;
        this.machines = parts.machines;
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
    public SmtpReply accept(Envelope envelope, Spool content) {
        Map<UUID, List<UUID>> inboxes = new LinkedHashMap<>();
        // An inbox that is gone since RCPT is noticed by the transaction that stores the message.
        envelope.destinations()
                .forEach(destination -> inboxes.computeIfAbsent(destination.organization(), _ -> new ArrayList<>())
                        .add(destination.inbox()));
        try {
            AuthenticationVerdict judgement = judge(envelope, content);
            SmtpReply refusal = judgement.refusal() == null ? filters.refusal(content) : judgement.refusal();
            if (refusal != null) {
                LogLine.of("message_refused")
                        .with("id", envelope.id())
                        .with("reply", refusal.code())
                        .write();
                return refusal;
            }
            IncomingMessage delivered = new IncomingMessage(
                    envelope.id(),
                    envelope.reversePath().address(),
                    content.contentDigest(),
                    false,
                    judgement.labels(),
                    envelope.returnPaths(),
                    judgement.authenticatedDomains(),
                    filters.see(envelope, content));
            return deliver(delivered, new TracedMessage(content, judgement), inboxes);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private AuthenticationVerdict judge(Envelope envelope, Spool content) throws IOException {
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
     * What a message of an inbox here is refused for before it leaves, wherever to (ruling 24). Blocks
     * while a virus scanner looks.
     *
     * @return 5yz when it must never leave, 4yz when that is not known now, null when it may go
     */
    public @Nullable SmtpReply refusal(RawMessage raw) {
        try {
            return filters.refusal(raw);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Puts a message of an inbox of this server into another inbox, without leaving the server; it is judged like mail from
     * elsewhere. Repeating it after a crash changes nothing. Blocks until the commit.
     *
     * @param reversePath the sending inbox's address
     * @param destination where to
     * @param raw the message as composed
     * @return 250, or 452 while there is no room for it
     * @throws Problem {@link ErrorCode#SERVICE_UNAVAILABLE} when too much mail is under way
     */
    public SmtpReply deliverLocally(String reversePath, AddressDirectory.Destination destination, RawMessage raw) {
        try {
            Map<UUID, List<UUID>> to = Map.of(destination.organization(), List.of(destination.inbox()));
            SmtpReply reply = deliver(IncomingMessage.local(raw, reversePath, filters.see(reversePath, raw)), raw, to);
            if (reply.equals(SmtpReplies.CROWDED)) {
                throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too much mail is under way");
            }
            return reply;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Refused when there is no memory for it now. What may still be written holds its memory until that is known. */
    private SmtpReply deliver(IncomingMessage delivered, MessageBytes octets, Map<UUID, List<UUID>> inboxes)
            throws IOException {
        if (!memory.acquire(octets.size())) {
            return SmtpReplies.CROWDED;
        }
        Consumer<Runnable> end = Runnable::run;
        try {
            return store(delivered, octets, inboxes) ? ACCEPTED : inflow.overLimit();
        } catch (InboundCommits.CommitTimeoutException late) {
            end = late::whenSettled;
            throw late;
        } finally {
            end.accept(() -> memory.release(octets.size()));
        }
    }

    /** False when an organization had no room: the others have it then, and absorb what their client repeats. */
    private boolean store(IncomingMessage delivered, MessageBytes octets, Map<UUID, List<UUID>> inboxes)
            throws IOException {
        ParsedMessage parsed;
        try (InputStream in = octets.open()) {
            parsed = MessageParser.parse(in, MediaTypes::received);
        }
        RecipientReports findings = delivered.local()
                ? RecipientReports.NONE
                : BestEffort.or(
                        RecipientReports.NONE,
                        delivered.id(),
                        () -> feedback.examine(delivered.toReport(parsed, octets, inboxes)));
        Optional<SpamClassifier.Assessment> suspect =
                filters.assess(delivered.id(), parsed, delivered.labels(), delivered.envelopeCheck());
        long deadline = System.nanoTime() + patience.toNanos();
        boolean kept = true;
        AtomicBoolean fresh = new AtomicBoolean();
        // One organization after another: if this is cut short, the sender's retry is absorbed where it is done.
        for (Map.Entry<UUID, List<UUID>> some :
                findings.withReportedInboxes(inboxes).entrySet()) {
            Mail mail = new Mail(
                    delivered,
                    octets,
                    parsed,
                    findings.of(some.getKey()),
                    filters.isSpam(suspect, some.getKey()),
                    deadline,
                    fresh);
            if (some.getValue().isEmpty()) {
                settle(mail, some.getKey());
                continue;
            }
            boolean stored;
            try {
                stored = store(mail, some.getKey(), some.getValue(), true);
            } catch (LargeMessages.ChunkGoneException deleted) {
                stored = store(mail, some.getKey(), some.getValue(), false);
            }
            if (stored) {
                settle(mail, some.getKey());
            }
            kept &= stored;
        }
        if (fresh.get()) { // once, however often its client repeats it for those who had no room
            filters.recordAccepted(suspect, delivered.envelopeCheck());
        }
        return kept;
    }

    /**
     * Does what follows from a report, behind the commit that stores it and before its 250. What cannot be done over a
     * report would not be done over its repetition either: it costs neither that mail nor what was to be written with it.
     */
    private void settle(Mail mail, UUID organization) {
        String id = mail.delivered.id();
        if (!mail.findings.isEmpty() && !BestEffort.done(id, () -> feedback.record(organization, mail.findings))) {
            mail.findings.forEach(each -> BestEffort.done(id, () -> feedback.record(organization, List.of(each))));
        }
    }

    private record Mail(
            IncomingMessage delivered,
            MessageBytes octets,
            ParsedMessage parsed,
            List<RecipientReport> findings,
            boolean suspected,
            long deadline,
            AtomicBoolean fresh) {}

    private boolean store(Mail mail, UUID organization, List<UUID> inboxes, boolean sharing) throws IOException {
        IncomingMessage delivered = mail.delivered;
        long size = mail.octets.size();
        if (size > StoredContent.LARGEST_IN_DATABASE
                && !inflow.hasRoom(
                        organization,
                        StoredUsage.message(size),
                        inboxes.stream()
                                .map(inbox -> DuplicateFilter.digest(
                                        inbox, delivered.reversePath(), delivered.contentDigest()))
                                .toList())) {
            return false;
        }
        StoredContent content = content(organization, mail.octets, mail.parsed, sharing);
        InboundItem arrival = new InboundItem(
                inboxes,
                new InboundItem.Mail(
                        delivered.id(),
                        delivered.reversePath(),
                        delivered.contentDigest(),
                        delivered.local(),
                        machines.labelled(delivered.labels(), delivered.reversePath(), mail.parsed),
                        mail.findings,
                        mail.suspected,
                        mail.parsed,
                        MessageSummaries.of(mail.parsed, delivered.reversePath(), mail.octets.size(), content)));
        boolean kept = commits.commit(organization, arrival, Duration.ofNanos(mail.deadline - System.nanoTime()));
        if (arrival.isNew().get()) {
            mail.fresh.set(true);
        }
        if (!kept) {
            inflow.isFullNow(organization);
        }
        return kept;
    }

    private StoredContent content(UUID organization, MessageBytes octets, ParsedMessage parsed, boolean sharing)
            throws IOException {
        byte[] sha256 = HexFormat.of().parseHex(octets.sha256());
        if (octets.size() <= StoredContent.LARGEST_IN_DATABASE) {
            byte[] raw = octets.bytes();
            return new StoredContent(raw, null, headerSize(raw), null, sha256);
        }
        return blobs.store(
                organization,
                octets::open,
                octets.size(),
                new LargeMessages.StorageResult(ReadableContent.of(parsed).stored(), sha256),
                sharing);
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
}
