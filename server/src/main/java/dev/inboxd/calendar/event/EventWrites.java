package dev.inboxd.calendar.event;

import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.series.BoundarySchedule;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarSql;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.Era;
import dev.inboxd.calendar.series.EraSql;
import dev.inboxd.calendar.series.OverrideSql;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.SeriesDates;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Stores changed events, with what follows from a change for their dates. */
public final class EventWrites {
    private EventWrites() {}

    /** Stores a new event. */
    public static void insert(CalendarTx change, CalendarEvent event) {
        CalendarEventSql.insert(
                change.tx(),
                change.all(),
                new CalendarEventSql.EventRow(event.writtenBy(change.author()), 0),
                BoundarySchedule.bounds(WholeEvent.of(event), change.now()));
        CalendarSql.count(change, 1);
    }

    /**
     * Stores a changed event, behind the edits and eras that belong to the change.
     *
     * @param eras how many it has now
     * @param raised what was told of it
     * @return the event with its dates, without what is large in them
     */
    public static WholeEvent update(
            CalendarTx change, CalendarEvent event, int eras, Set<BoundarySchedule.Mark> raised) {
        CalendarEventSql.EventRow row = new CalendarEventSql.EventRow(event.writtenBy(change.author()), eras);
        WholeEvent wholeEvent =
                WholeEvent.ofRow(change.tx(), change.view(), row, List.of()).raised(raised);
        CalendarEventSql.update(change.tx(), change.all(), row, BoundarySchedule.bounds(wholeEvent, change.now()));
        CalendarSql.changed(change);
        return wholeEvent;
    }

    /**
     * Keeps what ran as it ran, before a series becomes something else (ruling 71), and drops the edits of dates that
     * it does not make any more (ruling 72).
     *
     * @return how many eras the series has now
     */
    public static int leavePast(CalendarTx change, WholeEvent before, EventContent after) {
        int eras = before.eras().size();
        if (!before.event().content().isSeries()) {
            return eras;
        }
        Instant now = change.now();
        if (before.dates().hasBegun(now)) {
            Era era = new Era(now.plusNanos(1_000), before.event().content());
            EraSql.insert(change.tx(), change.all(), before.event(), era);
            eras++;
        }
        keepEarly(change, before.dates(), now);
        dropEdits(change, before.dates(), after);
        if (after.isCancelled() && !before.event().content().isCancelled()) {
            DateEnds.cancel(change, before);
        }
        return eras;
    }

    /** A date that was moved and ran before its place in the series comes is kept by itself. */
    private static void keepEarly(CalendarTx change, SeriesDates dates, Instant now) {
        List<Slot> early = dates.edited()
                .filter(date -> !date.startAt().isAfter(now)
                        && date.original().startAt().isAfter(now))
                .filter(date -> date.own() != null && !date.own().pinned())
                .map(SeriesDate::slot)
                .toList();
        if (!early.isEmpty()) {
            WholeEvent wholeEvent = WholeEvent.find(
                            change.tx(), change.view(), dates.series().id(), early)
                    .orElseThrow();
            early.forEach(slot -> {
                SeriesDate date = wholeEvent.date(slot);
                DateOverride own = Objects.requireNonNull(date.own());
                OverrideSql.put(
                        change.tx(),
                        change.all(),
                        dates.series(),
                        new DateOverride(slot, false, DateFields.of(date.content()), true, own.version()));
            });
        }
    }

    private static void dropEdits(CalendarTx change, SeriesDates dates, EventContent after) {
        EventContent before = dates.series().content();
        if (before.time().equals(after.time()) && Objects.equals(before.recurrence(), after.recurrence())) {
            return;
        }
        Recurrence recurrence =
                after.recurrence() == null ? null : after.recurrence().dates(after.time());
        List<Slot> dropped = new ArrayList<>();
        Stream.concat(dates.alone().values().stream(), dates.following().values().stream())
                .filter(edit -> !edit.pinned() && isAhead(dates, edit.slot(), change.now()))
                .filter(edit -> recurrence == null || !recurrence.makes(edit.slot()))
                .forEach(edit -> dropped.add(edit.slot()));
        OverrideSql.delete(change.tx(), change.all(), dates.series().id(), dropped);
    }

    private static boolean isAhead(SeriesDates dates, Slot slot, Instant now) {
        SeriesDate date = dates.at(slot).orElse(null);
        // Moved earlier, it ran already and is kept; moved later, it belongs to what the series was.
        return date == null
                || (date.original().startAt().isAfter(now) && date.startAt().isAfter(now));
    }
}
