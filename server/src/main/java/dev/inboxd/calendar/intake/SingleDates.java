package dev.inboxd.calendar.intake;

import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.event.DateUpdates;
import dev.inboxd.calendar.event.EventWrites;
import dev.inboxd.calendar.series.AliasSql;
import dev.inboxd.calendar.series.BoundarySql;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarSql;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.EarlyCancelSql;
import dev.inboxd.calendar.series.RecurrenceName;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Dates of a series that the inbox does not have (ruling 155): each is a single event, named by its UID and
 * RECURRENCE-ID. The series takes them in when it comes.
 */
final class SingleDates {
    /** How many of them a series takes in. */
    static final int MOST = 366;
    /** How many of one UID a mail may change: more than {@link #MOST}, for calendars of before it was held. */
    static final int MOST_KNOWN = 1_000;

    private final ImportWrites writes;

    SingleDates(ImportWrites writes) {
        this.writes = writes;
    }

    private boolean isCancel() {
        return "CANCEL".equals(writes.mail().calendar().method());
    }

    /** Makes, changes or cancels dates. */
    ImportOutcome run(List<WholeEvent> before, List<ReadEvent> dates) {
        // One mail may name a date twice: the second is compared with what the first made of it.
        List<WholeEvent> storedEvents = new ArrayList<>(before);
        ImportOutcome outcome = ImportOutcome.ignored(ImportOutcome.Reason.OLDER);
        for (ReadEvent date : dates) {
            ImportOutcome dateOutcome = storedEvents.stream()
                    .filter(wholeEvent -> isOf(wholeEvent.event(), Objects.requireNonNull(date.recurrenceId())))
                    .findFirst()
                    .map(match -> changed(storedEvents, match, date))
                    .orElseGet(() -> unknown(storedEvents, date));
            outcome = outcome.isApplied() ? outcome : dateOutcome;
        }
        return outcome;
    }

    private static boolean isOf(CalendarEvent event, EventTime recurrenceId) {
        ZoneId zone = event.content().time().zone();
        String name = event.origin().recurrenceId();
        if (name.isEmpty() && event.content().isSeries()) {
            return false;
        }
        // A date whose name was not kept when it came is named by its start.
        String storedName = name.isEmpty() ? RecurrenceName.of(event.content().time()) : name;
        return RecurrenceName.isSame(storedName, RecurrenceName.of(recurrenceId), zone);
    }

    private ImportOutcome unknown(List<WholeEvent> storedEvents, ReadEvent date) {
        if (isCancel()) {
            String organizer = writes.mail().author().toLowerCase(Locale.ROOT);
            EarlyCancelSql.put(writes.change(), EarlyCancels.of(date, organizer));
            return ImportOutcome.ignored(ImportOutcome.Reason.OLDER);
        }
        WholeEvent created = storedEvents.size() >= MOST ? null : writes.created(date);
        if (created == null) {
            return ImportOutcome.ignored(ImportedContent.reason(date));
        }
        storedEvents.add(created);
        return ImportOutcome.applied(created.event().id().toString());
    }

    private ImportOutcome changed(List<WholeEvent> all, WholeEvent storedEvent, ReadEvent date) {
        EventContent before = storedEvent.event().content();
        EventContent after = isCancel()
                ? before.with(EventStatus.CANCELLED)
                : ImportedContent.of(date, writes.inbox().address(), before);
        boolean isNewer = isCancel()
                ? !before.isCancelled() && ImportedContent.isNotOlder(date, storedEvent.event())
                : ImportedContent.isNewer(date, storedEvent.event());
        if (!isNewer || after == null) {
            return ImportOutcome.ignored(after == null ? ImportedContent.reason(date) : ImportOutcome.Reason.OLDER);
        }
        WholeEvent now = writes.stored(storedEvent, after, date);
        all.set(all.indexOf(storedEvent), now);
        return ImportOutcome.applied(now.event().id().toString());
    }

    /** Cancels all that is known of an event (RFC 5546 §3.2.5): the event, and dates of it that came by themselves. */
    ImportOutcome cancelAll(List<WholeEvent> storedEvents, ReadEvent cancel) {
        List<WholeEvent> all = new ArrayList<>(storedEvents);
        ImportOutcome outcome = ImportOutcome.ignored(ImportOutcome.Reason.OLDER);
        for (WholeEvent storedEvent : storedEvents.subList(0, Math.min(storedEvents.size(), MOST_KNOWN))) {
            ImportOutcome eventOutcome = changed(all, storedEvent, cancel);
            outcome = outcome.isApplied() ? outcome : eventOutcome;
        }
        return outcome;
    }

