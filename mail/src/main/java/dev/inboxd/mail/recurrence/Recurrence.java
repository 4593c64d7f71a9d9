package dev.inboxd.mail.recurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The dates of a series: what its rule makes from the start, and its own dates, without those taken out. The rule is
 * evaluated in wall time; two dates of one nominal start are one. The start is a date only where the rule makes it.
 *
 * @param first the time of the series itself
 * @param rule the rule
 * @param exdates nominal starts that are taken out
 * @param rdates further dates
 * @param truncateBefore nominal start from which on there are no dates, or null
 */
public record Recurrence(
        EventTime first,
        RecurrenceRule rule,
        Set<LocalDateTime> exdates,
        List<AddedDate> rdates,
        @Nullable LocalDateTime truncateBefore) {

    /**
     * A date beside the rule.
     *
     * @param start its nominal start
     * @param time its own time when it has an end of its own, or null for the length of the series
     */
    public record AddedDate(LocalDateTime start, @Nullable EventTime time) {}

    /**
     * A date of a series.
     *
     * @param slot its name
     * @param time when it takes place, before any edit of it
     */
    public record Occurrence(Slot slot, EventTime time) {}

    /** How often a series takes place at most within some 90 days. */
    public static final int MOST_IN_90_DAYS = 730;

    private static final int DENSE_DAYS = 90;
    private static final int DENSE_YEARS = 5;

    private static final LocalDateTime EARLIEST = LocalDateTime.of(Slot.FIRST_YEAR, 1, 1, 0, 0);
    private static final LocalDateTime LATEST = LocalDateTime.of(Slot.LAST_YEAR, 12, 31, 23, 59, 59);

    /** How far before its end a series is looked at for its last date, first a little. */
    private static final List<Duration> LOOKS_BACK = List.of(
            Duration.ofHours(12),
            Duration.ofDays(32),
            Duration.ofDays(366),
            Duration.ofDays(18_300),
            Duration.ofDays(3_000_000));

    /** Copies the collections. */
    public Recurrence {
        exdates = Set.copyOf(exdates);
        rdates = List.copyOf(rdates);
    }

    /**
     * The dates whose nominal start is not before one, in order of their nominal start, without a walk from the start
     * of the series. Bounded: it ends after 100,000 candidates, or 50 years without a date.
     *
     * @param nominal a wall time in the zone of the series
     */
    public Iterator<Occurrence> from(LocalDateTime nominal) {
        return new NominalDates(this, nominal, LATEST);
    }

    /**
     * The dates that overlap a window of time, in order of the instants at which they start: those that start in it
     * and, if wanted, those that began before and run. Bounded as {@link #from}.
     *
     * @param after the first instant of the window
     * @param before the first instant after it
     * @param running whether dates that began before {@code after} and end after it are wanted too
     */
    public Iterator<Occurrence> in(Instant after, Instant before, boolean running) {
        ZoneId zone = first.zone();
        LocalDateTime start = EventTime.earliestWall(clamped(after), zone);
        LocalDateTime end = EventTime.latestWall(clamped(before), zone);
        Iterator<Occurrence> nominal =
                new NominalDates(this, running ? earliestRunning(clamped(after), start) : start, earlier(end, LATEST));
        return new InstantDates(nominal, zone, new InstantDates.Window(after, before, running));
    }

    /** The date of a slot, when it is one now. */
    public Optional<Occurrence> at(Slot slot) {
        if (slot.allDay() != first.allDay()) {
            return Optional.empty();
        }
        Iterator<Occurrence> dates = new NominalDates(this, slot.at(), slot.at());
        return dates.hasNext()
                ? Optional.of(dates.next()).filter(date -> date.slot().equals(slot))
                : Optional.empty();
    }

    /** Whether rule or rdates make this slot, although exdates or truncateBefore may take it out. */
    public boolean makes(Slot slot) {
        return new Recurrence(first, rule, Set.of(), rdates, null).at(slot).isPresent();
    }

    /**
     * The slot of the date that another calendar names, in whatever zone or kind it writes it (RFC 5545 §3.8.4.4); also
     * of one that is taken out. Empty when the series makes no such date.
     */
    public Optional<Slot> named(EventTime name) {
        Recurrence all = new Recurrence(first, rule, Set.of(), rdates, null);
        if (name.allDay() && !first.allDay()) {
            LocalDateTime end = name.start().plusDays(1);
            Iterator<Occurrence> dates = new NominalDates(all, name.start(), end);
            return dates.hasNext()
                    ? Optional.of(dates.next().slot()).filter(slot -> slot.at().isBefore(end))
                    : Optional.empty();
        }
        return first.starts(name).stream()
                .map(start -> Slot.of(start, first.allDay()))
                .filter(slot -> all.at(slot).isPresent())
                .findFirst();
    }

    /** The same with a slot taken out. */
    public Recurrence without(Slot slot) {
        Set<LocalDateTime> more = new HashSet<>(exdates);
        more.add(slot.at());
        return new Recurrence(first, rule, more, rdates, truncateBefore);
    }

    /** Whether there is any date at all within the bound. */
    public boolean hasDates() {
        return from(EARLIEST).hasNext();
    }

    /** Whether the rule makes its own start. */
    public boolean makesStart() {
        return new Recurrence(first, rule, Set.of(), List.of(), null).makes(Slot.of(first.start(), first.allDay()));
    }

    /** Whether more than {@link #MOST_IN_90_DAYS} dates lie in some 90 days, looked at for 5 years or to its end. */
    public boolean isTooDense() {
        LocalDateTime end = first.start().plusYears(DENSE_YEARS);
        Deque<LocalDateTime> latest = new ArrayDeque<>();
        for (Iterator<Occurrence> dates = new NominalDates(this, EARLIEST, end); dates.hasNext(); ) {
            LocalDateTime start = dates.next().time().start();
            if (latest.size() == MOST_IN_90_DAYS
                    && start.isBefore(latest.remove().plusDays(DENSE_DAYS))) {
                return true;
            }
            latest.add(start);
        }
        return false;
    }

    /** The last date, when the series ends; empty when it goes on without end or its end is beyond the bound. */
    public Optional<Occurrence> last() {
        if (rule.count() > 0) {
            return lastFrom(EARLIEST);
        }
        if (!rule.isFinite() && truncateBefore == null) {
            return Optional.empty();
        }
        LocalDateTime end = latestOfRule();
        for (Duration lookback : LOOKS_BACK) {
            LocalDateTime from = end.minus(lookback);
            Optional<Occurrence> occurrence = lastFrom(from.isBefore(EARLIEST) ? EARLIEST : from);
            if (occurrence.isPresent()) {
                return occurrence;
            }
        }
        return Optional.empty();
    }

    private Optional<Occurrence> lastFrom(LocalDateTime from) {
        Occurrence last = null;
        for (Iterator<Occurrence> dates = from(from); dates.hasNext(); ) {
            last = dates.next();
        }
        return Optional.ofNullable(last);
    }

    /** A date, with a time of its own or the length of the series. */
    Occurrence occurrence(LocalDateTime start, @Nullable EventTime own) {
        return new Occurrence(Slot.of(start, first.allDay()), own == null ? first.at(start) : own);
    }

    /** Whether exdates, truncateBefore or the end of the calendar take a date out. */
    boolean takesOut(Occurrence date) {
        LocalDateTime start = date.slot().at();
        return exdates.contains(start)
                || (truncateBefore != null && !start.isBefore(truncateBefore))
                || date.time().end().getYear() > Slot.LAST_YEAR;
    }

    /** A nominal start after which the rule makes none. */
    LocalDateTime latestOfRule() {
        UntilTime until = rule.until();
        LocalDateTime end = until == null ? LATEST : earlier(until.latest(first.zone()), LATEST);
        return truncateBefore == null ? end : earlier(end, truncateBefore.minusSeconds(1));
    }

    static LocalDateTime earlier(LocalDateTime left, LocalDateTime right) {
        return left.isBefore(right) ? left : right;
    }

    /** The first nominal start of a date that may still run then, by the longest of its dates. */
    private LocalDateTime earliestRunning(Instant at, LocalDateTime wall) {
        return Stream.concat(
                        Stream.of(first), rdates.stream().map(AddedDate::time).flatMap(Stream::ofNullable))
                .map(time -> time.earliestRunning(at, wall))
                .min(LocalDateTime::compareTo)
                .orElse(wall);
    }

    /** An instant within the years of calendars, a day more on either side. */
    private static Instant clamped(Instant at) {
        Instant earliest = EARLIEST.minusDays(2).toInstant(ZoneOffset.UTC);
        Instant latest = LATEST.plusDays(2).toInstant(ZoneOffset.UTC);
        return at.isBefore(earliest) ? earliest : at.isAfter(latest) ? latest : at;
    }
}
