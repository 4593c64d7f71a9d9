package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.AttendeeStatus;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.DatedId;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.input.Precondition;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.recurrence.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers of the inbox to invitations. */
public final class Responses {
    private final Database database;
    private final CalendarLog log;
    private final InvitationSender invitations;

    public Responses(Database database, CalendarLog log, InvitationSender invitations) {
        this.database = database;
        this.log = log;
        this.invitations = invitations;
    }

    /**
     * An answer.
     *
     * @param sends whether the organizer is told
     */
    record Reply(
            DatedId id, AttendeeStatus status, @Nullable String comment, boolean sends, Precondition precondition) {}

    /**
     * Answers an invitation, or the invitation to one date.
     *
     * @throws Problem {@code not_found}, {@code precondition_failed}, {@code calendar_response_invalid} for what is no
     *     invitation to this inbox, {@code event_expired}, {@code limit_exceeded}, {@code rate_limit_exceeded}
     */
    EventResult respond(CalendarTx.Editor editor, Reply reply) {
        View view = editor.view();
        return database.write(view.organization(), tx -> {
            CalendarTx change = CalendarTx.begin(tx, editor, reply.sends);
            Slot slot = reply.id.slot();
            WholeEvent wholeEvent =
                    WholeEvent.require(tx, view, reply.id.event(), slot == null ? List.of() : List.of(slot));
            return slot == null
                    ? event(change, wholeEvent, reply)
                    : date(change, wholeEvent, wholeEvent.date(slot), reply);
        });
    }

    private EventResult event(CalendarTx change, WholeEvent wholeEvent, Reply reply) {
        CalendarEvent before = wholeEvent.event();
        reply.precondition.require(before.tag(), before.version().revision());
        Guests guests = answered(change, before, before.content(), reply);
        CalendarEvent answered = before.with(
                before.content().with(guests), before.version().changed(false, change.operation(), change.now()));
        CalendarEvent event = reply.sends ? MailStates.sent(change, answered) : answered;
        InvitationChange mail = InvitationChange.of(InvitationChange.Trigger.ANSWERED, before, event);
        if (reply.sends) {
            invitations.charge(change, mail);
        }
        EventWrites.update(change, event, wholeEvent.eras().size(), wholeEvent.raised());
        log.add(change, EventType.CALENDAR_EVENT_RESPONDED, event, null);
        if (reply.sends) {
            invitations.send(change, mail);
        }
        return EventResult.of(event, change.operation());
    }

    private EventResult date(CalendarTx change, WholeEvent wholeEvent, SeriesDate before, Reply reply) {
        CalendarEvent series = wholeEvent.event();
        reply.precondition.require(before.tag(), series.version().revision());
        EventRules.requireReachable(before, change.now());
        Guests guests = answered(change, series, before.content(), reply);
        DateUpdates.requireRoom(wholeEvent.dates(), before.slot(), false);
        DateOverride own = before.own();
        SeriesDate planned = new SeriesDate(
                series, before.slot(), before.original(), before.content().with(guests), before.place(), own);
        CalendarEvent counted = series.with(series.content(), series.version().dateChanged(change.operation()));
        if (reply.sends) {
            counted = MailStates.sent(change, counted);
        }
        InvitationChange mail =
                new InvitationChange(InvitationChange.Trigger.ANSWERED, series, counted, planned, before, List.of());
        if (reply.sends) {
            invitations.charge(change, mail);
        }
        DateUpdates.put(
                change,
                wholeEvent,
                new DateOverride(
                        before.slot(),
                        false,
                        DateUpdates.over(own, new DateFields(DateChange.of(guests))),
                        own != null && own.pinned(),
                        DateUpdates.version(
                                change, own, own == null ? null : own.version().sequence())));
        EventWrites.update(change, counted, wholeEvent.eras().size(), wholeEvent.raised());
        SeriesDate after = DateUpdates.reloaded(change, before);
        log.add(change, EventType.CALENDAR_EVENT_RESPONDED, after);
        if (reply.sends) {
            invitations.send(change, mail);
        }
        return EventResult.of(after, change.operation());
    }

    private static Guests answered(CalendarTx change, CalendarEvent event, EventContent content, Reply reply) {
        String inbox = change.inbox().address();
        Guests guests = content.guests();
        Attendee own = event.origin().isOurs() ? null : guests.own(inbox).orElse(null);
        if (own == null) {
            throw Problem.of(
                    ErrorCode.CALENDAR_RESPONSE_INVALID,
                    event.origin().isOurs()
                            ? "The inbox organizes this event, so there is no invitation to answer"
                            : "The inbox is not among the attendees of this event");
        }
        if (content.isCancelled()) {
            throw Problem.of(
                    ErrorCode.CALENDAR_RESPONSE_INVALID,
                    "The event is cancelled, so there is nothing to answer",
                    "Read the event again; its status is cancelled.");
        }
        Attendee.Answer answer = new Attendee.Answer(
                reply.status, reply.comment, change.now(), own.answer().mark());
        return guests.with(own.with(answer), inbox);
    }
}
