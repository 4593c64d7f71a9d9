package dev.inboxd.mailbox.message;

import dev.inboxd.event.Event;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.thread.EventThreadSnapshots;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.platform.link.Links;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores the new messages of one transaction: rows, content, attachments, threads, events and deliveries travel together
 * and are durable together (promises P1, P6). First {@link #require} for
 * each, {@link #prefetch} once, then the opening round trip, then {@link #add} for
 * each, then {@link #appendTo}.
 */
public final class MessageWriter {
    private final Tx tx;
    private final View view;
    private final Links links;
    private final ThreadAssignment placement;
    private final EventLog.EventBatch events;
    private final List<MessageSql.Line> lines = new ArrayList<>();
    private final List<Attachment> attachments = new ArrayList<>();
    private final List<SharedChunkSql.MessageChunk> pieces = new ArrayList<>();
    private final List<EventThreadSnapshots.ThreadSnapshot> told = new ArrayList<>();
    private final Set<String> shared = new HashSet<>();
    private RoundTrip.Result<String> used = RoundTrip.Result.none();
    private boolean found;

    /** A store for one transaction of the view's organization. */
    public MessageWriter(Tx tx, View view, EventLog log, Links links) {
        this.tx = tx;
        this.view = view;
        this.links = links;
        this.placement = new ThreadAssignment(view);
        this.events = log.appending(tx, view);
    }

    /** Notes what a message to come refers to; before {@link #prefetch}. */
    public void require(UUID inbox, List<String> candidates) {
        placement.require(new ThreadAssignment.ThreadRequest(inbox, candidates));
    }

    /** Notes what a message to come shares with others; before {@link #prefetch}. */
    public void require(StoredContent content) {
        content.chunks().stream().filter(SharedChunk::shared).forEach(piece -> shared.add(piece.blob()));
    }

    /** Adds the look-ups for the messages to come to the round trip that takes the organization's clock. */
    public void prefetch(RoundTrip opening) {
        placement.prefetch(opening);
        used = SharedChunkSql.prefetchUsed(opening, view, shared);
    }

    /** Takes a thread that a message is to join without being found by its references. */
    public void include(MailThread thread) {
        placement.include(thread);
    }

    /** The events of this transaction, for what else happens in it. */
    public EventLog.EventBatch events() {
        return events;
    }

    /**
     * The thread that a message with these candidates joins, if there is one; after the round trip of {@link #prefetch}.
     *
     * @param named the thread it joins before all others, or null
     */
    public Optional<UUID> threadToJoin(UUID inbox, List<String> candidates, @Nullable UUID named) {
        found();
        if (named != null && placement.includes(named)) {
            return Optional.of(named);
        }
        return Optional.of(placement.threadOf(new ThreadAssignment.ThreadRequest(inbox, candidates)))
                .filter(placement::includes);
    }

    private void found() {
        if (!found) {
            placement.applyPrefetched();
            found = true;
        }
    }

    /**
     * Gives the message its thread, its time and its events.
     *
     * @throws LargeMessages.ChunkGoneException when a blob that it names was deleted
     */
    public Message add(NewMessage fresh) {
        found();
        check(fresh.summary().content());
        Tx.Stamp stamp = tx.next();
        ThreadAssignment.ThreadRequest wish = new ThreadAssignment.ThreadRequest(fresh.inbox(), fresh.candidates());
        // The thread of the message answered may have been deleted meanwhile; then the references decide.
        UUID thread = fresh.thread() != null && placement.includes(fresh.thread())
                ? fresh.thread()
                : placement.threadOf(wish);
        NewMessage.Summary outline = fresh.summary();
        Message message = new Message(
                Uuid7.at(stamp.at().toEpochMilli()),
                new Message.Place(fresh.inbox(), fresh.inboxName(), fresh.pod(), thread),
                fresh.name(),
                fresh.labels(),
                fresh.outgoing(),
                outline.people(),
                outline.subject(),
                outline.preview(),
                outline.size(),
                fresh.parts().size(),
                stamp.at(),
                stamp.at(),
                null);
        boolean opens = !placement.includes(thread);
        List<Attachment> own = Attachment.of(new Attachment.Owner(fresh.inbox(), message.id(), thread), fresh.parts());
        MailThread after = placement.add(message, wish);
        lines.add(new MessageSql.Line(message, outline.content()));
        outline.content().chunks().forEach(piece -> pieces.add(new SharedChunkSql.MessageChunk(message.id(), piece)));
        attachments.addAll(own);
        raise(
                message,
                stamp,
                opens,
                new ReceivedPayload(view.organization(), message, outline.readable(), own, after, own));
        return message;
    }

    /** Adds the writing of everything to a round trip. */
    public void appendTo(RoundTrip trip) {
        tx.recordUsage(
                trip,
                view,
                lines.stream()
                        .map(line -> StoredUsage.message(line.message().size()))
                        .reduce(StoredUsage.NONE, StoredUsage::plus));
        placement.appendTo(trip);
        MessageSql.insert(trip, view, lines);
        SharedChunkSql.appendInsert(trip, view, pieces);
        Attachments.appendTo(trip, view, attachments);
        EventThreadSnapshots.appendTo(trip, view, told);
        events.appendTo(trip);
    }

    /** Who deletes the last use of a blob holds the organization's lock, as we do now. */
    private void check(StoredContent content) {
        if (!content.chunks().isEmpty()) {
            List<String> there = used.rows();
            if (content.chunks().stream().anyMatch(piece -> piece.shared() && !there.contains(piece.blob()))) {
                throw new LargeMessages.ChunkGoneException();
            }
        }
    }

    private void raise(Message message, Tx.Stamp stamp, boolean opensThread, ReceivedPayload payload) {
        EventType type = message.outgoing() ? EventType.LABEL_ADDED : receivedType(message.labels());
        Event event = new Event(
                type,
                Messages.subject(message),
                message.labels(),
                null,
                new Event.Usage(1, message.size(), opensThread ? 1 : 0));
        // The thread's other attachments are not at hand; then the payload is read from the rows.
        boolean complete = payload.thread().attachments() == 0
                || (payload.thread().messageCount() == 1
                        && payload.thread().lastMessage().equals(message.name()));
        String id = EventId.of(view.organization(), stamp);
        if (type.isReceived() && !opensThread) {
            told.add(new EventThreadSnapshots.ThreadSnapshot(stamp.number(), payload.thread()));
        }
        events.add(
                event, stamp, complete && type.isReceived() ? () -> payload.bytes(type, id, links, stamp.at()) : null);
    }

    /** Exactly one type for one arrival: blocked before spam before unauthenticated (events.md §4.1). */
    static EventType receivedType(List<String> labels) {
        if (labels.contains(Labels.BLOCKED)) {
            return EventType.MESSAGE_RECEIVED_BLOCKED;
        }
        if (labels.contains("spam")) {
            return EventType.MESSAGE_RECEIVED_SPAM;
        }
        return labels.contains(Labels.UNAUTHENTICATED)
                ? EventType.MESSAGE_RECEIVED_UNAUTHENTICATED
                : EventType.MESSAGE_RECEIVED;
    }
}
