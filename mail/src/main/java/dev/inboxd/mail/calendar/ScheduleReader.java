package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;
import static dev.inboxd.mail.calendar.CalendarSyntaxException.checkSize;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When an event takes place, and which dates a series has (RFC 5545 §3.8.2, §3.8.5). */
final class ScheduleReader {
    private static final int MAX_DATES = 1_000;
    private static final LocalDateTime LAST = LocalDateTime.of(9999, 12, 31, 23, 59, 59);

    private final TimeValue times;

    ScheduleReader(TimeValue times) {
        this.times = times;
    }

    /** What the calendar takes of a series. */
    record Series(@Nullable RecurrenceRule rule, List<LocalDateTime> exdates, List<Recurrence.AddedDate> rdates) {}

    /** The time of an event that says when it begins. */
    EventTime time(Component event, ContentLine begin) throws CalendarSyntaxException {
        EventTime start = times.read(begin);
        ContentLine end = event.single("DTEND");
        ContentLine length = event.single("DURATION");
        if (end != null) {
            return until(start, times.read(end), modeOfEnd(event));
        }
        if (length != null) {
            return lasting(start, LengthValue.read(length.value()));
        }
        return start.allDay()
                ? start
                : new EventTime(false, start.start(), start.start(), start.zone(), modeOfEnd(event));
    }

    /** As others show it, and as a new event has it here: the dates of a series end at one time on the wall. */
    private static DurationMode modeOfEnd(Component event) {
        boolean isSeries =
                event.first("RECURRENCE-ID") == null && (event.first("RRULE") != null || event.first("RDATE") != null);
        return isSeries ? DurationMode.NOMINAL : DurationMode.EXACT;
    }

    /** @param mode of an end in the zone of the start; one in another zone is exact */
    private static EventTime until(EventTime start, EventTime end, DurationMode mode) throws CalendarSyntaxException {
        check(start.allDay() == end.allDay(), "Start and end are of two kinds");
        if (start.zone().equals(end.zone())) {
            check(!end.start().isBefore(start.start()), endsTooSoon());
            // The end of a day is the next; some programs write the day itself.
            boolean isNextDay = start.allDay() && end.start().isAfter(start.start());
            return new EventTime(
                    start.allDay(),
                    start.start(),
                    isNextDay ? end.start().minusDays(1) : end.start(),
                    start.zone(),
                    start.allDay() ? DurationMode.NOMINAL : mode);
        }
        check(!end.startAt().isBefore(start.startAt()), endsTooSoon());
        return exact(start, end.startAt());
    }

    private static String endsTooSoon() {
        return "An event ends before it begins";
    }

    private static EventTime exact(EventTime start, Instant end) throws CalendarSyntaxException {
        checkYear(end, start.zone());
        return EventTime.until(end, start.start(), start.zone(), DurationMode.EXACT);
    }

    /** RFC 5545 §3.8.5.3: days are nominal, and hours, minutes and seconds are exact. */
    private static EventTime lasting(EventTime start, LengthValue length) throws CalendarSyntaxException {
        if (start.allDay()) {
            LocalDateTime last = start.start().plusDays(Math.max(0, length.wholeDays() - 1));
            return new EventTime(true, start.start(), WallValue.bounded(last), start.zone(), DurationMode.NOMINAL);
        }
        LocalDateTime wall = WallValue.bounded(start.start().plusDays(length.days()));
        if (length.seconds() == 0) {
            return new EventTime(false, start.start(), wall, start.zone(), DurationMode.NOMINAL);
        }
        Instant from = WallValue.moment(false, wall, start.zone()).startAt();
        EventTime time = exact(start, from.plusSeconds(length.seconds()));
        return length.days() == 0
                ? time
                : new EventTime(false, time.start(), time.end(), time.zone(), DurationMode.NOMINAL);
    }

    /** The instants of the years of calendars have wall times in them. */
    private static void checkYear(Instant at, ZoneId zone) throws CalendarSyntaxException {
        check(!at.isAfter(LAST.toInstant(ZoneOffset.UTC)), "A date is not between the years 1900 and 9999");
        WallValue.bounded(LocalDateTime.ofInstant(at, zone));
    }

