package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.calendar.content.DatedId;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.mail.recurrence.Slot;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An event with its dates and what was raised of it.
 *
 * @param eras what a series was, in order
 * @param dates the dates of a series; none of a single event
 * @param raised the starts and ends that were raised; empty unless it was read for a change
 */
public record WholeEvent(CalendarEvent event, List<Era> eras, SeriesDates dates, Set<BoundarySchedule.Mark> raised) {
    public WholeEvent {
        eras = List.copyOf(eras);
        raised = Set.copyOf(raised);
    }

    /** A new event without dates that were edited. */
    public static WholeEvent of(CalendarEvent event) {
        return new WholeEvent(event, List.of(), new SeriesDates(event, List.of(), List.of()), Set.of());
    }

    /** Whether it has dates: it is a series, or was one. */
    public boolean hasDates() {
        return event.content().isSeries() || !eras.isEmpty();
    }

    /** Whether the event itself takes place: it is no series, nor the past of one, whose dates stay what they were. */
    public boolean takesPlaceOnce() {
        EventContent content = event.content();
        return !content.isSeries()
                && !content.isCancelled()
                && (eras.isEmpty()
                        || !content.time().startAt().isBefore(eras.getLast().until()));
    }

    /** An event to be read, with everything of the named dates. */
    public static Optional<WholeEvent> find(Tx tx, View inbox, UUID id, Collection<Slot> slots) {
        return CalendarEventSql.find(tx, inbox, id).map(row -> ofRow(tx, inbox, row, slots));
    }

    /**
     * An event to be changed, with everything of the named dates.
     *
     * @throws Problem {@code not_found}
     */
    public static WholeEvent require(Tx tx, View inbox, UUID id, Collection<Slot> slots) {
        CalendarEventSql.EventRow row = CalendarEventSql.find(tx, inbox, id).orElseThrow(DatedId::missing);
        return ofRow(tx, inbox, row, slots).raised(BoundarySql.list(tx, inbox, id));
    }

    /**
     * An event with everything of its edited dates.
     *
     * @param inbox narrowed to the inbox
     */
    public static WholeEvent withEdits(Tx tx, View inbox, CalendarEvent event) {
        if (!event.content().isSeries()) {
            return of(event);
        }
        WholeEvent small = find(tx, inbox, event.id(), List.of()).orElse(of(event));
        Set<Slot> slots = new HashSet<>(small.dates().alone().keySet());
        small.dates().following().values().forEach(edit -> slots.add(edit.slot()));
        return find(tx, inbox, event.id(), slots).orElse(small);
    }

    /** The event of a row, with everything of the named dates. */
    public static WholeEvent ofRow(Tx tx, View inbox, CalendarEventSql.EventRow row, Collection<Slot> slots) {
        CalendarEvent event = row.event();
        List<Era> eras = row.eras() == 0 ? List.of() : EraSql.list(tx, inbox, event.id(), slots);
        List<DateOverride> edits =
                row.hasDates() ? OverrideSql.list(tx, inbox, event.id(), slots) : List.<DateOverride>of();
        return new WholeEvent(event, eras, new SeriesDates(event, eras, edits), Set.of());
    }

    /** The same with what was told of it. */
    public WholeEvent raised(Set<BoundarySchedule.Mark> marks) {
        return new WholeEvent(event, eras, dates, marks);
    }

    /** One date, also one that was taken out; {@code not_found} for a slot that was never made. */
    public SeriesDate date(Slot slot) {
        return dates.at(slot).orElseThrow(DatedId::missing);
    }
}
