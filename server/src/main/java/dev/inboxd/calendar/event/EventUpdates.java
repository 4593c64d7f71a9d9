package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.SeriesRules;
import dev.inboxd.calendar.input.EventMembers;
import dev.inboxd.calendar.input.Precondition;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.SeriesParts;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import java.util.List;
import java.util.UUID;

/** Changes of single events and series. */
public final class EventUpdates {
    private final Database database;
    private final CalendarLog log;
    private final InvitationSender invitations;

    public EventUpdates(Database database, CalendarLog log, InvitationSender invitations) {
        this.database = database;
        this.log = log;
        this.invitations = invitations;
    }

    /**
     * Changes an event.
     *
     * @throws Problem as calendar.md §5 says
     */
    EventResult update(CalendarTx.Editor editor, UUID id, EventMembers members, Precondition precondition) {
        View view = editor.view();
        return database.write(view.organization(), tx -> {
            CalendarTx change = CalendarTx.begin(tx, editor, members.sends());
            WholeEvent wholeEvent = WholeEvent.require(tx, view, id, List.of());
            CalendarEvent before = wholeEvent.event();
            precondition.require(before.tag(), before.version().revision());
            requireOurs(before, members.sends());
            EventContent after =
                    EventChange.changed(members, before, change.inbox().address());
            if (before.content().isSeries()) {
                EventRules.requireSeries(wholeEvent, members, change.now());
            } else {
                EventRules.requireSingle(wholeEvent, members, after, change.now());
            }
            if (members.hasSchedule()) {
                SeriesRules.check(after);
            }
            return stored(change, wholeEvent, after, members);
        });
    }

    private EventResult stored(CalendarTx change, WholeEvent wholeEvent, EventContent after, EventMembers members) {
        CalendarEvent before = wholeEvent.event();
        boolean visible = before.origin().isOurs() && EventChange.isVisible(before.content(), after);
        CalendarEvent event = before.with(after, before.version().changed(visible, change.operation(), change.now()));
        if (members.sends()) {
            event = MailStates.sent(change, event);
        }
        InvitationChange mail = new InvitationChange(
                members.present().isEmpty() ? InvitationChange.Trigger.REPEATED : InvitationChange.Trigger.CHANGED,
                before,
                event,
                null,
                null,
                SeriesParts.announcedCuts(wholeEvent));
        if (members.sends()) {
            invitations.charge(change, mail);
            event = MailStates.invited(event);
        }
        int eras = EventWrites.leavePast(change, wholeEvent, after);
        EventWrites.update(change, event, eras, wholeEvent.raised());
        log.add(change, EventType.CALENDAR_EVENT_UPDATED, event, CalendarLog.previous(before.content(), after));
        if (members.sends()) {
            invitations.send(change, mail);
        }
        return EventResult.of(event, change.operation());
    }

    /** Refuses mail about what the inbox does not organize. */
    static void requireOurs(CalendarEvent event, boolean sends) {
        if (sends && !event.origin().isOurs()) {
            throw Problem.of(
                    ErrorCode.CALENDAR_RESPONSE_INVALID,
                    "The inbox does not organize this event, so it invites nobody",
                    "Answer the invitation with POST …/respond, or leave out send_invites.");
        }
    }
}
