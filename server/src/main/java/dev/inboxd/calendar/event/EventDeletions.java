package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.calendar.content.DatedId;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.calendar.input.Precondition;
import dev.inboxd.calendar.input.RecurrenceInput;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.calendar.series.CalendarSql;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.EraSql;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.SeriesParts;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Deletions of events and cancellations of dates (calendar.md §6). */
public final class EventDeletions {
    private final Database database;
    private final CalendarLog log;
    private final InvitationSender invitations;

    public EventDeletions(Database database, CalendarLog log, InvitationSender invitations) {
        this.database = database;
        this.log = log;
        this.invitations = invitations;
    }

    /**
     * A deletion as a request asks for it.
     *
     * @param id the event or the date
     * @param future whether the dates that follow go too
     * @param sends whether attendees are told
     */
    record Deletion(DatedId id, boolean future, boolean sends, DeletionKey key, Precondition wanted) {}

    /**
     * Deletes an event, or cancels a date.
     *
     * @return the whole answer
     * @throws Problem {@code not_found}, {@code idempotency_conflict}, {@code precondition_failed},
     *     {@code event_starting}, {@code event_already_started}, {@code event_expired}, {@code rate_limit_exceeded},
     *     {@code validation_error} when no more dates can be taken out of the series
     */
    Response delete(CalendarTx.Editor editor, Deletion asked) {
        View view = editor.view();
        return database.write(view.organization(), tx -> {
            CalendarTx change = CalendarTx.begin(tx, editor, asked.sends);
            Optional<String> known = asked.key.find(change);
            List<Slot> slots = asked.id.slot() == null ? List.of() : List.of(asked.id.slot());
            Optional<WholeEvent> there = WholeEvent.find(tx, view, asked.id.event(), slots);
            if (known.isPresent() && (asked.id.slot() == null || there.isEmpty())) {
                return deleted(known.get());
            }
            WholeEvent whole = WholeEvent.require(tx, view, asked.id.event(), slots);
            if (known.isPresent()) {
                return EventResult.of(whole.date(slots.getFirst()), known.get()).mutation(202);
            }
            return asked.id.slot() == null
                    ? whole(change, whole, asked)
                    : date(change, whole, whole.date(asked.id.slot()), asked);
        });
    }

    private static Response deleted(String id) {
        return Response.of(202, JsonObject.of("deletion_id", id));
    }

    private Response whole(CalendarTx change, WholeEvent whole, Deletion asked) {
        CalendarEvent event = whole.event();
        asked.wanted.require(event.tag(), event.version().revision());
        return deleted(change, whole, asked);
    }

    private Response deleted(CalendarTx change, WholeEvent whole, Deletion asked) {
        CalendarEvent event = whole.event();
        EventUpdates.requireOurs(event, asked.sends);
        CalendarEvent last = MailStates.sent(change, event);
        InvitationChange mail = new InvitationChange(
                InvitationChange.Trigger.DELETED, event, last, null, null, SeriesParts.told(whole));
        if (asked.sends) {
            invitations.charge(change, mail);
        }
        CalendarEventSql.delete(change.tx(), change.all(), List.of(event.id()));
        CalendarSql.count(change, -1);
        log.add(change, EventType.CALENDAR_EVENT_DELETED, event, null);
        asked.key.insert(change, change.operation());
        if (asked.sends) {
            invitations.send(change, mail);
        }
        return deleted(change.operation());
    }

    private Response date(CalendarTx change, WholeEvent whole, SeriesDate date, Deletion asked) {
        CalendarEvent series = whole.event();
        asked.wanted.require(date.tag(), series.version().revision());
        EventUpdates.requireOurs(series, asked.sends);
        if (date.isCancelled()) { // ruling 69: it stays as it is
            return EventResult.of(date, operation(date)).mutation(202);
        }
        EventRules.requireCancellable(date, whole.raised(), change.now());
        if (asked.future && isFirst(whole, date)) {
            return deleted(change, whole, asked);
        }
        EventContent before = series.content();
        EventRecurrence recurrence = Objects.requireNonNull(before.recurrence());
        if (!asked.future && recurrence.exdates().size() >= RecurrenceInput.MOST_EXDATES) {
            throw Problem.invalid(
                    "event_id",
                    "At most " + RecurrenceInput.MOST_EXDATES + " dates can be taken out of a series; end it instead");
        }
        EventContent after =
                before.with(asked.future ? recurrence.endingBefore(date.slot().at()) : recurrence.without(date.slot()));
        EventVersion version = series.version()
                .changed(series.origin().isOurs() && (asked.future || asked.sends), change.operation(), change.now());
        CalendarEvent changed = series.with(after, version);
        return cancelled(
                change, whole, date, new Cancellation(asked.sends ? MailStates.sent(change, changed) : changed, asked));
    }

    private record Cancellation(CalendarEvent series, Deletion asked) {}

    private Response cancelled(CalendarTx change, WholeEvent whole, SeriesDate date, Cancellation done) {
        boolean sends = done.asked.sends;
        Supplier<InvitationChange> mail = () -> new InvitationChange(
                done.asked.future ? InvitationChange.Trigger.SHORTENED : InvitationChange.Trigger.DATE_CANCELLED,
                whole.event(),
                done.series,
                date,
                date,
                SeriesParts.told(whole));
        if (sends) {
            invitations.charge(change, mail.get());
        }
        takeOutOfEra(change, whole, date);
        EventWrites.update(change, done.series, whole.eras().size(), whole.raised());
        SeriesDate after = DateUpdates.reloaded(change, date);
        log.add(change, EventType.CALENDAR_EVENT_UPDATED, after);
        done.asked.key.insert(change, change.operation());
        if (sends) {
            invitations.send(change, mail.get());
        }
        return EventResult.of(after, change.operation()).mutation(202);
    }

    /** A date that runs and belongs to what the series was is taken out there. */
    private static void takeOutOfEra(CalendarTx change, WholeEvent whole, SeriesDate date) {
        Instant start = date.original().startAt();
        whole.eras().stream()
                .filter(era -> start.isBefore(era.until()))
                .findFirst()
                .ifPresent(era -> EraSql.removeDate(change, whole.event(), era, date.slot()));
    }

    private static boolean isFirst(WholeEvent whole, SeriesDate date) {
        SeriesDate first = whole.dates().first(Instant.EPOCH.minusSeconds(1L << 32), _ -> true);
        return first == null
                || !first.original().startAt().isBefore(date.original().startAt());
    }

    private static String operation(SeriesDate date) {
        return date.own() != null
                        && date.content().isCancelled()
                        && !date.place().removed()
                ? date.own().version().operation()
                : date.series().version().operation();
    }
}
