package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dates of a series whose nominal starts lie between two times, as a series of its own: another program that knows
 * nothing of what lies before it makes the same dates.
 *
 * @param first its first date, whether or not it is taken out
 * @param rule what makes its dates from the first on; null when only {@code rdates} do
 * @param exdates nominal starts that are taken out
 * @param rdates further dates
 */
public record RecurrenceSection(
        EventTime first, @Nullable RecurrenceRule rule, Set<LocalDateTime> exdates, List<Recurrence.AddedDate> rdates) {
    private static final LocalDateTime EARLIEST = LocalDateTime.of(Slot.FIRST_YEAR, 1, 1, 0, 0);

    public RecurrenceSection {
        exdates = Set.copyOf(exdates);
        rdates = List.copyOf(rdates);
    }

    /**
     * The section of a series; empty when neither its rule nor its rdates make a date in it.
     *
     * @param from the first nominal start in it, or null for no beginning
     * @param until the first nominal start behind it, or null for no end
     */
    public static Optional<RecurrenceSection> of(
            Recurrence series, @Nullable LocalDateTime from, @Nullable LocalDateTime until) {
        LocalDateTime begin = from == null ? EARLIEST : from;
        LocalDateTime end = end(series, until);
        Set<LocalDateTime> exdates = Set.copyOf(series.exdates().stream()
                .filter(date -> isWithin(date, begin, end))
                .toList());
        List<Recurrence.AddedDate> rdates = series.rdates().stream()
                .filter(date -> isWithin(date.start(), begin, end))
                .sorted(Comparator.comparing(Recurrence.AddedDate::start))
                .toList();
        LocalDateTime first = first(series, begin, end);
        if (first != null) {
            EventTime time = series.first().at(first);
            return Optional.of(new RecurrenceSection(time, rule(series, first, end), exdates, rdates));
        }
        if (rdates.isEmpty()) {
            return Optional.empty();
        }
        Recurrence.AddedDate only = rdates.getFirst();
        EventTime time = only.time() == null ? series.first().at(only.start()) : only.time();
        return Optional.of(new RecurrenceSection(time, null, exdates, rdates.subList(1, rdates.size())));
    }

    private static boolean isWithin(LocalDateTime date, LocalDateTime from, @Nullable LocalDateTime end) {
        return !date.isBefore(from) && (end == null || date.isBefore(end));
    }

    private static @Nullable LocalDateTime end(Recurrence series, @Nullable LocalDateTime until) {
        LocalDateTime truncated = series.truncateBefore();
        return until == null ? truncated : truncated == null ? until : Recurrence.earlier(until, truncated);
    }

    /** The first date of the rule in it, also one that is taken out. Most series begin with their start. */
    private static @Nullable LocalDateTime first(Recurrence series, LocalDateTime from, @Nullable LocalDateTime end) {
        LocalDateTime start = series.first().start();
        if (!start.isBefore(from) && series.makesStart()) {
            return isWithin(start, from, end) ? start : null;
        }
        Iterator<Recurrence.Occurrence> occurrences = ofRule(series).from(from);
        LocalDateTime first = occurrences.hasNext() ? occurrences.next().slot().at() : null;
        return first != null && isWithin(first, from, end) ? first : null;
    }

    /** What the rule makes alone. */
    private static Recurrence ofRule(Recurrence series) {
        return new Recurrence(series.first(), series.rule(), Set.of(), List.of(), null);
    }

    /** The rule from one of its dates on; a COUNT that begins before it becomes the UNTIL of the same last date. */
    private static RecurrenceRule rule(Recurrence series, LocalDateTime first, @Nullable LocalDateTime end) {
        RecurrenceRule rule = series.rule();
        LocalDateTime last = end;
        if (rule.count() > 0 && end == null && first.equals(series.first().start())) {
            return rule;
        }
        if (rule.count() > 0) {
            LocalDateTime counted =
                    ofRule(series).last().map(date -> date.slot().at()).orElse(first);
            boolean isCut = end != null && !counted.isBefore(end);
            if (!isCut && first.equals(series.first().start())) {
                return rule;
            }
            last = isCut ? end : series.first().allDay() ? counted.plusDays(1) : counted.plusSeconds(1);
        }
        return last == null ? rule : rule.endingBefore(last, series.first().zone());
    }

    /** Whether it has a date of this name, also one that is taken out. */
    public boolean makes(Slot slot) {
        if (slot.allDay() != first.allDay()) {
            return false;
        }
        LocalDateTime at = slot.at();
        boolean isAdded = at.equals(first.start())
                || rdates.stream().anyMatch(date -> date.start().equals(at));
        return isAdded || (rule != null && new Recurrence(first, rule, Set.of(), List.of(), null).makes(slot));
    }

    /** The first nominal start that is not before this one, of all-day series the first midnight. */
    public static LocalDateTime notBefore(LocalDateTime time, boolean allDay) {
        LocalDateTime begun = time.truncatedTo(ChronoUnit.SECONDS);
        LocalDateTime second = begun.equals(time) ? time : begun.plusSeconds(1);
        boolean isMidnight = second.toLocalTime().equals(LocalTime.MIDNIGHT);
        return !allDay || isMidnight ? second : second.toLocalDate().plusDays(1).atStartOfDay();
    }
}
