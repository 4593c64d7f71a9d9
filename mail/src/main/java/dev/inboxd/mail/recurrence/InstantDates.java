package dev.inboxd.mail.recurrence;

import dev.inboxd.mail.recurrence.Recurrence.Occurrence;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The dates that overlap a window of time, in the order of the instants at which they start. Wall times in a gap start
 * after some that are later on the wall, so that dates wait here until nothing earlier can come.
 */
final class InstantDates implements Iterator<Occurrence> {
    private final Iterator<Occurrence> nominal;
    private final ZoneId zone;
    private final Instant after;
    private final Instant before;
    private final boolean running;
    private final Queue<Candidate> waiting = new PriorityQueue<>(Comparator.comparing(Candidate::startAt)
            .thenComparing(candidate -> candidate.date.time().start()));
    private Instant reached = Instant.MIN;
    private @Nullable Occurrence next;

    /** A date with the instant of its start. */
    private record Candidate(Occurrence date, Instant startAt) {}

    /** A window of time: what starts in it, and perhaps what runs at its beginning. */
    record Window(Instant after, Instant before, boolean running) {}

    /**
     * The dates of a window.
     *
     * @param nominal in the order of nominal starts, from the first that can be in the window
     */
    InstantDates(Iterator<Occurrence> nominal, ZoneId zone, Window window) {
        this.nominal = nominal;
        this.zone = zone;
        this.after = window.after;
        this.before = window.before;
        this.running = window.running;
        this.next = advance();
    }

    private @Nullable Occurrence advance() {
        while (true) {
            Candidate first = waiting.peek();
            boolean isOver = !nominal.hasNext() || !reached.isBefore(before);
            if (first != null && (isOver || !first.startAt.isAfter(reached))) {
                return waiting.remove().date;
            }
            if (isOver) {
                return null;
            }
            Occurrence date = nominal.next();
            reached = EventTime.earliest(date.time().start(), zone);
            Instant startAt = date.time().startAt();
            boolean begins = startAt.isBefore(before) && !startAt.isBefore(after);
            boolean runs =
                    running && startAt.isBefore(after) && date.time().endAt().isAfter(after);
            if (begins || runs) {
                waiting.add(new Candidate(date, startAt));
            }
        }
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
