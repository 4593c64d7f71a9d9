package dev.inboxd.mailbox.message;

import dev.inboxd.event.Event;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.thread.EventThreadSnapshots;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.List;
import java.util.Set;

/** Ends the hold on messages (security.md §4). */
public final class HeldMessages {
    /** The sequence numbers of the organization's clock that a release takes. */
    public static final int NUMBERS = 8;

    private HeldMessages() {}

    /**
     * A message that was released.
     *
     * @param message as it is now
     */
    public record Release(Message message, MessageSecurity.ManualOverride override) {}

    /**
     * Takes the label off, and tells of the message as if it came now: with the labels that it has by now. In the log:
     * the label, the message, the release.
     *
     * @param tx holds the organization's clock
     * @param events of that transaction; they are written with the rest
     * @param held a held message, read after the clock was taken
     * @param actor who releases it
     */
    public static Release release(Tx tx, EventLog.EventBatch events, Message held, Actor actor) {
        View all = events.view();
        Message free = Messages.relabel(tx, held, new LabelChange(Set.of(), Set.of(Labels.HELD)), events);
        Event received = new Event(MessageWriter.receivedType(free.labels()), Messages.subject(free), List.of(), null);
        Tx.Stamp told = events.add(received);
        Tx.Stamp stamp = events.next();
        MessageSecurity.ManualOverride override = new MessageSecurity.ManualOverride(
                EventId.of(all.organization(), stamp), actor.who(), actor.reason(), stamp.at());
        SecurityEvents.addOverride(events, free, override, stamp);
        RoundTrip trip = tx.roundTrip();
        MessageSecuritySql.appendOverride(trip, all, free.id(), override);
        events.appendTo(trip);
        trip.run();
        // The thread may go on before a webhook is told of the message.
        EventThreadSnapshots.remember(tx, all, told.number(), free.place().thread());
        return new Release(free, override);
    }

    /** Who releases a message, and why, in the actor's words. */
    public record Actor(MessageSecurity.Actor who, String reason) {
        /** Whether a release is by the same actor for the same reason. */
        public boolean isOf(MessageSecurity.ManualOverride override) {
            return who.equals(override.actor()) && reason.equals(override.reason());
        }
    }
}
