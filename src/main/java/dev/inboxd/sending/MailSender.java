package dev.inboxd.sending;

import dev.inboxd.event.EventLog;
import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.MalformedFieldException;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.attachment.AttachmentFiles;
import dev.inboxd.mailbox.attachment.MediaTypes;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.LargeMessages;
import dev.inboxd.mailbox.message.NewMessage;
import dev.inboxd.mailbox.message.ReadableContentCache;
import dev.inboxd.platform.blob.BlobException;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.platform.link.Links;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.sending.feedback.Unsubscribes;
import dev.inboxd.sending.tracking.TrackedMessage;
import dev.inboxd.sending.tracking.TrackingPixels;
import dev.inboxd.tenant.domain.SenderIdentities;
import dev.inboxd.tenant.domain.SigningKeys;
import dev.inboxd.tenant.inbox.Inbox;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/** Sends messages: composes, signs, and hands them to the commit that stores and queues them. */
public final class MailSender {
    private final Database database;
    private final SenderIdentities senders;
    private final TrackingPixels pixels;
    private final Unsubscribes unsubscribes;
    private final AttachmentFetcher fetching;
    private final InstantSource clock;
    private final long largest;
    private final SendCommits commits;
    private final ApprovalGate approvals;

    /**
     * The collaborators of the sender.
     *
     * @param recent cache for the readable content of stored messages
     * @param largest limit of a message in octets
     */
    public record Parts(
            Database database,
            LargeMessages blobs,
            SenderIdentities senders,
            SubmissionQueue submissions,
            EventLog log,
            Links links,
            TrackingPixels pixels,
            Unsubscribes unsubscribes,
            AttachmentFetcher fetching,
            SendQuota quota,
            StorageQuota room,
            LoopBreaker breaker,
            ReadableContentCache recent,
            InstantSource clock,
            long largest) {}

    /** A sender for the inboxes of a database. */
    public MailSender(Parts parts) {
        this.database = parts.database;
        this.senders = parts.senders;
        this.pixels = parts.pixels;
        this.unsubscribes = parts.unsubscribes;
        this.fetching = parts.fetching;
        this.clock = parts.clock;
        this.largest = parts.largest;
        this.commits = new SendCommits(parts);
        this.approvals = new ApprovalGate(parts);
    }

    /**
     * Sends a message. When this returns, the message is stored and queued for delivery.
     *
     * @param command builds the message. A file of it may be deleted before the composer reads it. Then the supplier is
     *     called once more, and fails or returns the present state; the second time the send fails
     * @throws Problem as {@code command}, and in the order of mail.md §14.2; then nothing is stored
     */
    public SendResult send(Supplier<SendCommand> command) {
        try {
            return send(command.get());
        } catch (BlobException gone) {
            if (gone.kind() != BlobException.Kind.MISSING) {
                throw gone;
            }
            return send(command.get());
        }
    }

    /** Where messages wait that need approval; its desk is set before anything is sent. */
    public ApprovalGate approvals() {
        return approvals;
    }

    /** Sends, or lets wait. An inbox that came to need approval on the way is looked at again. */
    private SendResult send(SendCommand command) {
        try {
            return leaveOrWait(command);
        } catch (ApprovalRequiredException since) {
            return leaveOrWait(new SendCommand(
                    command.view(), null, command.message(), command.hooks(), command.charged(), command.origin()));
        }
    }

    private SendResult leaveOrWait(SendCommand command) {
        View view = command.view();
        SenderStatus status = SenderStatus.of(database, view, command.sender());
        Inbox inbox = status.inbox();
        DkimSigner signer = signer(view, inbox);
        List<String> envelope = command.message().envelope();
        RecipientPolicy.check(status.organization(), envelope);
        Instant now = clock.instant();
        ReservedMessage reserved = command.origin().approved();
        UUID id = reserved != null ? reserved.id() : Objects.requireNonNullElseGet(command.charged(), Uuid7::next);
        TrackedMessage self = new TrackedMessage(view.organization(), inbox.id(), id);
        String name = self.name(inbox.domain());
        ApprovalGate.Ruling ruling = approvals.ruling(inbox, command.origin(), envelope);
        OutgoingMessage outgoing = OneClickUnsubscribe.offered(
                withPixel(command.message(), inbox, self), unsubscribes, view.organization());
        try (AttachmentFiles files =
                fetching.fetch(view.organization(), command.message().body().attachments())) {
            SignedMessage mail = composed(outgoing.composition(inbox, name, now, files.attachments()), signer, now);
            NewMessage.Parents parents = command.message().parents(view.hidden());
            if (ruling == ApprovalGate.Ruling.WAITS) { // composed all the same: what cannot leave need not wait
                OutgoingMessage whole = command.message().withFiles(files.attachments());
                WaitingMessage.Sender sender = WaitingMessage.Sender.of(command, inbox);
                ReservedMessage wished = new ReservedMessage(id, name, Uuid7.next());
                return approvals.hold(new WaitingMessage(sender, wished, whole, null, parents), command.hooks());
            }
            NewMessage message = new NewMessage(
                    inbox,
                    name,
                    labels(command.message()),
                    true,
                    SentSummaries.of(command.message(), mail),
                    reserved == null ? parents : parents.reserving(reserved.thread()));
            PreparedMessage prepared = new PreparedMessage(
                    message,
                    mail,
                    new PreparedMessage.Envelope(envelope, DsnRequest.NONE),
                    ruling.clearance(false, command.charged() != null));
            return commits.store(view.organization(), prepared, command.hooks());
        }
    }

