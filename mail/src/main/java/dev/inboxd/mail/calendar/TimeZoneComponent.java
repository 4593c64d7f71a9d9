package dev.inboxd.mail.calendar;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneOffsetTransitionRule;
import java.time.zone.ZoneRules;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A VTIMEZONE (RFC 5545 §3.6.5): what the clocks of a zone do in the time of an event. Programs that know the zone by
 * its name do not need it; the others agree with us by it.
 */
final class TimeZoneComponent {
    static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss", Locale.ROOT);
    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);
    /** Changes that are listed one by one: more than any zone had until now. */
    private static final int MOST_CHANGES = 400;

    private static final int WEEK = 7;
    /** A little more than a year, in which summer time comes and goes. */
    private static final Duration A_YEAR = Duration.ofDays(400);

    private TimeZoneComponent() {}

    /**
     * Adds the component: always with a STANDARD, and with a DAYLIGHT where the zone has summer time, as readers expect
     * one of each; each as one yearly rule where rules tell it.
     *
     * @param from the first instant that readers compute with
     * @param until the last one, or null when there is none; a change at it is told
     */
    static void add(ContentLines lines, ZoneId zone, Instant from, @Nullable Instant until) {
        ZoneRules rules = zone.getRules();
        lines.add("BEGIN:VTIMEZONE").add("TZID", zone.getId());
        boolean isTold = areTold(rules);
        if (isTold && areRuled(rules, from)) {
            rules.getTransitionRules().forEach(rule -> yearly(lines, zone, rule, lastYear(rule, from)));
        } else {
            before(lines, zone, from);
            int ruled = firstRuledYear(rules, from);
            boolean isLong = isTold && (until == null || !until.isBefore(newYear(ruled)));
            list(lines, zone, from, isLong ? newYear(ruled).minusSeconds(1) : until);
            if (isLong) {
                rules.getTransitionRules().forEach(rule -> yearly(lines, zone, rule, ruled));
            }
        }
        lines.add("END:VTIMEZONE");
    }

    /** The changes behind which an instant lies: those of the year before it, and back to one to standard time. */
    private static void before(ContentLines lines, ZoneId zone, Instant from) {
        ZoneRules rules = zone.getRules();
        Instant year = from.minus(A_YEAR);
        Deque<ZoneOffsetTransition> changes = new ArrayDeque<>();
        ZoneOffsetTransition change = rules.previousTransition(from.plusNanos(1));
        boolean hasStandard = false;
        while (change != null && changes.size() < MOST_CHANGES) {
            boolean isOfYear = change.getInstant().isAfter(year);
            if (!changes.isEmpty() && hasStandard && !isOfYear) {
                break;
            }
            changes.addFirst(change);
            hasStandard |= !rules.isDaylightSavings(change.getInstant());
            change = rules.previousTransition(change.getInstant());
        }
        if (!hasStandard) {
            LocalDateTime begin = LocalDateTime.ofInstant(year, ZoneOffset.UTC);
            ZoneOffset offset = changes.isEmpty()
                    ? rules.getOffset(from)
                    : changes.getFirst().getOffsetBefore();
            observance(
                    lines,
                    begin.isBefore(EPOCH) ? begin : EPOCH,
                    new Change(offset, offset, false, name(zone, false)),
                    null);
        }
        changes.forEach(transition -> observance(lines, zone, transition));
    }

    /** The first year from which on rules alone tell the changes. */
    private static int firstRuledYear(ZoneRules rules, Instant from) {
        List<ZoneOffsetTransition> transitions = rules.getTransitions();
        int year = from.atOffset(ZoneOffset.UTC).getYear();
        return transitions.isEmpty()
                ? year
                : Math.max(transitions.getLast().getDateTimeBefore().getYear(), year) + 1;
    }

    /** Whether each rule made a change before an instant. */
    private static boolean areRuled(ZoneRules rules, Instant from) {
        List<ZoneOffsetTransition> transitions = rules.getTransitions();
        int lastKnown = transitions.isEmpty()
                ? Integer.MIN_VALUE
                : transitions.getLast().getDateTimeBefore().getYear();
        return rules.getTransitionRules().stream().allMatch(rule -> lastYear(rule, from) > lastKnown);
    }

    /** The year of the last change of a rule that is not behind an instant. */
    private static int lastYear(ZoneOffsetTransitionRule rule, Instant from) {
        int year = from.atOffset(ZoneOffset.UTC).getYear();
        return rule.createTransition(year).getInstant().isAfter(from) ? year - 1 : year;
    }

    private static Instant newYear(int year) {
        return LocalDateTime.of(year, 1, 1, 0, 0).toInstant(ZoneOffset.UTC);
    }

    private static void yearly(ContentLines lines, ZoneId zone, ZoneOffsetTransitionRule rule, int year) {
        ZoneOffsetTransition change = rule.createTransition(year);
        observance(lines, change.getDateTimeBefore(), change(zone, change), days(rule));
    }

    /** Whether rules tell all changes of the future, each as iCalendar can say it. */
    private static boolean areTold(ZoneRules rules) {
        return !rules.getTransitionRules().isEmpty()
                && rules.getTransitionRules().stream().allMatch(rule -> days(rule) != null);
    }

    private static void list(ContentLines lines, ZoneId zone, Instant from, @Nullable Instant until) {
        ZoneRules rules = zone.getRules();
        ZoneOffsetTransition next = rules.nextTransition(from);
        for (int i = 0;
                i < MOST_CHANGES
                        && next != null
                        && (until == null || !next.getInstant().isAfter(until));
                i++) {
            observance(lines, zone, next);
            next = rules.nextTransition(next.getInstant());
        }
    }

    private record Change(ZoneOffset from, ZoneOffset to, boolean daylight, String name) {}

    private static Change change(ZoneId zone, ZoneOffsetTransition transition) {
        boolean isDaylight = zone.getRules().isDaylightSavings(transition.getInstant());
        return new Change(
                transition.getOffsetBefore(), transition.getOffsetAfter(), isDaylight, name(zone, isDaylight));
    }

    /** What people call this time, such as EDT; today's name for changes of any year. */
    private static String name(ZoneId zone, boolean daylight) {
        return TimeZone.getTimeZone(zone).getDisplayName(daylight, TimeZone.SHORT, Locale.ENGLISH);
    }

    private static void observance(ContentLines lines, ZoneId zone, ZoneOffsetTransition transition) {
        observance(lines, transition.getDateTimeBefore(), change(zone, transition), null);
    }

    private static void observance(ContentLines lines, LocalDateTime start, Change change, @Nullable String yearly) {
        String name = change.daylight ? "DAYLIGHT" : "STANDARD";
        lines.add("BEGIN:" + name).add("DTSTART:" + LOCAL.format(start));
        if (yearly != null) {
            lines.add("RRULE:FREQ=YEARLY;" + yearly);
        }
        lines.add("TZOFFSETFROM:" + offset(change.from))
                .add("TZOFFSETTO:" + offset(change.to))
                .add("TZNAME", change.name)
                .add("END:" + name);
    }

    private static String offset(ZoneOffset offset) {
        int seconds = Math.abs(offset.getTotalSeconds());
        String text = String.format(
                Locale.ROOT,
                "%s%02d%02d",
                offset.getTotalSeconds() < 0 ? "-" : "+",
                seconds / 3_600,
                seconds / 60 % 60);
        return seconds % 60 == 0 ? text : text + String.format(Locale.ROOT, "%02d", seconds % 60);
    }

    /**
     * The days of a yearly change on the wall before it; null when they may lie in two months. A change that is told in
     * another clock can be a day earlier or later on the wall.
     */
    private static @Nullable String days(ZoneOffsetTransitionRule rule) {
        LocalDateTime wall = rule.createTransition(2_023).getDateTimeBefore();
        int shift = wall.getDayOfMonth() - nominal(rule).getDayOfMonth();
        int day = rule.getDayOfMonthIndicator();
        if (wall.getMonth() != rule.getMonth() || Math.abs(shift) > 1) {
            return null;
        }
        String month = "BYMONTH=" + rule.getMonth().getValue();
        if (rule.getDayOfWeek() == null) {
            return day < 0 ? null : month + ";BYMONTHDAY=" + (day + shift);
        }
        int last = rule.getMonth().minLength();
        int first = day < 0 ? last + day + 1 - WEEK + 1 + shift : day + shift;
        boolean isWithin = first > 0 && first + WEEK - 1 <= last && (day > 0 || rule.getMonth() != Month.FEBRUARY);
        return isWithin ? month + days(first, last) + word(wall.getDayOfWeek()) : null;
    }

    /** Which of the weekdays that follow is meant: the one within seven days from the first on. */
    private static String days(int first, int last) {
        if (first + WEEK - 1 == last && last > 28) {
            return ";BYDAY=-1";
        }
        if ((first - 1) % WEEK == 0) {
            return ";BYDAY=" + ((first - 1) / WEEK + 1);
        }
        return IntStream.range(first, first + WEEK)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(",", ";BYMONTHDAY=", ";BYDAY="));
    }

    /** The day that the rule itself names, in the year by which its form is found. */
    private static LocalDateTime nominal(ZoneOffsetTransitionRule rule) {
        ZoneOffsetTransitionRule plain = ZoneOffsetTransitionRule.of(
                rule.getMonth(),
                rule.getDayOfMonthIndicator(),
                rule.getDayOfWeek(),
                LocalTime.NOON,
                false,
                ZoneOffsetTransitionRule.TimeDefinition.WALL,
                rule.getStandardOffset(),
                rule.getOffsetBefore(),
                rule.getOffsetAfter());
        return plain.createTransition(2_023).getDateTimeBefore();
    }

    private static String word(DayOfWeek day) {
        return day.name().substring(0, 2);
    }
}
