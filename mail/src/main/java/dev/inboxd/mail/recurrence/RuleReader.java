package dev.inboxd.mail.recurrence;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads the text of one rule (RFC 5545 §3.3.10) and refuses what the calendar does not take, in the user's words. */
final class RuleReader {
    /** Repeats and zeros may make a rule longer than its normal form, but not without end. */
    private static final int MAX_INPUT = 4096;

    private static final int MAX_DIGITS = 5;
    private static final String PREFIX = "RRULE:";
    private static final Comparator<Integer> FROM_END_LAST = Comparator.comparingInt(RuleReader::rank);

    private final boolean allDay;
    private final boolean lenient;
    private final @Nullable EventTime mailed;

    private final Map<RulePart, String> texts = new LinkedHashMap<>();
    private final Map<RulePart, List<Integer>> numbers = new EnumMap<>(RulePart.class);
    private final List<OrdinalDay> days = new ArrayList<>();
    private Frequency frequency = Frequency.DAILY;
    private DayOfWeek weekStart = DayOfWeek.MONDAY;
    private @Nullable UntilTime until;

    /** A reader of one rule, as {@link RecurrenceRule#parse} says. */
    RuleReader(boolean allDay, boolean lenient) {
        this.allDay = allDay;
        this.lenient = lenient;
        this.mailed = null;
    }

    /** A reader of one rule, as {@link RecurrenceRule#parseMailed} says. */
    RuleReader(EventTime mailed) {
        this.allDay = mailed.allDay();
        this.lenient = true;
        this.mailed = mailed;
    }

    RecurrenceRule read(String text) throws RuleSyntaxException {
        check(text.length() <= MAX_INPUT, tooLong());
        check(text.chars().allMatch(c -> c > ' ' && c <= '~'), "A rule has no blanks and only ASCII characters");
        String parts = text.toUpperCase(Locale.ROOT);
        // FREQ comes first in the normal form, wherever it was.
        texts.put(RulePart.FREQ, "");
        for (String part : split(parts.startsWith(PREFIX) ? parts.substring(PREFIX.length()) : parts, ';')) {
            if (!part.isEmpty()) {
                part(part);
            }
        }
        check(
                !texts.getOrDefault(RulePart.FREQ, "").isEmpty(),
                "FREQ is missing; begin the rule with one, such as FREQ=WEEKLY");
        if (allDay) {
            withoutClock();
        }
        RuleCombinations.check(this);
        RecurrenceRule rule = new RecurrenceRule(this);
        check(rule.text().length() <= RecurrenceRule.MAX_LENGTH, tooLong());
        return rule;
    }

    private void part(String part) throws RuleSyntaxException {
        int equals = part.indexOf('=');
        check(
                equals > 0,
                "\"%s\" is no part of a rule; write NAME=VALUE, with ; between the parts".formatted(brief(part)));
        String name = part.substring(0, equals);
        String value = part.substring(equals + 1);
        if (isPlain(name, value)) {
            return;
        }
        RulePart rulePart = named(name);
        check(!value.isEmpty(), "%s has no value; give one or leave it out".formatted(name));
        check(!has(rulePart) || rulePart == RulePart.FREQ, "%s is there twice; keep one".formatted(name));
        String normal = switch (rulePart) {
            case FREQ -> frequency(value);
            case UNTIL -> until(value);
            case WKST -> weekStart(value);
            case BYDAY -> days(value);
            case INTERVAL, COUNT -> {
                check(value.indexOf(',') < 0, "%s takes one number".formatted(name));
                yield numbers(rulePart, value);
            }
            default -> numbers(rulePart, value);
        };
        texts.put(rulePart, normal);
    }

    /** Whether a part says what holds without it (RFC 7529): Gregorian, and dates that are none are left out. */
    private static boolean isPlain(String name, String value) {
        return (name.equals("RSCALE") && value.equals("GREGORIAN")) || (name.equals("SKIP") && value.equals("OMIT"));
    }

    private static RulePart named(String name) throws RuleSyntaxException {
        for (RulePart part : RulePart.values()) {
            if (part.name().equals(name)) {
                return part;
            }
        }
        throw new RuleSyntaxException(
                "The rule has a part \"%s\" that is not known; leave it out".formatted(brief(name)));
    }

    private String frequency(String value) throws RuleSyntaxException {
        check(texts.getOrDefault(RulePart.FREQ, "").isEmpty(), "FREQ is there twice; keep one");
        for (Frequency unit : Frequency.values()) {
            if (unit.name().equals(value)) {
                frequency = unit;
                return value;
            }
        }
        throw new RuleSyntaxException(
                "FREQ is one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY, not \"%s\""
                        .formatted(brief(value)));
    }