    /**
     * Sends a message that its sender composed, under the same rules. When this returns, it is stored and queued.
     *
     * @param view narrowed to the sending inbox
     * @param origin where it comes from
     * @param hooks further work in the same transaction
     * @throws Problem as {@link #send}; {@code message_rejected} when From is not the inbox's address,
     *     {@code validation_error} for a malformed header
     */
    public SendResult submit(View view, SubmittedMessage submitted, SendOrigin origin, List<CommitHook> hooks) {
        try {
            return submitOrWait(view, submitted, origin, hooks);
        } catch (ApprovalRequiredException since) {
            return submitOrWait(view, submitted, origin, hooks);
        }
    }

    private SendResult submitOrWait(View view, SubmittedMessage submitted, SendOrigin origin, List<CommitHook> hooks) {
        SenderStatus status = SenderStatus.of(database, view, null);
        Inbox inbox = status.inbox();
        DkimSigner signer = signer(view, inbox);
        RecipientPolicy.check(status.organization(), submitted.recipients());
        Instant now = clock.instant();
        ReservedMessage reserved = origin.approved();
        UUID id = reserved != null ? reserved.id() : Uuid7.next();
        TrackedMessage self = new TrackedMessage(view.organization(), inbox.id(), id);
        SignedMessage mail = signed(submitted.edited(inbox, self.name(inbox.domain()), now, largest), signer, now);
        ParsedMessage parsed = SentSummaries.parsed(mail, in -> MessageParser.parse(in, MediaTypes::received));
        String name = reserved != null
                ? reserved.name()
                : Objects.requireNonNull(parsed.identification().messageId());
        NewMessage.Parents parents = SentSummaries.parents(parsed, view.hidden());
        ApprovalGate.Ruling ruling = approvals.ruling(inbox, origin, submitted.recipients());
        if (ruling == ApprovalGate.Ruling.WAITS) {
            WaitingMessage.Sender sender = new WaitingMessage.Sender(view, inbox, origin, false);
            ReservedMessage wished = new ReservedMessage(id, name, Uuid7.next());
            return approvals.hold(
                    new WaitingMessage(sender, wished, submitted.shown(parsed), submitted, parents), hooks);
        }
        NewMessage message = new NewMessage(
                inbox,
                name,
                List.of(Labels.SENT),
                true,
                SentSummaries.of(parsed, submitted.recipients(), mail.length()),
                reserved == null ? parents : parents.reserving(reserved.thread()));
        return commits.store(
                view.organization(),
                new PreparedMessage(
                        message,
                        mail,
                        new PreparedMessage.Envelope(submitted.recipients(), submitted.dsn()),
                        ruling.clearance(true, false)),
                hooks);
    }

    private static List<String> labels(OutgoingMessage message) {
        Set<String> labels = new LinkedHashSet<>(List.of(Labels.SENT));
        labels.addAll(message.options().labels());
        return List.copyOf(labels);
    }

    private DkimSigner signer(View view, Inbox inbox) {
        return senders.of(new SenderIdentities.Sender(view.organization(), inbox.pod(), inbox.domain()));
    }

    /**
     * The message as it is sent: with a tracking pixel, when it has HTML and the sender tracks opens. The stored and
     * shown body stays without the pixel.
     */
    private OutgoingMessage withPixel(OutgoingMessage message, Inbox inbox, TrackedMessage self) {
        String html = message.body().html();
        if (!message.options().trackOpens() || html == null) {
            return message;
        }
        String marked = pixels.marked(html, inbox.domain(), self);
        if (marked == null) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "Opens can be tracked only from a domain of your own",
                    "Send from an inbox at a domain with tracking_enabled, or leave track_opens out.");
        }
        return message.withBody(new OutgoingMessage.Body(
                message.body().text(),
                marked,
                message.body().attachments(),
                message.body().calendar()));
    }

    private SignedMessage composed(Composition composition, DkimSigner signer, Instant now) {
        try {
            checkFiles(composition);
            return signed(Composer.compose(composition), signer, now);
        } catch (MalformedFieldException malformed) {
            throw FieldPaths.refusal(malformed);
        }
    }

    /** A request has limits of its own; the attachments of a forwarded message are added to its own (mail.md §9.1). */
    private static void checkFiles(Composition composition) {
        if (composition.body().attachments().size() > AttachmentMembers.MOST) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "A message has at most " + AttachmentMembers.MOST
                            + " attachments, those of a forwarded message among them",
                    "Send some of them in a message of their own.");
        }
    }

    private SignedMessage signed(ComposedMessage message, DkimSigner signer, Instant now) {
        if (message.length() > largest) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "The message would have " + message.length() + " octets of at most " + largest,
                    "Attach less, or pass on less.");
        }
        return new SignedMessage(SigningKeys.signature(signer, message, now), message);
    }
}
