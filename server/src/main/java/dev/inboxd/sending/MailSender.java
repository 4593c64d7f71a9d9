package dev.inboxd.sending;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.link.Links;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.event.EventLog;
import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.MalformedFieldException;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.attachment.AttachmentFiles;
import dev.inboxd.mailbox.attachment.MediaTypes;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.content.ReadableContentCache;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.sending.compose.AttachmentMembers;
import dev.inboxd.sending.compose.FieldPaths;
import dev.inboxd.sending.compose.OneClickUnsubscribe;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.sending.compose.RecipientPolicy;
import dev.inboxd.sending.compose.SentSummaries;
import dev.inboxd.sending.compose.SignedMessage;
import dev.inboxd.sending.compose.SubmittedMessage;
import dev.inboxd.sending.feedback.Unsubscribes;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.SendResult;
import dev.inboxd.sending.limit.LoopBreaker;
import dev.inboxd.sending.limit.SendQuota;
import dev.inboxd.sending.limit.SenderStatus;
import dev.inboxd.sending.tracking.TrackingPixels;
import dev.inboxd.tenant.domain.signing.SenderIdentities;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import dev.inboxd.tenant.inbox.Inbox;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends messages: composes, signs, and hands them to the commit that stores and queues them. */
public final class MailSender {
    private final Database database;
    private final SenderIdentities senders;
    private final TrackingPixels pixels;
    private final Unsubscribes unsubscribes;
    private final FetchedFiles remote;
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
        this.remote = new FetchedFiles(parts);
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
        } catch (BlobException missing) {
            if (missing.kind() != BlobException.Kind.MISSING) {
                throw missing;
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
        OutgoingMessage message = command.message();
        List<String> recipients = message.envelope();
        SenderStatus status = SenderStatus.of(database, command.view(), command.sender());
        SendContext context = context(WaitingMessage.Sender.of(command, status.inbox()), command.charged());
        RecipientPolicy.check(status.organization(), recipients);
        ApprovalGate.Ruling ruling = approvals.ruling(context.sender(), recipients);
        OutgoingMessage outgoing =
                OneClickUnsubscribe.offered(withPixel(message, context), unsubscribes, context.organization());
        List<OutgoingAttachment> attachments = message.body().attachments();
        checkFiles(attachments);
        FetchedFiles.Departure departure = null;
        if (ruling != ApprovalGate.Ruling.WAITS && FetchedFiles.areAmong(attachments)) {
            // Ruling 163: what an address says leaves with the request for it, so everything else is looked at first.
            departure = new FetchedFiles.Departure(context, command, ruling, length(outgoing, context));
            SendResult earlier = remote.earlier(departure);
            if (earlier != null) {
                return earlier;
            }
        }
        try (AttachmentFiles files =
                departure == null ? AttachmentFiles.unfetched(attachments) : remote.fetch(departure)) {
            SignedMessage mail = composed(
                    outgoing.composition(context.inbox(), context.name(), context.now(), files.readable()), context);
            NewMessage.Parents parents = message.parents(command.view().hidden());
            if (ruling == ApprovalGate.Ruling.WAITS) { // composed all the same: what cannot leave need not wait
                OutgoingMessage filled = message.withFiles(files.attachments());
                return approvals.hold(context.waiting(context.name(), filled, null, parents), command.hooks());
            }
            PreparedMessage prepared = new PreparedMessage(
                    context.stored(context.name(), labels(message), SentSummaries.of(message, mail), parents),
                    mail,
                    new PreparedMessage.Envelope(recipients, DsnRequest.NONE),
                    ruling.clearance(false, command.charged() != null),
                    command.hooks(),
                    context.terms(parents));
            return commits.store(context.organization(), prepared);
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
        List<String> recipients = submitted.recipients();
        SenderStatus status = SenderStatus.of(database, view, null);
        SendContext context = context(new WaitingMessage.Sender(view, status.inbox(), origin, false), null);
        RecipientPolicy.check(status.organization(), recipients);
        SignedMessage mail = signed(submitted.edited(context.inbox(), context.name(), context.now(), largest), context);
        ParsedMessage parsed = SentSummaries.parsed(mail, in -> MessageParser.parse(in, MediaTypes::received));
        String name = origin.approved() != null
                ? origin.approved().name()
                : Objects.requireNonNull(parsed.identification().messageId());
        NewMessage.Parents parents = SentSummaries.parents(parsed, view.hidden());
        ApprovalGate.Ruling ruling = approvals.ruling(context.sender(), recipients);
        if (ruling == ApprovalGate.Ruling.WAITS) {
            return approvals.hold(context.waiting(name, submitted.shown(parsed), submitted, parents), hooks);
        }
        PreparedMessage prepared = new PreparedMessage(
                context.stored(
                        name, List.of(Labels.SENT), SentSummaries.of(parsed, recipients, mail.length()), parents),
                mail,
                new PreparedMessage.Envelope(recipients, submitted.dsn()),
                ruling.clearance(true, false),
                hooks,
                context.terms(parents));
        return commits.store(context.organization(), prepared);
    }

    private static List<String> labels(OutgoingMessage message) {
        Set<String> labels = new LinkedHashSet<>(List.of(Labels.SENT));
        labels.addAll(message.options().labels());
        return List.copyOf(labels);
    }

    /**
     * What is the same for every way of sending. A message that is approved, or was counted before, has its id already.
     *
     * @throws Problem when the sender's domain is not verified
     */
    private SendContext context(WaitingMessage.Sender sender, @Nullable UUID charged) {
        Inbox inbox = sender.inbox();
        DkimSigner signer =
                senders.of(new SenderIdentities.Sender(sender.view().organization(), inbox.pod(), inbox.domain()));
        ReservedMessage reserved = sender.origin().approved();
        UUID id = reserved != null ? reserved.id() : Objects.requireNonNullElseGet(charged, Uuid7::next);
        return new SendContext(sender, signer, id, clock.instant());
    }

    /**
     * The message as it is sent: with a tracking pixel, when it has HTML and the sender tracks opens. The stored and
     * shown body stays without the pixel.
     */
    private OutgoingMessage withPixel(OutgoingMessage message, SendContext context) {
        String html = message.body().html();
        if (!message.options().trackOpens() || html == null) {
            return message;
        }
        String marked = pixels.marked(html, context.inbox().domain(), context.tracked());
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

    /** The octets of a message without the files that are still to be fetched. */
    private long length(OutgoingMessage outgoing, SendContext context) {
        List<OutgoingAttachment> readable =
                AttachmentFiles.unfetched(outgoing.body().attachments()).readable();
        return composed(outgoing.composition(context.inbox(), context.name(), context.now(), readable), context)
                .length();
    }

    private SignedMessage composed(Composition composition, SendContext context) {
        try {
            return signed(Composer.compose(composition), context);
        } catch (MalformedFieldException malformed) {
            throw FieldPaths.refusal(malformed);
        }
    }

    /** A request has limits of its own; the attachments of a forwarded message are added to its own (mail.md §9.1). */
    private static void checkFiles(List<OutgoingAttachment> files) {
        if (files.size() > AttachmentMembers.MOST) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "A message has at most " + AttachmentMembers.MOST
                            + " attachments, those of a forwarded message among them",
                    "Send some of them in a message of their own.");
        }
    }

    private SignedMessage signed(ComposedMessage message, SendContext context) {
        if (message.length() > largest) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "The message would have " + message.length() + " octets of at most " + largest,
                    "Attach less, or pass on less.");
        }
        return new SignedMessage(SigningKeys.signature(context.signer(), message, context.now()), message);
    }
}
