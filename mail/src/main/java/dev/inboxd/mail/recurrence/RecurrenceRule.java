package dev.inboxd.mail.recurrence;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A recurrence rule (RFC 5545 §3.3.10), checked and in its normal form: FREQ first and the other parts as they were
 * ordered, in upper case, each list sorted and without repeats, its values from the end last.
 */
public final class RecurrenceRule {
    /** The most characters of a normal form. */
    static final int MAX_LENGTH = 512;

    private final Map<RulePart, String> texts;
    private final Map<RulePart, List<Integer>> numbers;
    private final List<OrdinalDay> days;
    private final Frequency frequency;
    private final DayOfWeek weekStart;
    private final boolean allDay;
    private final @Nullable UntilTime until;

    /** The rule that a reader has read. */
    RecurrenceRule(RuleReader reader) {
        this.texts = new LinkedHashMap<>(reader.texts());
        this.numbers = new EnumMap<>(reader.numbers());
        this.days = List.copyOf(reader.days());
        this.frequency = reader.frequency();
        this.weekStart = reader.weekStart();
        this.allDay = reader.isAllDay();
        this.until = reader.until();
    }

    private RecurrenceRule(RecurrenceRule rule, UntilTime until, String text) {
        this.texts = new LinkedHashMap<>(rule.texts);
        this.numbers = new EnumMap<>(rule.numbers);
        this.days = rule.days;
        this.frequency = rule.frequency;
        this.weekStart = rule.weekStart;
        this.allDay = rule.allDay;
        this.until = until;
        texts.remove(RulePart.COUNT);
        numbers.remove(RulePart.COUNT);
        texts.put(RulePart.UNTIL, text);
    }

    /**
     * Reads a rule.
     *
     * @param text the rule without its name, in any case, such as {@code FREQ=WEEKLY;BYDAY=MO}
     * @param allDay whether the event is; then UNTIL is a date, and BYHOUR, BYMINUTE and BYSECOND are refused
     * @param lenient as mail brings rules: what an all-day event cannot use is ignored instead of refused, and UNTIL
     *     may be a local time, or a time where a date belongs and the other way round
     * @throws RuleSyntaxException for anything else than what the calendar takes
     */
    public static RecurrenceRule parse(String text, boolean allDay, boolean lenient) throws RuleSyntaxException {
        return new RuleReader(allDay, lenient).read(text);
    }

    /**
     * Reads a rule that came by mail: leniently, without regard to blanks, and with UNTIL in the form that the calendar
     * itself takes, in UTC, or a date of an all-day event. An UNTIL on the wall is meant in the zone of the start. One
     * in UTC that is midnight in the zone of an all-day event is meant as the day that begins then.
     *
     * @param text the rule without its name
     * @param first the time of the event
     * @throws RuleSyntaxException for anything else than what the calendar takes
     */
    public static RecurrenceRule parseMailed(String text, EventTime first) throws RuleSyntaxException {
        return new RuleReader(first).read(withoutBlanks(text));
    }

    private static String withoutBlanks(String text) {
        StringBuilder plain = new StringBuilder();
        text.chars().filter(c -> c != ' ' && c != '\t').forEach(c -> plain.append((char) c));
        return plain.toString();
    }

    /** Whether it may make several dates on one day. */
    public boolean repeatsWithinDay() {
        return frequency.isWithinDay() || RulePart.OF_CLOCK.stream().anyMatch(this::has);
    }

    /** The normal form, without {@code RRULE:}; at most 512 characters. */
    public String text() {
        StringJoiner parts = new StringJoiner(";");
        texts.forEach((part, value) -> parts.add(part + "=" + value));
        return parts.toString();
    }

    /**
     * The rule that ends before this nominal start, as UNTIL in UTC or, all-day, as a date; COUNT goes. A rule that
     * ends earlier by its own UNTIL stays as it is.
     */
    public RecurrenceRule endingBefore(LocalDateTime start, ZoneId zone) {
        if (until != null && !until.includes(start, zone)) {
            return this;
        }
        if (allDay) {
            LocalDateTime day = start.truncatedTo(ChronoUnit.DAYS).minusSeconds(1);
            return new RecurrenceRule(this, new UntilTime(day, false), Slot.DATE.format(day));
        }
        LocalDateTime second = LocalDateTime.ofInstant(EventTime.instant(start, zone), ZoneOffset.UTC)
                .minusSeconds(1);
        return new RecurrenceRule(this, new UntilTime(second, true), Slot.DATE_TIME.format(second) + "Z");
    }

    /** Whether it ever ends by itself. */
    public boolean isFinite() {
        return until != null || count() > 0;
    }

    Frequency frequency() {
        return frequency;
    }

    int interval() {
        return first(RulePart.INTERVAL, 1);
    }

    /** How many dates it makes, or 0 for no such limit. */
    int count() {
        return first(RulePart.COUNT, 0);
    }

    @Nullable
    UntilTime until() {
        return until;
    }

    DayOfWeek weekStart() {
        return weekStart;
    }

    boolean has(RulePart part) {
        return texts.containsKey(part);
    }

    /** The numbers of a part, none when it is not there; those of BYDAY are {@link #days}. */
    List<Integer> numbers(RulePart part) {
        return numbers.getOrDefault(part, List.of());
    }

    /** The values of BYDAY. */
    List<OrdinalDay> days() {
        return days;
    }

    private int first(RulePart part, int otherwise) {
        List<Integer> values = numbers(part);
        return values.isEmpty() ? otherwise : values.getFirst();
    }

    /** By the normal form. */
    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof RecurrenceRule rule && rule.text().equals(text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    /** As {@link #text}. */
    @Override
    public String toString() {
        return text();
    }
}
