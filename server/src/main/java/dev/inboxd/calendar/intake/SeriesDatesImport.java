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
     * @param told whether each of them is told of by itself
     * @return the date, or the series when there are several
     */
    ImportOutcome run(WholeEvent known, List<ReadEvent> dates, boolean told) {
        WholeEvent series = known;
        String changed = null;
        ImportOutcome.Reason why = ImportOutcome.Reason.OLDER;
        for (ReadEvent date : dates) {
            Slot slot = slot(series.event(), Objects.requireNonNull(date.recurrenceId()));
            if (slot == null) {
                why = ImportOutcome.Reason.MALFORMED;
                continue;
            }
            WholeEvent whole = WholeEvent.require(
                    writes.tx(), writes.view(), series.event().id(), List.of(slot));
            SeriesDate before = whole.dates().at(slot).orElse(null);
            if (before != null
                    && !before.place().removed()
                    && isNewer(date, before)
                    && DateUpdates.hasRoom(whole, slot)) {
                boolean done = date(whole, before, date, told);
                changed = !done
                        ? changed
                        : changed == null ? before.id() : series.event().id().toString();
                why = done ? why : ImportedContent.reason(date);
                series = whole;
            }
        }
        return changed == null ? ImportOutcome.ignored(why) : ImportOutcome.taken(changed);
    }

    private boolean isCancel() {
        return "CANCEL".equals(writes.mail().calendar().method());
    }

    /** A cancellation with the state of what it cancels counts. */
    private boolean isNewer(ReadEvent date, SeriesDate known) {
        return isCancel()
                ? !known.isCancelled() && ImportedContent.isNotOlder(date, known)
                : ImportedContent.isNewer(date, known);
    }

    private static @Nullable Slot slot(CalendarEvent series, EventTime name) {
        EventRecurrence recurrence = series.content().recurrence();
        return recurrence == null
                ? null
                : recurrence.dates(series.content().time()).named(name).orElse(null);
    }

    private boolean date(WholeEvent whole, SeriesDate before, ReadEvent date, boolean told) {
        EventContent content =
                isCancel() ? null : ImportedContent.of(date, writes.inbox().address(), before.content());
        if (!isCancel() && content == null) {
            return false;
        }
        CalendarTx change = writes.change();
        DateFields fields = content == null ? ImportedContent.cancelled() : ImportedContent.fields(content);
        put(change, whole, before, new State(date.sequence(), ImportedContent.stamp(date), fields));
        CalendarEvent counted = writes.named(whole.event(), date)
                .with(whole.event().content(), whole.event().version().dateChanged(change.operation()));
        EventWrites.update(change, counted, whole.eras().size(), whole.raised());
        if (told) {
            SeriesDate after = DateUpdates.reloaded(change, before);
            boolean isFirst = before.own() == null && !isCancel() && !after.isCancelled();
            writes.log()
                    .add(change, isFirst ? EventType.CALENDAR_EVENT_CREATED : EventType.CALENDAR_EVENT_UPDATED, after);
        }
        return true;
    }

    private record State(int sequence, Instant stamp, DateFields fields) {}

    private static void put(CalendarTx change, WholeEvent whole, SeriesDate before, State state) {
        DateOverride own = before.own();
        Instant created = own == null ? change.now() : own.version().createdAt();
        DateUpdates.put(
                change,
                whole,
                new DateOverride(
                        before.slot(),
                        false,
                        DateUpdates.over(own, state.fields),
                        own != null && own.kept(),
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
            WholeEvent whole = slot == null
                    ? null
                    : WholeEvent.require(
                            writes.tx(), writes.view(), series.event().id(), List.of(slot));
            SeriesDate before = whole == null || slot == null
                    ? null
                    : whole.dates().at(slot).orElse(null);
            if (whole != null && before != null && !before.isCancelled() && DateUpdates.hasRoom(whole, before.slot())) {
                State state = new State(cancel.sequence(), cancel.stamp(), ImportedContent.cancelled());
                put(change, whole, before, state);
            }
        }
        WholeEvent now = writes.whole(series.event().id());
        EventWrites.update(change, now.event(), now.eras().size(), now.raised());
    }
}
