package dev.inboxd.mail.recurrence;

import dev.inboxd.mail.recurrence.Recurrence.AddedDate;
import dev.inboxd.mail.recurrence.Recurrence.Occurrence;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The dates of a series in the order of their nominal starts: those of the rule merged with the added ones. */
final class NominalDates implements Iterator<Occurrence> {
    private final Recurrence series;
    private final RuleDates ruleDates;
    private final Deque<AddedDate> added;
    private @Nullable LocalDateTime nextOfRule;
    private @Nullable Occurrence next;

    /**
     * The dates of a series.
     *
     * @param from the first nominal start that is wanted
     * @param notAfter the last that is looked for in the rule; added dates may be later
     */
    NominalDates(Recurrence series, LocalDateTime from, LocalDateTime notAfter) {
        this.series = series;
        LocalDateTime end = Recurrence.earlier(notAfter, series.latestOfRule());
        this.ruleDates = new RuleDates(series.rule(), series.first().start(), from, end);
        this.added = new ArrayDeque<>(series.rdates().stream()
                .filter(date -> !date.start().isBefore(from))
                .sorted(Comparator.comparing(AddedDate::start))
                .toList());
        this.nextOfRule = ruleDates.next();
        this.next = advance();
    }

    private @Nullable Occurrence advance() {
        while (true) {
            AddedDate first = added.peek();
            if (first == null && nextOfRule == null) {
                return null;
            }
            Occurrence occurrence;
            if (first != null && (nextOfRule == null || !nextOfRule.isBefore(first.start()))) {
                occurrence = series.occurrence(first.start(), ownTime(first.start()));
            } else {
                LocalDateTime start = nextOfRule;
                nextOfRule = ruleDates.next();
                UntilTime until = series.rule().until();
                if (start == null
                        || (until != null
                                && !until.includes(start, series.first().zone()))) {
                    continue;
                }
                occurrence = series.occurrence(start, null);
            }
            if (!series.takesOut(occurrence)) {
                return occurrence;
            }
        }
    }

    /** Uses up all that start then, one date, and answers the first time of its own among them. */
    private @Nullable EventTime ownTime(LocalDateTime start) {
        EventTime own = null;
        for (AddedDate date = added.peek(); date != null && date.start().equals(start); date = added.peek()) {
            own = own == null ? date.time() : own;
            added.remove();
        }
        if (start.equals(nextOfRule)) {
            nextOfRule = ruleDates.next();
        }
        return own;
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public Occurrence next() {
        Occurrence current = next;
        if (current == null) {
            throw new NoSuchElementException();
        }
        next = advance();
        return current;
    }
}
