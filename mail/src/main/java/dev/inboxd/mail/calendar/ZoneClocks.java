package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a VTIMEZONE says of its clocks (RFC 5545 §3.6.5), for a zone that nobody knows by its name. What it takes to
 * read one is bounded by its observances and its changes.
 */
final class ZoneClocks {
    private static final int MAX_OBSERVANCES = 20;
    /** The first year whose changes are computed; programs write rules since 1601. */
    private static final int FIRST_YEAR = 1900;
    /** What a rule counts as beside its changes: it may be walked for long without making one. */
    private static final int A_RULE = 100;

    private static final Duration A_DAY = Duration.ofDays(1);

    private final NavigableMap<Instant, Change> changes = new TreeMap<>();
    private final Instant until;
    private int left;

    private record Change(ZoneOffset before, ZoneOffset after) {}

    private ZoneClocks(Instant until, int most) {
        this.until = until;
        this.left = most;
    }

    /**
     * Reads the clocks.
     *
     * @param observances the STANDARD and DAYLIGHT components, each property as a line that was not read yet
     * @param until a moment behind which nothing is asked
     * @param most how many changes are computed, a rule counting as a hundred more; with more the zone is refused
     */
    static ZoneClocks read(List<Component> observances, Instant until, int most) throws CalendarSyntaxException {
        check(!observances.isEmpty() && observances.size() <= MAX_OBSERVANCES, "A zone has no clocks, or too many");
        ZoneClocks zone = new ZoneClocks(until, most);
        for (Component observance : observances) {
            zone.add(observance);
        }
        return zone;
    }

    /** How many changes may still be computed. */
    int left() {
        return left;
    }

    private void add(Component observance) throws CalendarSyntaxException {
        Change change = new Change(offset(observance, "TZOFFSETFROM"), offset(observance, "TZOFFSETTO"));
        LocalDateTime start = start(WallValue.wall(value(observance, "DTSTART")));
        put(start, change);
        for (ContentLine line : observance.lines("RDATE")) {
            for (String rdate : line.value().split(",", -1)) {
                put(WallValue.wall(rdate.strip()), change);
            }
        }
        List<ContentLine> rules = observance.lines("RRULE");
        if (rules.isEmpty()) {
            return;
        }
        left -= A_RULE;
        check(left > 0, "A zone has too many rules");
        EventTime time = new EventTime(false, start, start, change.before, DurationMode.EXACT);
        Iterator<Recurrence.Occurrence> dates = dates(rules.getFirst().value(), time);
        while (dates.hasNext()) {
            LocalDateTime date = dates.next().time().start();
            if (date.toInstant(change.before).isAfter(until)) {
                return;
            }
            put(date, change);
        }
    }

    private static Iterator<Recurrence.Occurrence> dates(String rule, EventTime time) throws CalendarSyntaxException {
        try {
            String letters = rule.toUpperCase(Locale.ROOT);
            // Clocks change in some months. A rule of days or seconds may be walked for long without a date.
            check(letters.contains("FREQ=YEARLY") || letters.contains("FREQ=MONTHLY"), "A zone has a rule of days");
            RecurrenceRule yearly = RecurrenceRule.parseMailed(rule, time);
            return new Recurrence(time, yearly, Set.of(), List.of(), null).from(time.start());
        } catch (RuleSyntaxException malformed) {
            throw new CalendarSyntaxException("The rule of a zone is malformed");
        }
    }

    private void put(LocalDateTime wall, Change change) throws CalendarSyntaxException {
        check(left-- > 0, "A zone changes its clocks too often");
        changes.put(wall.toInstant(change.before), change);
    }

    private static LocalDateTime start(LocalDateTime wall) {
        return wall.getYear() < FIRST_YEAR ? wall.withYear(FIRST_YEAR) : wall;
    }

    private static String value(Component observance, String name) throws CalendarSyntaxException {
        List<ContentLine> lines = observance.lines(name);
        check(!lines.isEmpty(), "A zone does not say its clocks");
        return lines.getFirst().value().strip();
    }

    private static ZoneOffset offset(Component observance, String name) throws CalendarSyntaxException {
        String text = value(observance, name);
        boolean isPlain = (text.length() == 5 || text.length() == 7)
                && (text.charAt(0) == '+' || text.charAt(0) == '-')
                && text.substring(1).chars().allMatch(c -> c >= '0' && c <= '9');
        check(isPlain, "An offset of a zone is malformed");
        int number = Integer.parseInt(text.substring(1)) * (text.length() == 5 ? 100 : 1);
        int seconds = number / 10_000 * 3_600 + number / 100 % 100 * 60 + number % 100;
        check(seconds <= ZoneOffset.MAX.getTotalSeconds(), "An offset of a zone is malformed");
        return ZoneOffset.ofTotalSeconds(text.charAt(0) == '-' ? -seconds : seconds);
    }

    private ZoneOffset offset(Instant at) {
        Map.Entry<Instant, Change> last = changes.floorEntry(at);
        return last == null ? changes.firstEntry().getValue().before : last.getValue().after;
    }

    /** The instant of a wall time: the earlier of two, and later by the gap in one. */
    Instant instant(LocalDateTime wall) {
        Instant about = wall.toInstant(ZoneOffset.UTC);
        ZoneOffset before = offset(about.minus(A_DAY));
        ZoneOffset after = offset(about.plus(A_DAY));
        Instant first = wall.toInstant(before);
        Instant second = wall.toInstant(after);
        return offset(first).equals(before) || !offset(second).equals(after) ? first : second;
    }

    /** Whether other rules have the same offsets from one instant to another. */
    boolean agrees(ZoneRules rules, Instant from, Instant to) {
        ZoneOffset offset = offset(from);
        if (!rules.getOffset(from).equals(offset)) {
            return false;
        }
        ZoneOffsetTransition next = rules.nextTransition(from);
        for (Map.Entry<Instant, Change> change :
                changes.subMap(from, false, to, true).entrySet()) {
            ZoneOffset after = change.getValue().after;
            if (after.equals(offset)) {
                continue;
            }
            offset = after;
            if (next == null
                    || !next.getInstant().equals(change.getKey())
                    || !next.getOffsetAfter().equals(after)) {
                return false;
            }
            next = rules.nextTransition(next.getInstant());
        }
        return next == null || next.getInstant().isAfter(to);
    }
}