    /**
     * Lets a series take in the dates that came before it: their ids go on, and what differs in them stays.
     *
     * @return the series with them
     */
    WholeEvent takeIn(WholeEvent series, List<WholeEvent> storedEvents) {
        EventRecurrence recurrence = series.event().content().recurrence();
        if (recurrence == null) {
            return series;
        }
        List<AbsorbedDate> absorbed = new ArrayList<>();
        for (WholeEvent storedEvent : storedEvents) {
            String name = storedEvent.event().origin().recurrenceId();
            EventTime date = name.isEmpty()
                    ? null
                    : RecurrenceName.time(
                            name, storedEvent.event().content().time().zone());
            Slot slot = date == null
                    ? null
                    : recurrence
                            .dates(series.event().content().time())
                            .named(date)
                            .orElse(null);
            if (slot != null && absorbed.size() < MOST) {
                absorbed.add(new AbsorbedDate(storedEvent, slot));
            }
        }
        return absorbed.isEmpty() ? series : takenIn(series, absorbed);
    }

    private record AbsorbedDate(WholeEvent single, Slot slot) {}

    private WholeEvent takenIn(WholeEvent series, List<AbsorbedDate> absorbed) {
        List<Slot> slots = absorbed.stream().map(AbsorbedDate::slot).toList();
        WholeEvent wholeEvent =
                WholeEvent.require(writes.tx(), writes.view(), series.event().id(), slots);
        List<CalendarTx> changes = new ArrayList<>();
        for (AbsorbedDate item : absorbed) {
            SeriesDate date = wholeEvent.dates().at(item.slot).orElseThrow();
            CalendarTx change = writes.change();
            changes.add(change);
            CalendarEvent single = item.single.event();
            DateUpdates.put(change, wholeEvent, override(change, date, single));
            BoundarySql.move(change.tx(), change.all(), single.id(), date);
            AliasSql.insert(change.tx(), change.all(), single.id(), date);
            CalendarEventSql.delete(change.tx(), change.all(), List.of(single.id()));
            CalendarSql.count(change, -1);
        }
        CalendarTx last = changes.getLast();
        WholeEvent now = writes.require(series.event().id());
        EventWrites.update(last, now.event(), now.eras().size(), now.raised());
        for (int i = 0; i < absorbed.size(); i++) {
            SeriesDate after = DateUpdates.reloaded(
                    last, wholeEvent.dates().at(slots.get(i)).orElseThrow());
            if (differs(absorbed.get(i).single.event().content(), after.content())) {
                writes.log().add(changes.get(i), EventType.CALENDAR_EVENT_UPDATED, after);
            }
        }
        return writes.require(series.event().id());
    }

    private static boolean differs(EventContent before, EventContent after) {
        return !before.words().title().equals(after.words().title())
                || !Objects.equals(before.words().description(), after.words().description())
                || !Objects.equals(before.words().location(), after.words().location())
                || before.isCancelled() != after.isCancelled()
                || !ImportedContent.isSameTime(before.time(), after.time());
    }

    private DateOverride override(CalendarTx change, SeriesDate date, CalendarEvent single) {
        Integer sequence = single.version().sequence();
        return new DateOverride(
                date.slot(),
                false,
                fields(date, single),
                false,
                new DateOverride.Version(
                        sequence,
                        single.mail().stamp(),
                        change.operation(),
                        single.version().createdAt(),
                        change.now()));
    }

    /** What stays of a date: all that is newer than the series, else its move, its cancellation and its answer. */
    private DateFields fields(SeriesDate date, CalendarEvent single) {
        String inbox = writes.inbox().address();
        EventContent own = single.content();
        CalendarEvent series = date.series();
        boolean isNewer = single.version().sequence() > series.version().sequence()
                || (single.version().sequence() == series.version().sequence()
                        && isAfter(single.mail().stamp(), series.mail().stamp()));
        if (isNewer) {
            return DateFields.of(own);
        }
        EventContent shown = date.content();
        EventTime named =
                RecurrenceName.time(single.origin().recurrenceId(), own.time().zone());
        boolean isMoved = !named.startAt().equals(own.time().startAt());
        DateFields fields = DateFields.NONE;
        if (isMoved) {
            fields = fields.with(DateFields.of(own).times());
        }
        if (own.isCancelled()) {
            fields = fields.with(ImportedContent.cancelled());
        }
        if (isMoved || ImportedContent.isSameTime(own.time(), shown.time())) {
            fields = fields.with(ImportedContent.answer(own.guests(), shown.guests(), inbox));
        }
        return own.words().metadata() == null ? fields : fields.with(DateFields.metadata(own));
    }

    private static boolean isAfter(@Nullable Instant first, @Nullable Instant second) {
        return first != null && (second == null || first.isAfter(second));
    }
}
