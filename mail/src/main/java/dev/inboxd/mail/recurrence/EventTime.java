package dev.inboxd.mail.recurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

/**
 * When an event, or one date of a series, takes place: wall times of a zone as they were asked for. What the zone makes
 * of them is computed at each call, by the rules that the JDK has: with newer rules the same wall times may be other
 * instants.
 *
 * @param allDay whether only the dates count; start and end are at midnight then, and {@code end} is the last day
 * @param start the nominal start, which may lie in a gap
 * @param end the nominal end; a nanosecond beyond a full second names the second time round of an overlap, which only
 *     {@link #at} and {@link #until} make
 * @param zone the zone
 * @param mode how the length is kept; NOMINAL when allDay
 */
public record EventTime(boolean allDay, LocalDateTime start, LocalDateTime end, ZoneId zone, DurationMode mode) {
    /** Marks the later instant of a wall time that comes twice. */
    private static final int SECOND_TIME = 1;

    /**
     * A time with times of day that ends at an instant, in the second time round of an overlap too.
     *
     * @param end the instant of the end
     * @param start the nominal start
     * @param zone the zone
     * @param mode how the length is kept
     */
    public static EventTime until(Instant end, LocalDateTime start, ZoneId zone, DurationMode mode) {
        LocalDateTime wall = LocalDateTime.ofInstant(end, zone);
        boolean isSecondTime = instant(wall, zone).isBefore(end);
        return new EventTime(false, start, isSecondTime ? wall.withNano(SECOND_TIME) : wall, zone, mode);
    }

    /** The instant of the start: in a gap later by its length, in an overlap the earlier one. */
    public Instant startAt() {
        return allDay ? firstMoment(start, zone) : instant(start, zone);
    }

    /** The instant of the end, never before the start; all-day, the first moment of the day after the last. */
    public Instant endAt() {
        Instant from = startAt();
        if (allDay) {
            return latest(from, firstMoment(end.plusDays(1), zone));
        }
        Instant to = endInstant();
        if (to.isAfter(from)) {
            return to;
        }
        // The gap that moved the start has swallowed the length.
        return mode == DurationMode.EXACT ? latest(from, from.plus(Duration.between(start, end))) : from;
    }

    /** The start as shown: moved when it is in a gap; the first day of an all-day event is as it was asked for. */
    public LocalDateTime shownStart() {
        return allDay ? start : LocalDateTime.ofInstant(startAt(), zone);
    }

    /** The end as shown, the last day of an all-day event. */
    public LocalDateTime shownEnd() {
        return allDay ? end : LocalDateTime.ofInstant(endAt(), zone);
    }

    /** Milliseconds between the instants, or days of an all-day event. */
    public long durationValue() {
        return allDay
                ? ChronoUnit.DAYS.between(start, end) + 1
                : Duration.between(startAt(), endAt()).toMillis();
    }

    /** The same length from another nominal start, as the mode keeps it. */
    public EventTime at(LocalDateTime newStart) {
        if (allDay || mode == DurationMode.NOMINAL) {
            return new EventTime(allDay, newStart, newStart.plus(Duration.between(start, end)), zone, mode);
        }
        return until(instant(newStart, zone).plus(Duration.between(startAt(), endAt())), newStart, zone, mode);
    }

    /**
     * The nominal starts by which a series of this time has a date that a calendar names by the start of another time,
     * of whatever zone or kind: in a gap there are two. A day names the date of a series with times that is at the
     * series' own time of day. A time names the day of an all-day series: at midnight of the series' zone that day,
     * else the one as it was written.
     */
    public List<LocalDateTime> starts(EventTime named) {
        if (allDay) {
            LocalDateTime localStart = LocalDateTime.ofInstant(named.startAt(), zone);
            boolean isMidnight = localStart.toLocalTime().equals(LocalTime.MIDNIGHT);
            return List.of((isMidnight && !named.allDay ? localStart : named.start).with(LocalTime.MIDNIGHT));
        }
        if (named.allDay) {
            return List.of(named.start.with(start.toLocalTime()));
        }
        if (named.zone.equals(zone)) {
            return List.of(named.start);
        }
        Instant at = named.startAt();
        LocalDateTime wall = LocalDateTime.ofInstant(at, zone);
        ZoneOffsetTransition last = zone.getRules().previousTransition(at.plusNanos(1));
        LocalDateTime inGap = last != null && last.isGap() ? wall.minus(last.getDuration()) : wall;
        return inGap.equals(wall) || !instant(inGap, zone).equals(at) ? List.of(wall) : List.of(wall, inGap);
    }

    /**
     * The first nominal start from which an event of this length may still run at an instant.
     *
     * @param wall the first wall time that stands for the instant or a later one
     */
    LocalDateTime earliestRunning(Instant at, LocalDateTime wall) {
        return mode == DurationMode.EXACT && !allDay
                ? earliestWall(at.minus(Duration.between(startAt(), endAt())), zone)
                : wall.minus(Duration.between(start, end)).minusDays(allDay ? 1 : 0);
    }

    /** The instant of a wall time: in a gap later by its length, in an overlap the earlier one. */
    static Instant instant(LocalDateTime wall, ZoneId zone) {
        return ZonedDateTime.ofLocal(wall, zone, null).toInstant();
    }

    /** The first instant that this wall time or a later one stands for: in a gap, that of the gap. */
    static Instant earliest(LocalDateTime wall, ZoneId zone) {
        ZoneOffsetTransition transition = zone.getRules().getTransition(wall);
        return transition != null && transition.isGap() ? transition.getInstant() : instant(wall, zone);
    }

    /** The first wall time that stands for this instant or a later one. */
    static LocalDateTime earliestWall(Instant at, ZoneId zone) {
        LocalDateTime wall = LocalDateTime.ofInstant(at, zone);
        ZoneOffsetTransition last = zone.getRules().previousTransition(at.plusNanos(1));
        // Wall times in the gap are instants after it.
        boolean followsGap =
                last != null && last.isGap() && at.isBefore(last.getInstant().plus(last.getDuration()));
        return followsGap ? last.getDateTimeBefore() : wall;
    }

    /** The last wall time that stands for this instant or an earlier one. */
    static LocalDateTime latestWall(Instant at, ZoneId zone) {
        LocalDateTime wall = LocalDateTime.ofInstant(at, zone);
        ZoneOffsetTransition last = zone.getRules().previousTransition(at.plusNanos(1));
        // Wall times that come twice are the earlier instants.
        boolean isSecondTime = last != null && last.isOverlap() && wall.isBefore(last.getDateTimeBefore());
        return isSecondTime ? last.getDateTimeBefore() : wall;
    }

    /** A day that does not exist at all has its first moment in common with the next. */
    private static Instant firstMoment(LocalDateTime day, ZoneId zone) {
        return day.toLocalDate().atStartOfDay(zone).toInstant();
    }

    private Instant endInstant() {
        ZonedDateTime first = ZonedDateTime.ofLocal(end.truncatedTo(ChronoUnit.SECONDS), zone, null);
        return (end.get(ChronoField.NANO_OF_SECOND) == SECOND_TIME ? first.withLaterOffsetAtOverlap() : first)
                .toInstant();
    }

    private static Instant latest(Instant first, Instant second) {
        return first.isAfter(second) ? first : second;
    }
}