    private String until(String value) throws RuleSyntaxException {
        LocalDateTime date = Slot.time(value + "T000000");
        boolean isUtc = value.endsWith("Z");
        LocalDateTime time = date != null ? date : Slot.time(isUtc ? value.substring(0, value.length() - 1) : value);
        boolean fits = allDay ? date != null : date == null && isUtc;
        if (time == null || (!fits && !lenient)) {
            throw new RuleSyntaxException(
                    allDay
                            ? "UNTIL of an all-day event is a date, such as 20271231"
                            : "UNTIL of a timed event is a time in UTC, such as 20271231T170000Z");
        }
        if (mailed != null) {
            check(time.getYear() >= Slot.FIRST_YEAR, "UNTIL is before " + Slot.FIRST_YEAR);
            UntilTime last = UntilTime.mailed(mailed, time, date != null, isUtc);
            until = last;
            return allDay ? Slot.DATE.format(last.at()) : Slot.DATE_TIME.format(last.at()) + "Z";
        }
        if (allDay || date != null) {
            LocalDateTime day = time.toLocalDate().atTime(UntilTime.LAST_SECOND);
            until = new UntilTime(day, false);
            return allDay ? Slot.DATE.format(day) : Slot.DATE_TIME.format(day);
        }
        until = new UntilTime(time, isUtc);
        return value;
    }

    private String weekStart(String value) throws RuleSyntaxException {
        weekStart = weekday(value, RulePart.WKST);
        return value;
    }

    private String days(String value) throws RuleSyntaxException {
        for (String item : split(value, ',')) {
            int letters = Math.max(0, item.length() - 2);
            DayOfWeek day = weekday(item.substring(letters), RulePart.BYDAY);
            days.add(new OrdinalDay(letters == 0 ? 0 : number(RulePart.BYDAY, item.substring(0, letters)), day));
        }
        List<OrdinalDay> sorted =
                days.stream().distinct().sorted(OrdinalDay.ORDER).toList();
        days.clear();
        days.addAll(sorted);
        return joined(sorted);
    }

    private static DayOfWeek weekday(String value, RulePart part) throws RuleSyntaxException {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (OrdinalDay.word(day).equals(value)) {
                return day;
            }
        }
        throw new RuleSyntaxException(
                "%s takes the days MO, TU, WE, TH, FR, SA, SU, not \"%s\"".formatted(part, brief(value)));
    }

    private String numbers(RulePart part, String value) throws RuleSyntaxException {
        List<Integer> values = new ArrayList<>();
        for (String item : split(value, ',')) {
            int number = number(part, item);
            // RFC 5545 §3.3.12: who has no leap seconds reads the 60th as the 59th.
            values.add(part == RulePart.BYSECOND ? Math.min(number, 59) : number);
        }
        List<Integer> sorted = values.stream().distinct().sorted(FROM_END_LAST).toList();
        numbers.put(part, sorted);
        return joined(sorted);
    }

    private static int number(RulePart part, String text) throws RuleSyntaxException {
        boolean signed = text.startsWith("-") || text.startsWith("+");
        String digits = signed ? text.substring(1) : text;
        check(
                !digits.isEmpty()
                        && digits.length() <= MAX_DIGITS
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                        && part.takes(Integer.parseInt(text)),
                "%s takes whole numbers, %s, not \"%s\"".formatted(part, part.range(), brief(text)));
        return Integer.parseInt(text);
    }

    /** Nothing of an all-day event has a time on the clock; what mail says of one is ignored. */
    private void withoutClock() throws RuleSyntaxException {
        check(
                !frequency.isWithinDay(),
                "An all-day event repeats DAILY, WEEKLY, MONTHLY or YEARLY; give it a time for %s"
                        .formatted(frequency));
        for (RulePart part : RulePart.OF_CLOCK) {
            check(
                    lenient || !has(part),
                    "%s needs a time; leave it out of the rule of an all-day event".formatted(part));
            drop(part);
        }
        if (lenient && has(RulePart.BYSETPOS) && !RuleCombinations.hasSet(this)) {
            drop(RulePart.BYSETPOS);
        }
    }

    private void drop(RulePart part) {
        texts.remove(part);
        numbers.remove(part);
    }

    static void check(boolean fine, String message) throws RuleSyntaxException {
        if (!fine) {
            throw new RuleSyntaxException(message);
        }
    }

    /** Where a number stands in the normal form: those from the end last, each from the first date to the last. */
    static int rank(int number) {
        return number < 0 ? number + 100_000 : number;
    }

    private static String tooLong() {
        return "A rule has at most %d characters; use fewer values".formatted(RecurrenceRule.MAX_LENGTH);
    }

    private static List<String> split(String text, char separator) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
            pieces.add(text.substring(from, at));
            from = at + 1;
        }
        pieces.add(text.substring(from));
        return pieces;
    }

    private static String joined(List<?> values) {
        StringJoiner joiner = new StringJoiner(",");
        values.forEach(value -> joiner.add(value.toString()));
        return joiner.toString();
    }

    private static String brief(String text) {
        return text.length() <= 20 ? text : text.substring(0, 20) + "…";
    }

    boolean has(RulePart part) {
        return texts.containsKey(part);
    }

    boolean isAllDay() {
        return allDay;
    }

    Map<RulePart, String> texts() {
        return texts;
    }

    Map<RulePart, List<Integer>> numbers() {
        return numbers;
    }

    List<OrdinalDay> days() {
        return days;
    }

    Frequency frequency() {
        return frequency;
    }

    DayOfWeek weekStart() {
        return weekStart;
    }

    @Nullable
    UntilTime until() {
        return until;
    }
}
