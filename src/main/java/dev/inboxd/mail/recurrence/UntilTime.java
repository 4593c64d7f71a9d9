package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The last moment at which a rule makes a date (RFC 5545 §3.3.10, UNTIL), inclusive.
 *
 * @param at a time in UTC, or on the wall; of a date its last second on the wall
 */
record UntilTime(LocalDateTime at, boolean utc) {
    /** Whether a date of that nominal start is not too late; in UTC its instant counts. */
    boolean includes(LocalDateTime start, ZoneId zone) {
        return utc ? !EventTime.instant(start, zone).isAfter(at.toInstant(ZoneOffset.UTC)) : !start.isAfter(at);
    }

    /** The last nominal start that can be included. */
    LocalDateTime latest(ZoneId zone) {
        return utc ? EventTime.latestWall(at.toInstant(ZoneOffset.UTC), zone) : at;
    }
}
