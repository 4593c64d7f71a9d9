package dev.inboxd.message;

import dev.inboxd.attachment.Attachment;
import dev.inboxd.attachment.Attachments;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.id.Uuid7;
import dev.inboxd.label.Labels;
import dev.inboxd.link.Links;
import dev.inboxd.thread.MailThread;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Stores the new messages of one transaction: rows, content, attachments, threads, events and deliveries travel together
 * and are durable together (promises P1, P6). First {@link #wish} for
 * each, {@link #look} once, then the opening round trip, then {@link #add} for
 * each, then {@link #writeWith}.
 */
public final class Storing {
    private final Tx tx;
    private final View view;
    private final Links links;
    private final Placement placement;
    private final EventLog.Appending events;
    private final List<MessageSql.Line> lines = new ArrayList<>();
    private final List<Attachment> attachments = new ArrayList<>();
    private boolean found;

    /** A store for one transaction of the view's organization. */
    public Storing(Tx tx, View view, EventLog log, Links links) {
        this.tx = tx;
        this.view = view;
        this.links = links;
        this.placement = new Placement(view);
        this.events = log.appending(tx, view);
    }

    /** Notes what a message to come refers to; before {@link #look}. */
    public void wish(UUID inbox, List<String> candidates) {
        placement.wish(new Placement.Wish(inbox, candidates));
    }

    /** Adds the look-ups for the messages to come to the round trip that takes the organization's clock. */
    public void look(RoundTrip opening) {
        placement.look(opening);
    }

    /** Takes a thread that a message is to join without being found by its references. */
    public void know(MailThread thread) {
        placement.know(thread);
    }

    /** The events of this transaction, for what else happens in it. */
    public EventLog.Appending events() {
        return events;
    }

    /** Gives the message its thread, its time and its events. */
    public Message add(NewMessage fresh) {
        if (!found) {
            placement.found();
            found = true;
        }
        Tx.Stamp stamp = tx.next();
        Placement.Wish wish = new Placement.Wish(fresh.inbox(), fresh.candidates());
        UUID thread = fresh.thread() != null ? fresh.thread() : placement.threadFor(wish);
        NewMessage.Outline outline = fresh.outline();
        Message message = new Message(Uuid7.at(stamp.at().toEpochMilli()),
                new Message.Place(fresh.inbox(), fresh.inboxName(), fresh.pod(), thread), fresh.name(), fresh.labels(),
                fresh.outgoing(), outline.people(), outline.subject(), outline.preview(), outline.size(),
                fresh.parts().size(), stamp.at(), stamp.at(), null);
        List<Attachment> own = Attachment.of(new Attachment.Owner(fresh.inbox(), message.id(), thread), fresh.parts());
        MailThread after = placement.add(message, wish);
        lines.add(new MessageSql.Line(message, outline.content()));
        attachments.addAll(own);
        raise(message, stamp, new ReceivedPayload(view.organization(), message, outline.shown(), own, after, own));
        return message;
    }

    /** Adds the writing of everything to a round trip. */
    public void writeWith(RoundTrip trip) {
        placement.writeWith(trip);
        MessageSql.insert(trip, view, lines);
        Attachments.writeWith(trip, view, attachments);
        events.writeWith(trip);
    }

    private void raise(Message message, Tx.Stamp stamp, ReceivedPayload payload) {
        EventType type = message.outgoing() ? EventType.LABEL_ADDED : receivedType(message.labels());
        Event event = new Event(type, Messages.subject(message), message.labels(), null);
        // The thread's other attachments are not at hand; then the payload is read from the rows.
        boolean complete = payload.thread().attachments() == 0
                || (payload.thread().messageCount() == 1 && payload.thread().lastMessage().equals(message.name()));
        String id = EventId.of(view.organization(), stamp);
        events.add(event, stamp, complete && type.isReceived() ? () -> payload.bytes(type, id, links) : null);
    }

    /** Exactly one type for one arrival: blocked before spam before unauthenticated (contract: events.md §4.1). */
    static EventType receivedType(List<String> labels) {
        if (labels.contains(Labels.BLOCKED)) {
            return EventType.MESSAGE_RECEIVED_BLOCKED;
        }
        if (labels.contains("spam")) {
            return EventType.MESSAGE_RECEIVED_SPAM;
        }
        return labels.contains(Labels.UNAUTHENTICATED)
                ? EventType.MESSAGE_RECEIVED_UNAUTHENTICATED : EventType.MESSAGE_RECEIVED;
    }
}
