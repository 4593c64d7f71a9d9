package dev.inboxd.mail.calendar;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * For what time the events of a calendar use a zone: from the first start to the last date, ten years at most.
 *
 * @param from the first wall time
 * @param until the last wall time
 * @param series whether a series has its dates in the zone
 */
record ZoneUse(LocalDateTime from, LocalDateTime until, boolean series) {
    private static final int MOST_YEARS = 10;
    private static final List<String> TIMES = List.of("DTSTART", "DTEND", "RECURRENCE-ID", "RDATE");
    /** Of a zone in which no time can be read: it is refused when it is. */
    private static final LocalDateTime ANY = LocalDateTime.of(2000, 1, 1, 0, 0);

    /** Finds it in the events. */
    static ZoneUse of(List<Component> events, String zone) {
        ZoneUse all = null;
        for (Component event : events) {
            for (String name : TIMES) {
                for (ContentLine line : event.all(name)) {
                    ZoneUse one = of(event, line, zone);
                    all = one == null || all == null ? (one == null ? all : one) : all.with(one);
                }
            }
        }
        if (all == null) {
            return new ZoneUse(ANY, ANY, false);
        }
        LocalDateTime most = all.from.plusYears(MOST_YEARS);
        return all.until.isAfter(most) ? new ZoneUse(all.from, most, all.series) : all;
    }

    private static @Nullable ZoneUse of(Component event, ContentLine line, String zone) {
        if (!zone.equals(line.parameters().getOrDefault("TZID", "").strip())) {
            return null;
        }
        ZoneUse all = null;
        for (String value : line.value().split(",", -1)) {
            LocalDateTime at = wall(value);
            if (at != null) {
                boolean isRule = line.name().equals("DTSTART")
                        && event.first("RRULE") != null
                        && event.first("RECURRENCE-ID") == null;
                ZoneUse one = new ZoneUse(
                        at, isRule ? last(event, at) : at, isRule || line.name().equals("RDATE"));
                all = all == null ? one : all.with(one);
            }
        }
        return all;
    }

    private ZoneUse with(ZoneUse other) {
        return new ZoneUse(
                from.isBefore(other.from) ? from : other.from,
                until.isAfter(other.until) ? until : other.until,
                series || other.series);
    }

    /** The time of a value, or the beginning of a period; null for anything else. */
    private static @Nullable LocalDateTime wall(String value) {
        int slash = value.indexOf('/');
        try {
            return WallValue.bounded(WallValue.wall(
                    value.substring(0, slash < 0 ? value.length() : slash).strip()));
        } catch (CalendarSyntaxException none) {
            return null;
        }
    }

    /** The last date that the rule makes, or the last that is asked for. */
    private static LocalDateTime last(Component event, LocalDateTime start) {
        LocalDateTime most = start.plusYears(MOST_YEARS);
        ContentLine rule = event.first("RRULE");
        try {
            EventTime time = new EventTime(false, start, start, ZoneOffset.UTC, DurationMode.EXACT);
            RecurrenceRule made = RecurrenceRule.parseMailed(rule == null ? "" : rule.value(), time);
            return !made.isFinite()
                    ? most
                    : new Recurrence(time, made, Set.of(), List.of(), null)
                            .last()
                            .map(date -> date.time().start().plusDays(1))
                            .orElse(most);
        } catch (RuleSyntaxException refused) {
            return most;
        }
    }
}
