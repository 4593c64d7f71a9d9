package dev.inboxd.mailbox.hold;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.label.change.LabelChangeBatch;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.message.MessageSecurity;
import dev.inboxd.mailbox.thread.EventThreadSnapshots;
import dev.inboxd.tenant.review.ReviewNotice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Ends the hold on messages (security.md §4). */
public final class HeldMessages {
    /** The sequence numbers of the organization's clock that a release takes. */
    public static final int NUMBERS = 8;

    /** Bit 16 is that of the label, as in the index of held mail. */
    private static final String HELD = "select m.message_id from message m where {m} and m.restricted & 16 <> 0";

    private HeldMessages() {}

    /**
     * Held messages: those with these public ids, then the newest.
     *
     * @param most of either
     * @return their internal ids, of whatever inbox
     */
    public static List<UUID> find(Tx tx, View all, List<String> names, int most) {
        List<UUID> ids = new ArrayList<>();
        if (!names.isEmpty()) {
            ids.addAll(tx.sql(all, HELD + " and m.name = any (:names) limit :most")
                    .bind("names", names)
                    .bind("most", most)
                    .list(row -> row.uuid("message_id")));
        }
        ids.addAll(tx.sql(all, HELD + " order by m.created_at desc limit :most")
                .bind("most", most)
                .list(row -> row.uuid("message_id")));
        return ids;
    }

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
        Message free = LabelChangeBatch.relabel(tx, held, new LabelChange(Set.of(), Set.of(Labels.HELD)), events);
        Event received =
                new Event(MessageEvents.receivedType(free.labels()), MessageEvents.subject(free), List.of(), null);
        Tx.Stamp receivedStamp = events.add(received);
        Tx.Stamp stamp = events.next();
        MessageSecurity.ManualOverride override = new MessageSecurity.ManualOverride(
                EventId.of(all.organization(), stamp), actor.who(), actor.reason(), stamp.at());
        SecurityEvents.addOverride(events, free, override, stamp);
        RoundTrip trip = tx.roundTrip();
        MessageSecuritySql.appendOverride(trip, all, free.id(), override);
        events.appendTo(trip);
        trip.run();
        // The thread may go on before a webhook is told of the message.
        EventThreadSnapshots.remember(
                tx, all, receivedStamp.number(), free.place().thread());
        return new Release(free, override);
    }

    /** Holds a message of an inbox to itself, which comes in and is told of by its release alone. */
    public static void hold(Tx tx, EventLog.EventBatch events, Message sent, MessageSecurity.Verdict verdict) {
        Message held = LabelChangeBatch.relabel(
                tx, sent, LabelChange.adding(Labels.RECEIVED, Labels.UNREAD, Labels.HELD), events);
        MessageSecurity security = verdict.at(held.updatedAt());
        RoundTrip trip = tx.roundTrip();
        MessageSecuritySql.appendInsert(trip, events.view(), held.id(), security);
        ReviewNotice.appendTo(trip, events.view());
        trip.run();
        SecurityEvents.addVerdict(events, held, security);
    }

    /** Who releases a message, and why, in the actor's words. */
    public record Actor(MessageSecurity.Actor who, String reason) {
        /** Whether a release is by the same actor for the same reason. */
        public boolean isOf(MessageSecurity.ManualOverride override) {
            return who.equals(override.actor()) && reason.equals(override.reason());
        }
    }
}
