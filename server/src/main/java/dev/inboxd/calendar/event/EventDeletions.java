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
    record Deletion(DatedId id, boolean future, boolean sends, DeletionKey key, Precondition precondition) {}

    /**
     * Deletes an event, or cancels a date.
     *
     * @return the whole answer
     * @throws Problem {@code not_found}, {@code idempotency_conflict}, {@code precondition_failed},
     *     {@code event_starting}, {@code event_already_started}, {@code event_expired}, {@code rate_limit_exceeded},
     *     {@code validation_error} when no more dates can be taken out of the series
     */
    Response delete(CalendarTx.Editor editor, Deletion deletion) {
        View view = editor.view();
        return database.write(view.organization(), tx -> {
            CalendarTx change = CalendarTx.begin(tx, editor, deletion.sends);
            Optional<String> deletionId = deletion.key.find(change);
            List<Slot> slots = deletion.id.slot() == null ? List.of() : List.of(deletion.id.slot());
            Optional<WholeEvent> storedEvent = WholeEvent.find(tx, view, deletion.id.event(), slots);
            if (deletionId.isPresent() && (deletion.id.slot() == null || storedEvent.isEmpty())) {
                return deleted(deletionId.get());
            }
            WholeEvent wholeEvent = WholeEvent.require(tx, view, deletion.id.event(), slots);
            if (deletionId.isPresent()) {
                return EventResult.of(wholeEvent.date(slots.getFirst()), deletionId.get())
                        .mutation(202);
            }
            return deletion.id.slot() == null
                    ? event(change, wholeEvent, deletion)
                    : date(change, wholeEvent, wholeEvent.date(deletion.id.slot()), deletion);
        });
    }

    private static Response deleted(String id) {
        return Response.of(202, JsonObject.of("deletion_id", id));
    }

    private Response event(CalendarTx change, WholeEvent wholeEvent, Deletion deletion) {
        CalendarEvent event = wholeEvent.event();
        deletion.precondition.require(event.tag(), event.version().revision());
        return deleted(change, wholeEvent, deletion);
    }

    private Response deleted(CalendarTx change, WholeEvent wholeEvent, Deletion deletion) {
        CalendarEvent event = wholeEvent.event();
        EventUpdates.requireOurs(event, deletion.sends);
        CalendarEvent last = MailStates.sent(change, event);
        InvitationChange mail = new InvitationChange(
                InvitationChange.Trigger.DELETED, event, last, null, null, SeriesParts.announcedCuts(wholeEvent));
        if (deletion.sends) {
            invitations.charge(change, mail);
        }
        CalendarEventSql.delete(change.tx(), change.all(), List.of(event.id()));
        CalendarSql.count(change, -1);
        log.add(change, EventType.CALENDAR_EVENT_DELETED, event, null);
        deletion.key.insert(change, change.operation());
        if (deletion.sends) {
            invitations.send(change, mail);
        }
        return deleted(change.operation());
    }

    private Response date(CalendarTx change, WholeEvent wholeEvent, SeriesDate date, Deletion deletion) {
        CalendarEvent series = wholeEvent.event();
        deletion.precondition.require(date.tag(), series.version().revision());
        EventUpdates.requireOurs(series, deletion.sends);
        if (date.isCancelled()) { // ruling 69: it stays as it is
            return EventResult.of(date, operation(date)).mutation(202);
        }
        EventRules.requireCancellable(date, wholeEvent.raised(), change.now());
        if (deletion.future && isFirst(wholeEvent, date)) {
            return deleted(change, wholeEvent, deletion);
        }
        EventContent before = series.content();
        EventRecurrence recurrence = Objects.requireNonNull(before.recurrence());
        if (!deletion.future && recurrence.exdates().size() >= RecurrenceInput.MOST_EXDATES) {
            throw Problem.invalid(
                    "event_id",
                    "At most " + RecurrenceInput.MOST_EXDATES + " dates can be taken out of a series; end it instead");
        }
        EventContent after = before.with(
                deletion.future ? recurrence.endingBefore(date.slot().at()) : recurrence.without(date.slot()));
        EventVersion version = series.version()
                .changed(
                        series.origin().isOurs() && (deletion.future || deletion.sends),
                        change.operation(),
                        change.now());
        CalendarEvent changed = series.with(after, version);
        return cancelled(
                change,
                wholeEvent,
                date,
                new Cancellation(deletion.sends ? MailStates.sent(change, changed) : changed, deletion));
    }

    private record Cancellation(CalendarEvent series, Deletion deletion) {}

    private Response cancelled(CalendarTx change, WholeEvent wholeEvent, SeriesDate date, Cancellation done) {
        boolean sends = done.deletion.sends;
        Supplier<InvitationChange> mail = () -> new InvitationChange(
                done.deletion.future ? InvitationChange.Trigger.SHORTENED : InvitationChange.Trigger.DATE_CANCELLED,
                wholeEvent.event(),
                done.series,
                date,
                date,
                SeriesParts.announcedCuts(wholeEvent));
        if (sends) {
            invitations.charge(change, mail.get());
        }
        takeOutOfEra(change, wholeEvent, date);
        EventWrites.update(change, done.series, wholeEvent.eras().size(), wholeEvent.raised());
        SeriesDate after = DateUpdates.reloaded(change, date);
        log.add(change, EventType.CALENDAR_EVENT_UPDATED, after);
        done.deletion.key.insert(change, change.operation());
        if (sends) {
            invitations.send(change, mail.get());
        }
        return EventResult.of(after, change.operation()).mutation(202);
    }

    /** A date that runs and belongs to what the series was is taken out there. */
    private static void takeOutOfEra(CalendarTx change, WholeEvent wholeEvent, SeriesDate date) {
        Instant start = date.original().startAt();
        wholeEvent.eras().stream()
                .filter(era -> start.isBefore(era.until()))
                .findFirst()
                .ifPresent(era -> EraSql.removeDate(change, wholeEvent.event(), era, date.slot()));
    }

    private static boolean isFirst(WholeEvent wholeEvent, SeriesDate date) {
        SeriesDate first = wholeEvent.dates().first(Instant.EPOCH.minusSeconds(1L << 32), _ -> true);
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