    /** The rule of a series and its own dates; nothing of an event without them. */
    Series series(Component event, EventTime time) throws CalendarSyntaxException {
        RecurrenceRule rule = rule(event, time);
        List<Recurrence.AddedDate> rdates = rdates(event, time);
        if (rule != null
                && new Recurrence(time, rule, Set.of(), rdates, null)
                        .named(time)
                        .isEmpty()) {
            // RFC 5545 §3.8.5.3: the start is the first date, also where the rule does not make it.
            rdates = Stream.concat(Stream.of(new Recurrence.AddedDate(time.start(), null)), rdates.stream())
                    .toList();
        }
        return new Series(rule, exdates(event, time, new Series(rule, List.of(), rdates)), rdates);
    }

    private static @Nullable RecurrenceRule rule(Component event, EventTime time) throws CalendarSyntaxException {
        ContentLine line = event.single("RRULE");
        if (line == null) {
            return null;
        }
        try {
            return RecurrenceRule.parseMailed(line.value(), time);
        } catch (RuleSyntaxException refused) {
            throw new CalendarSyntaxException("A rule is malformed or not supported");
        }
    }

    /** The values of all properties of a name, each with its property. */
    private List<Value> values(Component event, String name) throws CalendarSyntaxException {
        List<Value> values = new ArrayList<>();
        for (ContentLine line : event.all(name)) {
            String text = line.value();
            int from = 0;
            while (from <= text.length()) {
                int comma = text.indexOf(',', from);
                int to = comma < 0 ? text.length() : comma;
                String value = text.substring(from, to).strip();
                if (!value.isEmpty()) {
                    checkSize(values.size() < MAX_DATES, "A series has too many dates of its own");
                    values.add(new Value(line, value));
                }
                from = to + 1;
            }
        }
        return values;
    }

    private record Value(ContentLine line, String text) {}

    private List<Recurrence.AddedDate> rdates(Component event, EventTime first) throws CalendarSyntaxException {
        Map<LocalDateTime, Recurrence.AddedDate> dates = new LinkedHashMap<>();
        for (Value value : values(event, "RDATE")) {
            int slash = value.text.indexOf('/');
            String begin = slash < 0 ? value.text : value.text.substring(0, slash);
            EventTime start = times.read(value.line, begin);
            LocalDateTime nominal = WallValue.bounded(first.starts(start).getFirst());
            EventTime own = null;
            if (slash >= 0 && !first.allDay()) {
                String end = value.text.substring(slash + 1);
                EventTime nominalStart = WallValue.moment(false, nominal, first.zone());
                boolean isLength = end.startsWith("P") || end.startsWith("+P");
                own = isLength
                        ? lasting(nominalStart, LengthValue.read(end))
                        : until(nominalStart, moved(times.read(value.line, end), first), DurationMode.NOMINAL);
            }
            dates.putIfAbsent(nominal, new Recurrence.AddedDate(nominal, own));
        }
        return List.copyOf(dates.values());
    }

    /** A time of another zone in that of a series, where it has one name there. */
    private static EventTime moved(EventTime time, EventTime first) {
        LocalDateTime wall = first.starts(time).getFirst();
        EventTime seriesTime = WallValue.moment(false, wall, first.zone());
        return time.allDay() || seriesTime.startAt().equals(time.startAt()) ? seriesTime : time;
    }

    /**
     * The nominal starts that are taken out. A day takes out all dates of that day.
     *
     * @param series its rule and its further dates
     */
    private List<LocalDateTime> exdates(Component event, EventTime first, Series series)
            throws CalendarSyntaxException {
        Set<LocalDateTime> exdates = new LinkedHashSet<>();
        TreeSet<LocalDate> days = new TreeSet<>();
        for (Value value : values(event, "EXDATE")) {
            EventTime named = times.read(value.line, value.text);
            for (LocalDateTime start : first.starts(named)) {
                exdates.add(WallValue.bounded(start));
            }
            if (named.allDay() && !first.allDay()) {
                days.add(named.start().toLocalDate());
            }
        }
        for (Recurrence.AddedDate date : series.rdates) {
            if (days.contains(date.start().toLocalDate())) {
                exdates.add(date.start());
            }
        }
        if (series.rule != null && series.rule.repeatsWithinDay() && !days.isEmpty()) {
            Recurrence dates = new Recurrence(first, series.rule, Set.of(), List.of(), null);
            Iterator<Recurrence.Occurrence> all = dates.from(days.first().atStartOfDay());
            LocalDate day = days.first();
            while (all.hasNext() && !day.isAfter(days.last())) {
                LocalDateTime start = all.next().time().start();
                day = start.toLocalDate();
                if (days.contains(day)) {
                    exdates.add(start);
                }
                checkSize(exdates.size() <= MAX_DATES, "A series has too many dates of its own");
            }
        }
        return List.copyOf(exdates);
    }
}
