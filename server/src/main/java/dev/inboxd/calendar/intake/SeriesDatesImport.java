package dev.inboxd.calendar.intake;

import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.event.DateUpdates;
import dev.inboxd.calendar.event.EventWrites;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.EarlyCancelSql.EarlyCancel;
import dev.inboxd.calendar.series.RecurrenceName;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes of single dates of a series that the inbox has, by mail (RFC 5546 §3.2.2, §3.2.5). */
final class SeriesDatesImport {
    private final ImportWrites writes;

    SeriesDatesImport(ImportWrites writes) {
        this.writes = writes;
    }

    /**
     * Changes dates of a series.
     *
     * @param isLogged whether each of them is told of by itself
     * @return the date, or the series when there are several
     */
    ImportOutcome run(WholeEvent storedEvent, List<ReadEvent> dates, boolean isLogged) {
        WholeEvent series = storedEvent;
        String changed = null;
        ImportOutcome.Reason why = ImportOutcome.Reason.OLDER;
        for (ReadEvent date : dates) {
            Slot slot = slot(series.event(), Objects.requireNonNull(date.recurrenceId()));
            if (slot == null) {
                why = ImportOutcome.Reason.MALFORMED;
                continue;
            }
            WholeEvent wholeEvent = WholeEvent.require(
                    writes.tx(), writes.view(), series.event().id(), List.of(slot));
            SeriesDate before = wholeEvent.dates().at(slot).orElse(null);
            if (before != null
                    && !before.place().removed()
                    && isNewer(date, before)
                    && DateUpdates.hasRoom(wholeEvent, slot)) {
                boolean done = date(wholeEvent, before, date, isLogged);
                changed = !done
                        ? changed
                        : changed == null ? before.id() : series.event().id().toString();
                why = done ? why : ImportedContent.reason(date);
                series = wholeEvent;
            }
        }
        return changed == null ? ImportOutcome.ignored(why) : ImportOutcome.applied(changed);
    }

    private boolean isCancel() {
        return "CANCEL".equals(writes.mail().calendar().method());
    }

    /** A cancellation with the state of what it cancels counts. */
    private boolean isNewer(ReadEvent date, SeriesDate storedDate) {
        return isCancel()
                ? !storedDate.isCancelled() && ImportedContent.isNotOlder(date, storedDate)
                : ImportedContent.isNewer(date, storedDate);
    }

    private static @Nullable Slot slot(CalendarEvent series, EventTime name) {
        EventRecurrence recurrence = series.content().recurrence();
        return recurrence == null
                ? null
                : recurrence.dates(series.content().time()).named(name).orElse(null);
    }

    private boolean date(WholeEvent wholeEvent, SeriesDate before, ReadEvent date, boolean isLogged) {
        EventContent content =
                isCancel() ? null : ImportedContent.of(date, writes.inbox().address(), before.content());
        if (!isCancel() && content == null) {
            return false;
        }
        CalendarTx change = writes.change();
        DateFields fields = content == null ? ImportedContent.cancelled() : ImportedContent.fields(content);
        put(change, wholeEvent, before, new State(date.sequence(), ImportedContent.stamp(date), fields));
        CalendarEvent counted = writes.named(wholeEvent.event(), date)
                .with(wholeEvent.event().content(), wholeEvent.event().version().dateChanged(change.operation()));
        EventWrites.update(change, counted, wholeEvent.eras().size(), wholeEvent.raised());
        if (isLogged) {
            SeriesDate after = DateUpdates.reloaded(change, before);
            boolean isFirst = before.own() == null && !isCancel() && !after.isCancelled();
            writes.log()
                    .add(change, isFirst ? EventType.CALENDAR_EVENT_CREATED : EventType.CALENDAR_EVENT_UPDATED, after);
        }
        return true;
    }

    private record State(int sequence, Instant stamp, DateFields fields) {}

    private static void put(CalendarTx change, WholeEvent wholeEvent, SeriesDate before, State state) {
        DateOverride own = before.own();
        Instant created = own == null ? change.now() : own.version().createdAt();
        DateUpdates.put(
                change,
                wholeEvent,
                new DateOverride(
                        before.slot(),
                        false,
                        DateUpdates.over(own, state.fields),
                        own != null && own.pinned(),
                        new DateOverride.Version(
                                state.sequence, state.stamp, change.operation(), created, change.now())));
    }

    /** Cancels dates of a series that were cancelled before it came; nothing more is told than the series. */
    void cancel(WholeEvent series, List<EarlyCancel> cancels) {
        if (cancels.isEmpty() || !series.event().content().isSeries()) {
            return;
        }
        CalendarTx change = writes.change();
        for (EarlyCancel cancel : cancels) {
            EventTime name = RecurrenceName.time(
                    cancel.recurrenceId(), series.event().content().time().zone());
            Slot slot = slot(series.event(), name);
            WholeEvent wholeEvent = slot == null
                    ? null
                    : WholeEvent.require(
                            writes.tx(), writes.view(), series.event().id(), List.of(slot));
            SeriesDate before = wholeEvent == null || slot == null
                    ? null
                    : wholeEvent.dates().at(slot).orElse(null);
            if (wholeEvent != null
                    && before != null
                    && !before.isCancelled()
                    && DateUpdates.hasRoom(wholeEvent, before.slot())) {
                State state = new State(cancel.sequence(), cancel.stamp(), ImportedContent.cancelled());
                put(change, wholeEvent, before, state);
            }
        }
        WholeEvent now = writes.require(series.event().id());
        EventWrites.update(change, now.event(), now.eras().size(), now.raised());
    }
}
