package dev.inboxd.inbound;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.calendar.invitation.InvitationImports;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageSecurity;
import dev.inboxd.mailbox.storage.MessageAliases;
import dev.inboxd.mailbox.storage.MessageNames;
import dev.inboxd.mailbox.storage.MessageWriter;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.mailbox.storage.SelfAddressedMessages;
import dev.inboxd.sending.answer.AnsweredDrafts;
import dev.inboxd.tenant.inbox.DroppedMail;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.SecurityMode;
import dev.inboxd.tenant.review.ReviewNotice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stores a batch of messages of one organization in one transaction: one read, a decision for each copy, one write. */
final class InboundBatch implements GroupCommit.Change {
    /** Upper bound of the sequence numbers that one copy uses: its event, labels, verdict, the threads it touches. */
    private static final int NUMBERS = 10;

    private final Tx tx;
    private final View view;
    private final InboundStorage storage;
    private final MessageWriter writer;
    private final List<InboundCopy> copies;
    private final Set<ByteBuffer> storedDigests = new HashSet<>();
    private final Set<String> usedNames = new HashSet<>();
    private final List<byte[]> digests = new ArrayList<>();
    private final SenderLists senders = new SenderLists();
    private final Map<UUID, ReadableContent> stored = new HashMap<>();
    private final Set<InboundItem> full = new HashSet<>();
    private final Set<InboundItem> unjudged = new HashSet<>();
    private final List<Runnable> fresh = new ArrayList<>();
    private StoredUsage usage = StoredUsage.NONE;
    private final List<DroppedMail.DroppedMessage> dropped = new ArrayList<>();
    private final List<Runnable> followUps = new ArrayList<>();
    private final AnsweredDrafts answered = new AnsweredDrafts();
    private RoundTrip.Result<SecurityMode> chosen = RoundTrip.Result.none();
    private SecurityMode mode = SecurityMode.OFF;
    private RoundTrip.Result<Inbox> prefetchedInboxes = RoundTrip.Result.none();
    private RoundTrip.Result<DuplicateFilter.Digest> redelivered = RoundTrip.Result.none();
    private RoundTrip.Result<MessageNames.ExistingName> names = RoundTrip.Result.none();
    private RoundTrip.Result<MessageNames.ExistingName> aliases = RoundTrip.Result.none();

    /** A batch for one transaction. */
    InboundBatch(Tx tx, View view, InboundStorage storage, List<InboundItem> items) {
        this.tx = tx;
        this.view = view;
        this.storage = storage;
        this.writer = new MessageWriter(tx, view, storage.log(), storage.links());
        this.copies = copies(items);
    }

    private static List<InboundCopy> copies(List<InboundItem> items) {
        List<InboundCopy> copies = new ArrayList<>();
        for (InboundItem item : items) {
            InboundItem.Mail mail = item.mail();
            for (UUID inbox : mail.inboxes()) {
                byte[] digest = DuplicateFilter.digest(inbox, mail.message());
                copies.add(new InboundCopy(inbox, item, digest, mail.candidates(inbox)));
            }
        }
        return copies;
    }

    /** Upper bound of the sequence numbers and storage of the batch; a duplicate needs none. */
    @Override
    public ClockReservation claim() {
        StoredUsage room = StoredUsage.NONE;
        for (InboundCopy copy : copies) {
            room = room.plus(StoredUsage.message(copy.message().summary().size()));
        }
        return new ClockReservation(copies.size() * NUMBERS, room);
    }

    @Override
    public void prefetch(RoundTrip opening) {
        copies.forEach(copy -> {
            writer.require(copy.inbox(), NewMessage.Parents.of(copy.candidates()));
            writer.require(copy.of().content());
            writer.require(copy.inbox(), copy.message().summary().people(), false);
        });
        prefetchedInboxes = Inboxes.prefetch(
                opening, view, copies.stream().map(InboundCopy::inbox).collect(Collectors.toSet()));
        redelivered = DuplicateFilter.prefetch(
                opening, view, copies.stream().map(InboundCopy::digest).toList());
        names = MessageNames.prefetch(opening, view, names());
        aliases = MessageAliases.prefetch(opening, view, parents());
        chosen = Organizations.prefetchMessageSecurity(opening, view);
        copies.forEach(copy -> senders.require(copy.inbox(), copy.message()));
        senders.prefetch(opening, view);
        writer.prefetch(opening);
    }

