package dev.inboxd.calendar.event;

import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.OverrideSql;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.SeriesDates;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A series that is cancelled as a whole ends every date that has not ended, moved or not (ruling 156). */
final class DateEnds {
    private DateEnds() {}

    /**
     * Cancels what edits of dates would let take place: behind what the series was, before the series itself is stored.
     *
     * @param before the series as it was
     */
    static void cancel(CalendarTx change, WholeEvent before) {
        Instant now = change.now();
        SeriesDates dates = before.dates();
        Set<Slot> slots = new LinkedHashSet<>();
        dates.following().values().forEach(edit -> slots.add(edit.slot()));
        dates.edited().filter(date -> date.endAt().isAfter(now)).forEach(date -> slots.add(date.slot()));
        dates.in(now, now.plusMillis(1), true, date -> slots.add(date.slot()));
        if (slots.isEmpty()) {
            return;
        }
        List<DateOverride> edits = new ArrayList<>();
        WholeEvent wholeEvent =
                WholeEvent.require(change.tx(), change.view(), before.event().id(), slots);
        wholeEvent.dates().following().values().stream()
                .map(edit -> with(change, edit, edit.fields().withoutStatus()))
                .forEach(edits::add);
        for (Slot slot : slots) {
            wholeEvent
                    .dates()
                    .at(slot)
                    .filter(date -> !date.isCancelled() && date.endAt().isAfter(now))
                    .filter(date ->
                            date.own() != null || wholeEvent.dates().alone().size() < SeriesDates.MOST_ALONE)
                    .ifPresent(date -> edits.add(cancelled(change, date)));
        }
        edits.forEach(edit -> OverrideSql.put(change.tx(), change.all(), wholeEvent.event(), edit));
    }

    private static DateOverride with(CalendarTx change, DateOverride edit, DateFields fields) {
        DateOverride.Version version =
                edit.version().changed(edit.version().sequence(), change.operation(), change.now());
        return new DateOverride(edit.slot(), edit.future(), fields, edit.pinned(), version);
    }

    /** A date that the series still makes is cancelled with it; one of its past is by itself. */
    private static DateOverride cancelled(CalendarTx change, SeriesDate date) {
        DateOverride own = date.own();
        boolean isOfThePast = !date.original().startAt().isAfter(change.now());
        if (own == null) {
            return new DateOverride(
                    date.slot(),
                    false,
                    isOfThePast ? DateFields.cancelled() : DateFields.NONE,
                    false,
                    DateOverride.Version.first(change.operation(), change.now()));
        }
        return with(
                change,
                own,
                isOfThePast || own.pinned()
                        ? own.fields().with(DateFields.cancelled())
                        : own.fields().withoutStatus());
    }
}
