package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The last moment at which a rule makes a date (RFC 5545 §3.3.10, UNTIL), inclusive.
 *
 * @param at a time in UTC, or on the wall; of a date its last second on the wall
 */
record UntilTime(LocalDateTime at, boolean utc) {
    static final LocalTime LAST_SECOND = LocalTime.of(23, 59, 59);

    /**
     * What mail means, in UTC, or by the day of an all-day event, as {@link RecurrenceRule#parseMailed} says.
     *
     * @param first the time of the event
     * @param time as it was written, in UTC or on the wall
     * @param isDate whether it was a date
     */
    static UntilTime mailed(EventTime first, LocalDateTime time, boolean isDate, boolean isUtc) {
        if (first.allDay()) {
            LocalDateTime localTime = LocalDateTime.ofInstant(time.toInstant(ZoneOffset.UTC), first.zone());
            boolean isMidnight = isUtc && localTime.toLocalTime().equals(LocalTime.MIDNIGHT);
            LocalDateTime day = (isMidnight && localTime.getYear() <= Slot.LAST_YEAR ? localTime : time);
            return new UntilTime(day.with(LAST_SECOND), false);
        }
        if (isUtc) {
            return new UntilTime(time, true);
        }
        LocalDateTime wall = isDate ? time.with(LAST_SECOND) : time;
        LocalDateTime last = LocalDateTime.ofInstant(EventTime.instant(wall, first.zone()), ZoneOffset.UTC);
        return new UntilTime(last.getYear() > Slot.LAST_YEAR ? wall : last, true);
    }

    /** Whether a date of that nominal start is not too late; in UTC its instant counts. */
    boolean includes(LocalDateTime start, ZoneId zone) {
        return utc ? !EventTime.instant(start, zone).isAfter(at.toInstant(ZoneOffset.UTC)) : !start.isAfter(at);
    }

    /** The last nominal start that can be included. */
    LocalDateTime latest(ZoneId zone) {
        return utc ? EventTime.latestWall(at.toInstant(ZoneOffset.UTC), zone) : at;
    }
}
