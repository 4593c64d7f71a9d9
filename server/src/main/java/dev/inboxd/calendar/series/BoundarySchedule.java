package dev.inboxd.calendar.series;

import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which start or end of an event is told next (the table of calendar.md §8). What was told stands in the rows of
 * {@code calendar_boundary}; the time of the next is kept beside the event, so that few rows are looked at.
 */
public final class BoundarySchedule {
    /** A date that was never seen before its end is told of only this long after its start. */
    public static final Duration LATE = Duration.ofMinutes(5);

    private BoundarySchedule() {}

    /**
     * A start or end that was told.
     *
     * @param slot of the date; empty for a single event
     */
    public record Mark(String slot, BoundaryKind which) {}

    /**
     * A start or end to be told.
     *
     * @param slot of the date; empty for a single event
     * @param at when; perhaps in the past, and then at once
     * @param endsAt the end of the date
     * @param date the date of a series; null for a single event
     */
    public record Boundary(
            String slot,
            BoundaryKind which,
            Instant at,
            Instant endsAt,
            @Nullable SeriesDate date) {}

    /** The earliest start or end of an event that was not told and is still to be; null when there is none. */
    static @Nullable Boundary next(WholeEvent wholeEvent, Instant now) {
        Boundary next = ofSingle(wholeEvent, now);
        return wholeEvent.hasDates() ? earlier(next, ofDates(wholeEvent, now)) : next;
    }

    private static @Nullable Boundary ofSingle(WholeEvent wholeEvent, Instant now) {
        EventContent content = wholeEvent.event().content();
        Set<Mark> raised = wholeEvent.raised();
        Instant start = content.time().startAt();
        Instant end = content.time().endAt();
        if (raised.contains(new Mark("", BoundaryKind.STARTING))) {
            return raised.contains(new Mark("", BoundaryKind.ENDING))
                    ? null
                    : new Boundary("", BoundaryKind.ENDING, end, end, null);
        }
        return !wholeEvent.takesPlaceOnce() || !isDue(start, end, now)
                ? null
                : new Boundary("", BoundaryKind.STARTING, start, end, null);
    }

    private static boolean isDue(Instant start, Instant end, Instant now) {
        return end.isAfter(now) || !start.isBefore(now.minus(LATE));
    }

    private static @Nullable Boundary ofDates(WholeEvent wholeEvent, Instant now) {
        Set<Mark> raised = wholeEvent.raised();
        Boundary next = null;
        for (Mark mark : raised) {
            Slot slot = Slot.parse(mark.slot());
            if (slot != null
                    && mark.which() == BoundaryKind.STARTING
                    && !raised.contains(new Mark(mark.slot(), BoundaryKind.ENDING))) {
                SeriesDate date = wholeEvent.dates().at(slot).orElse(null);
                next = date == null ? next : earlier(next, of(date, BoundaryKind.ENDING));
            }
        }
        SeriesDate first = wholeEvent
                .dates()
                .first(
                        now.minus(LATE),
                        date -> !date.isCancelled()
                                && isDue(date.startAt(), date.endAt(), now)
                                && !raised.contains(new Mark(date.slot().toString(), BoundaryKind.STARTING)));
        return first == null ? next : earlier(next, of(first, BoundaryKind.STARTING));
    }

    private static Boundary of(SeriesDate date, BoundaryKind which) {
        return new Boundary(
                date.slot().toString(),
                which,
                which == BoundaryKind.STARTING ? date.startAt() : date.endAt(),
                date.endAt(),
                date);
    }

    private static @Nullable Boundary earlier(@Nullable Boundary first, @Nullable Boundary second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        return second.at.isBefore(first.at) ? second : first;
    }

    /** By when a row is found, as of now. */
    public static CalendarEventSql.Bounds bounds(WholeEvent wholeEvent, Instant now) {
        EventContent content = wholeEvent.event().content();
        Instant first = content.time().startAt();
        Instant last = content.time().endAt();
        if (wholeEvent.hasDates()) {
            for (Era era : wholeEvent.eras()) {
                first = earlier(first, era.content().time().startAt());
            }
            for (DateOverride edit : wholeEvent.dates().alone().values()) {
                if (edit.hasTime()) {
                    first = earlier(first, edit.fields().over(content).time().startAt());
                }
            }
            last = wholeEvent.dates().lastEnd();
        }
        Boundary next = next(wholeEvent, now);
        return new CalendarEventSql.Bounds(
                first,
                last,
                next == null ? null : next.at,
                zoneVersion(content.time().zone()));
    }

    private static Instant earlier(Instant first, Instant second) {
        return second.isBefore(first) ? second : first;
    }

    /** The version of the rules of a zone that this program computes with. */
    public static String zoneVersion(ZoneId zone) {
        try {
            NavigableMap<String, ZoneRules> versions = ZoneRulesProvider.getVersions(zone.getId());
            return versions.isEmpty() ? "" : versions.lastKey();
        } catch (ZoneRulesException fixed) {
            return "";
        }
    }
}
