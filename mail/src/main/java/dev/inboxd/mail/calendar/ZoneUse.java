package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;

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
    /** Times of one zone; a calendar with more is refused. */
    private static final int MOST_TIMES = 5_000;

    private static final List<String> TIMES = List.of("DTSTART", "DTEND", "RECURRENCE-ID", "RDATE");
    /** Of a zone in which no time can be read: it is refused when it is. */
    private static final LocalDateTime ANY = LocalDateTime.of(2000, 1, 1, 0, 0);

    /** Finds it in the events. The dates of one rule are walked through, those of the first series. */
    static ZoneUse of(List<Component> events, String zone) throws CalendarSyntaxException {
        Component first = events.stream().filter(ZoneUse::hasRule).findFirst().orElse(null);
        ZoneUse all = null;
        int left = MOST_TIMES;
        for (Component event : events) {
            for (String name : TIMES) {
                for (ContentLine line : event.all(name)) {
                    if (!zone.equals(line.parameters().getOrDefault("TZID", "").strip())) {
                        continue;
                    }
                    String[] values = line.value().split(",", left + 1);
                    left -= values.length;
                    check(left >= 0, "A calendar has too many times");
                    ZoneUse use = of(
                            event,
                            values,
                            line,
                            event == first && event.all(name).size() == 1);
                    all = use == null || all == null ? (use == null ? all : use) : all.with(use);
                }
            }
        }
        if (all == null) {
            return new ZoneUse(ANY, ANY, false);
        }
        LocalDateTime most = all.from.plusYears(MOST_YEARS);
        return all.until.isAfter(most) ? new ZoneUse(all.from, most, all.series) : all;
    }

    private static boolean hasRule(Component event) {
        return event.first("RRULE") != null && event.first("RECURRENCE-ID") == null;
    }

    private static @Nullable ZoneUse of(Component event, String[] values, ContentLine line, boolean isFirst) {
        boolean isRule = line.name().equals("DTSTART") && hasRule(event);
        ZoneUse all = null;
        for (String value : values) {
            LocalDateTime at = wall(value);
            if (at != null) {
                LocalDateTime until =
                        !isRule ? at : isFirst && all == null ? last(event, at) : at.plusYears(MOST_YEARS);
                ZoneUse use = new ZoneUse(at, until, isRule || line.name().equals("RDATE"));
                all = all == null ? use : all.with(use);
            }
        }
        return all;
    }

    private ZoneUse with(ZoneUse use) {
        return new ZoneUse(
                from.isBefore(use.from) ? from : use.from,
                until.isAfter(use.until) ? until : use.until,
                series || use.series);
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
            RecurrenceRule recurrenceRule = RecurrenceRule.parseMailed(rule == null ? "" : rule.value(), time);
            return !recurrenceRule.isFinite()
                    ? most
                    : new Recurrence(time, recurrenceRule, Set.of(), List.of(), null)
                            .last()
                            .map(date -> date.time().start().plusDays(1))
                            .orElse(most);
        } catch (RuleSyntaxException refused) {
            return most;
        }
    }
}