    @Override
    public void write(RoundTrip writes) {
        redelivered.rows().forEach(digest -> storedDigests.add(ByteBuffer.wrap(digest.bytes())));
        Map<UUID, Inbox> inboxes = new HashMap<>();
        prefetchedInboxes.rows().forEach(inbox -> inboxes.put(inbox.id(), inbox));
        Map<String, MessageNames.ExistingName> sent = new HashMap<>();
        for (MessageNames.ExistingName name : names.rows()) {
            usedNames.add(name.inbox() + name.name());
            if (name.outgoing()) {
                sent.put(name.inbox() + name.name(), name);
            }
        }
        aliases.rows().stream()
                .filter(MessageNames.ExistingName::outgoing)
                .forEach(alias -> sent.putIfAbsent(alias.inbox() + alias.name(), alias));
        mode = storage.screen()
                .mode(view.organization(), chosen.rows().stream().findFirst().orElse(null));
        usage = tx.usage();
        for (InboundCopy copy : copies) {
            decide(copy, inboxes, sent);
        }
        writer.appendTo(writes);
        tx.afterCommit(() -> fresh.forEach(Runnable::run));
        tx.afterCommit(() -> unjudged.forEach(item -> item.isUnjudged().set(true)));
        tx.afterCommit(() -> full.forEach(item -> item.isFull().set(true)));
        tx.afterCommit(() -> storage.recent().remember(stored));
        DuplicateFilter.insert(writes, view, digests);
        DroppedMail.appendTo(writes, view, dropped);
        answered.appendTo(writes, view);
    }

    @Override
    public @Nullable Runnable followUp() {
        return followUps.isEmpty() ? null : () -> followUps.forEach(Runnable::run);
    }

    /** The Message-IDs of the messages, and those of the messages they reply to: both are looked up. */
    private List<MessageNames.NameQuery> names() {
        List<MessageNames.NameQuery> names = parents();
        copies.stream()
                .filter(copy -> !copy.wantedName().isEmpty())
                .forEach(copy -> names.add(new MessageNames.NameQuery(copy.inbox(), copy.wantedName())));
        return names;
    }

    /** The ids of the messages that the messages reply to. */
    private List<MessageNames.NameQuery> parents() {
        List<MessageNames.NameQuery> parents = new ArrayList<>();
        for (InboundCopy copy : copies) {
            SenderLists.correspondents(copy.message())
                    .forEach(name -> parents.add(new MessageNames.NameQuery(copy.inbox(), name)));
        }
        return parents;
    }

    private void decide(InboundCopy copy, Map<UUID, Inbox> inboxes, Map<String, MessageNames.ExistingName> sent) {
        Inbox inbox = inboxes.get(copy.inbox());
        if (inbox == null) {
            // Deleted since RCPT. On the next attempt the sender is told at RCPT, and the other copies are duplicates.
            throw Problem.of(ErrorCode.RESOURCE_DELETING, "An inbox was deleted meanwhile");
        }
        if (inbox.isPaused()) { // mail.md §16: it is dropped; attack A5: not without a trace
            dropped.add(copy.dropped(tx.next().at()));
            tx.afterCommit(() -> copy.logDropped("paused", view.organization()));
            return;
        }
        if (!storedDigests.add(ByteBuffer.wrap(copy.digest()))) { // ruling 3: a true redelivery is absorbed
            tx.afterCommit(() -> copy.logDropped("repeated", view.organization()));
            return;
        }
        MessageNames.ExistingName own = sent.get(copy.inbox() + copy.wantedName());
        if (own != null && isOwn(copy, inbox)) {
            digests.add(copy.digest());
            MessageSecurity.Verdict first = copy.message().inherited(mode);
            followUps.add(() -> SelfAddressedMessages.receive(tx, storage.log().appending(tx, view), own.id(), first));
            return;
        }
        if (mode != SecurityMode.OFF && !copy.message().verdict().isReached()) {
            storedDigests.remove(ByteBuffer.wrap(copy.digest())); // it is submitted again with its verdict
            unjudged.add(copy.of());
            return;
        }
        StoredUsage more =
                usage.plus(StoredUsage.message(copy.message().summary().size()));
        if (!storage.quota().allows(more)) {
            storedDigests.remove(ByteBuffer.wrap(copy.digest())); // the sender will send it again
            full.add(copy.of());
            return;
        }
        usage = more;
        store(copy, inbox, labels(copy, sent));
    }

