package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.calendar.content.Calendar;
import dev.inboxd.calendar.content.DatedId;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.calendar.content.SeriesRules;
import dev.inboxd.calendar.input.EventMembers;
import dev.inboxd.calendar.series.AliasSql;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.calendar.series.CalendarSql;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.recurrence.Slot;
import dev.inboxd.tenant.inbox.Inbox;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Making and reading events. */
public final class CalendarEvents {
    /** Singles and series of a calendar. */
    public static final int MOST = 10_000;

    private final Database database;
    private final CalendarLog log;
    private final InvitationSender invitations;

    public CalendarEvents(Database database, CalendarLog log, InvitationSender invitations) {
        this.database = database;
        this.log = log;
        this.invitations = invitations;
    }

    /**
     * A new event as a request asks for it.
     *
     * @param clientId the client's own name for the request, or null
     * @param hash of the request, which a repeat has too
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record NewEvent(EventMembers members, @Nullable String clientId, byte[] hash) {}

    /**
     * Makes an event. A repeated client_id gives the event of the first request.
     *
     * @throws Problem {@code validation_error}, {@code materialization_failed}, {@code recurrence_density_limit},
     *     {@code race_condition} when the calendar is full, {@code rate_limit_exceeded}, {@code idempotency_conflict},
     *     {@code not_found} when the event of a repeated client_id is gone
     */
    EventResult create(CalendarTx.Editor editor, NewEvent newEvent) {
        View view = editor.view();
        EventMembers members = newEvent.members;
        return database.write(view.organization(), tx -> {
            CalendarTx change = CalendarTx.begin(tx, editor, members.sends());
            Calendar calendar = CalendarSql.get(tx, view);
            EventContent content =
                    EventChange.created(members, calendar, change.inbox().address());
            Optional<EventResult> before = repeated(tx, view, newEvent);
            if (before.isPresent()) {
                return before.get();
            }
            SeriesRules.check(content);
            if (calendar.events() >= MOST) {
                throw Problem.of(
                        ErrorCode.RACE_CONDITION,
                        "The calendar has its " + MOST + " events already",
                        "Delete events that are over; event_count of the calendar says how many there are.");
            }
            return created(change, event(change, content), newEvent);
        });
    }

    /** The event or date of an id, which a date may have had before its series came. */
    DatedId named(View inbox, DatedId id) {
        return id.slot() != null
                ? id
                : database.read(tx -> AliasSql.find(tx, inbox, id.event())).orElse(id);
    }

    private static CalendarEvent event(CalendarTx change, EventContent content) {
        UUID id = Uuid7.next();
        Inbox inbox = change.inbox();
        return new CalendarEvent(
                id,
                new CalendarEvent.Place(change.view().organization(), inbox.pod(), inbox.id()),
                CalendarEvent.Origin.ours(id + "@" + inbox.domain(), inbox.address()),
                content,
                EventVersion.first(change.operation(), change.now()),
                CalendarEvent.MailState.NONE,
                change.author());
    }

    private EventResult created(CalendarTx change, CalendarEvent event, NewEvent newEvent) {
        boolean sends = newEvent.members.sends();
        CalendarEvent stored = sends ? MailStates.sent(change, MailStates.invited(event)) : event;
        InvitationChange mail = InvitationChange.of(InvitationChange.Trigger.CREATED, null, stored);
        if (sends) {
            invitations.charge(change, mail);
        }
        EventWrites.insert(change, stored);
        if (newEvent.clientId != null) {
            ClientIdSql.insert(change, newEvent.clientId, newEvent.hash, event.id());
        }
        log.add(change, EventType.CALENDAR_EVENT_CREATED, stored, null);
        if (sends) {
            invitations.send(change, mail);
        }
        return EventResult.of(stored, change.operation());
    }

    private static Optional<EventResult> repeated(Tx tx, View view, NewEvent newEvent) {
        if (newEvent.clientId == null) {
            return Optional.empty();
        }
        return ClientIdSql.find(tx, view, newEvent.clientId).map(earlier -> {
            if (!Arrays.equals(earlier.hash(), newEvent.hash)) {
                throw Problem.of(
                        ErrorCode.IDEMPOTENCY_CONFLICT,
                        "The client_id " + newEvent.clientId + " was used for another event");
            }
            CalendarEvent event = CalendarEventSql.find(tx, view, earlier.event())
                    .orElseThrow(DatedId::missing)
                    .event();
            return EventResult.of(event, earlier.operation()).repeated();
        });
    }

    /**
     * An event, or a date of a series, also one that was taken out.
     *
     * @throws Problem {@code not_found}
     */
    EventResult get(View view, DatedId id) {
        return database.read(tx -> {
            List<Slot> slots = id.slot() == null ? List.of() : List.of(id.slot());
            WholeEvent wholeEvent = WholeEvent.find(tx, view, id.event(), slots).orElseThrow(DatedId::missing);
            return id.slot() == null
                    ? EventResult.of(wholeEvent.event(), "")
                    : EventResult.of(wholeEvent.date(id.slot()), "");
        });
    }
}
