package dev.inboxd.mail.recurrence;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dates of a series: what its rule makes from the start, and its own dates, without those taken out.
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

    /**
     * The dates whose nominal start is not before one, in order of their nominal start, without a walk from the start of
     * the series. Bounded: it ends after 100,000 candidates, or 50 years without a date.
     */
    public Iterator<Occurrence> from(LocalDateTime nominal) {
        throw new UnsupportedOperationException();
    }

    /** The dates that overlap a window of time: those that start in it and, if wanted, those that began before and run. */
    public Iterator<Occurrence> in(Instant after, Instant before, boolean running) {
        throw new UnsupportedOperationException();
    }

    /** The date of a slot, when it is one now. */
    public Optional<Occurrence> at(Slot slot) {
        throw new UnsupportedOperationException();
    }

    /** Whether rule or rdates make this slot, although exdates or truncateBefore may take it out. */
    public boolean makes(Slot slot) {
        throw new UnsupportedOperationException();
    }

    /** The same with a slot taken out. */
    public Recurrence without(Slot slot) {
        throw new UnsupportedOperationException();
    }

    /** Whether there is any date at all within the bound. */
    public boolean hasDates() {
        throw new UnsupportedOperationException();
    }

    /** Whether the rule makes its own start. */
    public boolean makesStart() {
        throw new UnsupportedOperationException();
    }

    /** Whether more than {@link #MOST_IN_90_DAYS} dates lie in some 90 days, looked at for 5 years or to its end. */
    public boolean isTooDense() {
        throw new UnsupportedOperationException();
    }

    /** The last date, when the series ends; empty when it goes on without end or its end is beyond the bound. */
    public Optional<Occurrence> last() {
        throw new UnsupportedOperationException();
    }
}