    private void store(InboundCopy copy, Inbox inbox, List<String> labels) {
        digests.add(copy.digest());
        MessageSecurity.Verdict verdict = copy.message().verdict(mode);
        if (verdict != null && verdict.isHeld()) {
            labels.add(Labels.HELD);
            followUps.add(() -> ReviewNotice.note(tx, view));
        }
        NewMessage received = received(copy, inbox, labels);
        boolean replies = writer.threadToJoin(copy.inbox(), received.parents()).isPresent();
        Message message = writer.add(received, copy.of().content(), verdict);
        answered.add(message, replies);
        takeCalendar(copy, message);
        fresh.add(() -> copy.message().copies().add(copy.inbox(), message));
        stored.put(message.id(), copy.message().summary().readable());
    }

    private void takeCalendar(InboundCopy copy, Message message) {
        if (InvitationImports.hasCalendar(copy.message().parsed().body().attachments())) {
            String author = copy.message().author();
            followUps.add(() -> storage.calendars().received(tx, view, message, author));
        }
    }

    private NewMessage received(InboundCopy copy, Inbox inbox, List<String> labels) {
        return new NewMessage(
                inbox,
                name(copy, inbox),
                labels,
                false,
                copy.message().summary().deliveredTo(copy.message().deliveredTo(copy.inbox())),
                NewMessage.Parents.of(copy.candidates()));
    }

    /**
     * The Message-ID under which the copy is stored: its own, unless it has none or the inbox has that one already
     * (ruling 3).
     */
    private String name(InboundCopy copy, Inbox inbox) {
        String messageId = copy.wantedName();
        boolean free = !messageId.isEmpty() && usedNames.add(inbox.id() + messageId);
        return free
                ? messageId
                : "<" + Uuid7.next() + inbox.address().substring(inbox.address().indexOf('@')) + ">";
    }

    /** Whether the inbox sent it: anybody can repeat the Message-ID of a message that he got. */
    private static boolean isOwn(InboundCopy copy, Inbox inbox) {
        String author = copy.message().author();
        return copy.message().origin().local() && author != null && AddrSpec.areOfOnePerson(author, inbox.address());
    }

    /**
     * Whether the message answers one that the inbox sent: somebody whom that was sent to wrote it, for certain. A
     * Message-ID alone is known to everybody who saw the conversation.
     */
    private static boolean isReply(InboundCopy copy, Map<String, MessageNames.ExistingName> sent) {
        String author = copy.message().author();
        return author != null
                && SenderLists.correspondents(copy.message()).stream()
                        .map(name -> sent.get(copy.inbox() + name))
                        .filter(Objects::nonNull)
                        .flatMap(own -> own.recipients().stream())
                        .anyMatch(recipient -> AddrSpec.areOfOnePerson(recipient, author));
    }

    private List<String> labels(InboundCopy copy, Map<String, MessageNames.ExistingName> sent) {
        List<String> labels = new ArrayList<>(List.of(Labels.RECEIVED, Labels.UNREAD));
        // A report to a return path answers the message that was sent with that path.
        boolean report = copy.mail().isReportTo(copy.inbox());
        boolean reply = report || isReply(copy, sent);
        if (senders.areBlocked(copy.inbox(), copy.message(), reply)) {
            labels.add(Labels.BLOCKED);
        }
        // A genuine report is not labelled unauthenticated, whatever policy its server's domain publishes.
        copy.message().labels().stream()
                .filter(label -> !report || !label.equals(Labels.UNAUTHENTICATED))
                .forEach(labels::add);
        if (copy.mail().isSuspect()
                && !labels.contains(Labels.SPAM)
                && !reply
                && !senders.areTrusted(copy.inbox(), copy.message())) {
            labels.add(Labels.SPAM);
        }
        return labels;
    }
}
