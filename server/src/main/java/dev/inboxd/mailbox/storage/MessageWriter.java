package dev.inboxd.mailbox.storage;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.link.Links;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.content.SharedChunk;
import dev.inboxd.mailbox.content.SharedChunkSql;
import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.mailbox.hold.MessageSecuritySql;
import dev.inboxd.mailbox.hold.SecurityEvents;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.message.MessageSecurity;
import dev.inboxd.mailbox.payload.ReceivedPayload;
import dev.inboxd.mailbox.thread.EventThreadSnapshots;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.ThreadTotals;
import dev.inboxd.tenant.inbox.Inbox;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores the new messages of one transaction. Their rows, content, attachments, threads, events and deliveries are
 * written together and are durable together (promises P1, P6). Call {@link #require} for each message,
 * {@link #prefetch} once, run the opening round trip, then call {@link #add} for each message, then {@link #appendTo}.
 */
public final class MessageWriter {
    private final Tx tx;
    private final View view;
    private final Links links;
    private final ThreadAssignment threads;
    private final Correspondents correspondents;
    private final EventLog.EventBatch events;
    private final List<MessageSql.Line> lines = new ArrayList<>();
    private final List<MessageAliases.MessageAlias> aliases = new ArrayList<>();
    private final List<Attachment> attachments = new ArrayList<>();
    private final List<SharedChunkSql.MessageChunk> chunks = new ArrayList<>();
    private final List<EventThreadSnapshots.ThreadSnapshot> snapshots = new ArrayList<>();
    private final Set<String> sharedBlobs = new HashSet<>();
    private RoundTrip.Result<String> usedBlobs = RoundTrip.Result.none();
    private boolean isApplied;

    /** A writer for one transaction of the view's organization. */
    public MessageWriter(Tx tx, View view, EventLog log, Links links) {
        this.tx = tx;
        this.view = view;
        this.links = links;
        this.threads = new ThreadAssignment(view);
        this.correspondents = new Correspondents(view);
        this.events = log.appending(tx, view);
    }

    /** Registers the references of a message that will be added; before {@link #prefetch}. */
    public void require(UUID inbox, NewMessage.Parents parents) {
        threads.require(new ThreadAssignment.ThreadRequest(inbox, parents));
    }

    /** Registers the people of a message that will be added; before {@link #prefetch}. */
    public void require(UUID inbox, Message.People people, boolean outgoing) {
        correspondents.require(inbox, people, outgoing);
    }

    /** Registers the shared chunks of a message that will be added; before {@link #prefetch}. */
    public void require(StoredContent content) {
        content.chunks().stream().filter(SharedChunk::shared).forEach(chunk -> sharedBlobs.add(chunk.blob()));
    }

    /** Adds the look-ups for the registered messages to the round trip that takes the organization's clock. */
    public void prefetch(RoundTrip opening) {
        threads.prefetch(opening);
        correspondents.prefetch(opening);
        usedBlobs = SharedChunkSql.prefetchUsed(opening, view, sharedBlobs);
    }

    /** Makes a thread known that a message will join without references to it. */
    public void include(MailThread thread) {
        threads.include(thread);
    }

    /** The events of this transaction, to which the caller may add its own. */
    public EventLog.EventBatch events() {
        return events;
    }

    /** The thread that a message with these parents joins, if there is one; after {@link #prefetch} has run. */
    public Optional<UUID> threadToJoin(UUID inbox, NewMessage.Parents parents) {
        applyPrefetched();
        UUID named = parents.thread();
        if (named != null && threads.includes(named)) {
            return Optional.of(named);
        }
        if (parents.isReserved()) {
            return Optional.empty();
        }
        return Optional.of(threads.threadOf(new ThreadAssignment.ThreadRequest(inbox, parents)))
                .filter(threads::includes);
    }

    private void applyPrefetched() {
        if (!isApplied) {
            threads.applyPrefetched();
            correspondents.applyPrefetched();
            isApplied = true;
        }
    }

    /**
     * Gives the message its thread, its time and its events.
     *
     * @param content its bytes
     * @throws LargeMessages.ChunkGoneException when a blob that it shares was deleted
     */
    public Message add(NewMessage fresh, StoredContent content) {
        return add(fresh, content, null);
    }

    /** The same with what the screen makes of the message, or null. */
    public Message add(NewMessage fresh, StoredContent content, MessageSecurity.@Nullable Verdict verdict) {
        applyPrefetched();
        check(content);
        Tx.Stamp stamp = tx.next();
        Inbox inbox = fresh.inbox();
        ThreadAssignment.ThreadRequest request = new ThreadAssignment.ThreadRequest(inbox.id(), fresh.parents());
        UUID thread = thread(fresh.parents(), request);
        NewMessage.Summary summary = fresh.summary();
        Message message = message(fresh, stamp, thread, verdict == null ? null : verdict.at(stamp.at()));
        boolean opens = !threads.includes(thread);
        List<Attachment> own =
                Attachment.of(new Attachment.Owner(fresh.inbox().id(), message.id(), thread), summary.attachments());
        MailThread after = threads.add(message, request);
        addAlias(message, summary.readable().messageId());
        lines.add(new MessageSql.Line(
                message, content, fresh.outgoing() && summary.readable().isAutomatic()));
        content.chunks().forEach(chunk -> chunks.add(new SharedChunkSql.MessageChunk(message.id(), chunk)));
        attachments.addAll(own);
        raise(
                message,
                stamp,
                opens,
                new ReceivedPayload(view.organization(), message, summary.readable(), own, after, own));
        return message;
    }

    private Message message(NewMessage fresh, Tx.Stamp stamp, UUID thread, @Nullable MessageSecurity security) {
        Inbox inbox = fresh.inbox();
        NewMessage.Summary summary = fresh.summary();
        return new Message(
                Uuid7.at(stamp.at().toEpochMilli()),
                new Message.Place(inbox.id(), inbox.address(), inbox.pod(), thread),
                fresh.name(),
                fresh.labels(),
                fresh.outgoing(),
                summary.people(),
                summary.subject(),
                summary.preview(),
                summary.size(),
                summary.attachments().size(),
                stamp.at(),
                stamp.at(),
                null,
                security,
                correspondents.meet(inbox.id(), summary.people(), fresh.outgoing()));
    }

    /** The thread of the original message may have been deleted meanwhile; then the references decide. */
    private UUID thread(NewMessage.Parents parents, ThreadAssignment.ThreadRequest request) {
        UUID named = parents.thread();
        return named != null && (parents.isReserved() || threads.includes(named)) ? named : threads.threadOf(request);
    }

    private void addAlias(Message message, @Nullable String written) {
        if (written != null && !written.equals(message.name())) {
            aliases.add(new MessageAliases.MessageAlias(message, written));
        }
    }

    /** Adds the inserts and updates of everything to a round trip. */
    public void appendTo(RoundTrip trip) {
        tx.recordUsage(
                trip,
                view,
                lines.stream()
                        .map(line -> StoredUsage.message(line.message().size()))
                        .reduce(StoredUsage.NONE, StoredUsage::plus));
        threads.appendTo(trip);
        correspondents.appendTo(trip);
        MessageAliases.appendTo(trip, view, aliases);
        MessageSql.insert(trip, view, lines);
        MessageSecuritySql.appendInsert(
                trip, view, lines.stream().map(MessageSql.Line::message).toList());
        SharedChunkSql.appendInsert(trip, view, chunks);
        Attachments.appendTo(trip, view, attachments);
        if (attachments.stream().anyMatch(Attachment::isReadable)) {
            tx.schedules(); // their text is due
        }
        EventThreadSnapshots.appendTo(trip, view, snapshots);
        events.appendTo(trip);
    }

    /** The deletion of a blob's last use needs the organization's lock, which this transaction holds. */
    private void check(StoredContent content) {
        if (!content.chunks().isEmpty()) {
            List<String> usedNames = usedBlobs.rows();
            if (content.chunks().stream().anyMatch(chunk -> chunk.shared() && !usedNames.contains(chunk.blob()))) {
                throw new LargeMessages.ChunkGoneException();
            }
        }
    }

    private void raise(Message message, Tx.Stamp stamp, boolean opensThread, ReceivedPayload payload) {
        MessageSecurity security = message.security();
        boolean isAnnounced = !message.outgoing() && !message.isHeld();
        EventType type = isAnnounced ? MessageEvents.receivedType(message.labels()) : EventType.LABEL_ADDED;
        Event event = new Event(
                type,
                MessageEvents.subject(message),
                message.labels(),
                null,
                new Event.Usage(1, message.size(), opensThread ? 1 : 0));
        // The payload needs all attachments of the thread. When some are not in memory, it is read from the rows.
        ThreadTotals totals = payload.thread().totals();
        boolean complete = totals.attachments() == 0
                || (totals.messageCount() == 1 && totals.lastMessage().equals(message.name()));
        String id = EventId.of(view.organization(), stamp);
        if (type.isReceived() && !opensThread) {
            snapshots.add(new EventThreadSnapshots.ThreadSnapshot(stamp.number(), payload.thread()));
        }
        events.add(
                event, stamp, complete && type.isReceived() ? () -> payload.bytes(type, id, links, stamp.at()) : null);
        if (security != null) {
            SecurityEvents.addVerdict(events, message, security);
        }
    }
}
