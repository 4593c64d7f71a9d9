package dev.inboxd.calendar.series;

import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.Recurrence.Occurrence;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The dates of a series as they are read: those that it makes now, those that ran while it was something else, and the
 * edits of dates over both (calendar.md §5).
 */
public final class SeriesDates {
    /** How many dates of a series may be edited alone. */
    public static final int MOST_ALONE = 730;

    /** A date is no longer than 31 days; a little more for what zones do. */
    private static final Duration LONGEST = Duration.ofDays(33);

    private final CalendarEvent series;
    private final List<Stretch> stretches = new ArrayList<>();
    private final Map<Slot, DateOverride> alone = new HashMap<>();
    private final NavigableMap<LocalDateTime, DateOverride> following = new TreeMap<>();

    /**
     * What the series was for some time.
     *
     * @param from the first start in it
     * @param until the first start behind it
     */
    private record Stretch(EventContent content, Recurrence recurrence, Instant from, Instant until) {
        boolean holds(Instant start) {
            return !start.isBefore(from) && start.isBefore(until);
        }
    }

    /** The dates of a series with these edits. */
    public SeriesDates(CalendarEvent series, List<Era> eras, List<DateOverride> overrides) {
        this.series = series;
        Instant from = Instant.MIN;
        for (Era era : eras) {
            add(era.content(), from, era.until());
            from = era.until();
        }
        add(series.content(), from, Instant.MAX);
        for (DateOverride override : overrides) {
            if (override.future()) {
                following.put(override.slot().at(), override);
            } else {
                alone.put(override.slot(), override);
            }
        }
    }

    private void add(EventContent content, Instant from, Instant until) {
        if (content.recurrence() != null) {
            stretches.add(new Stretch(content, content.recurrence().dates(content.time()), from, until));
        }
    }

    public CalendarEvent series() {
        return series;
    }

    /** The edits of one date each. */
    public Map<Slot, DateOverride> alone() {
        return alone;
    }

    /** The edits that later dates have as well, by the start of their first. */
    public NavigableMap<LocalDateTime, DateOverride> following() {
        return following;
    }

    /** The date of a slot, also one that was taken out; empty for a slot that was never made. */
    public Optional<SeriesDate> at(Slot slot) {
        DateOverride own = alone.get(slot);
        if (own != null && own.pinned()) {
            EventTime time = own.fields().over(series.content()).time();
            return Optional.of(date(series.content().with(time), slot, new SlotTime(time, false, !isMadeNow(slot))));
        }
        for (Stretch stretch : stretches) {
            Optional<Occurrence> occurrence = stretch.recurrence.at(slot);
            EventTime time = occurrence.map(Occurrence::time).orElse(null);
            if (time == null && stretch.recurrence.makes(slot)) {
                time = stretch.content.time().at(slot.at());
            }
            if (time != null && stretch.holds(time.startAt())) {
                boolean left = stretch.until.isBefore(Instant.MAX) && !isMadeNow(slot);
                return Optional.of(date(stretch.content, slot, new SlotTime(time, occurrence.isEmpty(), left)));
            }
        }
        return Optional.empty();
    }

    private boolean isMadeNow(Slot slot) {
        return !stretches.isEmpty()
                && stretches.getLast().until.equals(Instant.MAX)
                && stretches.getLast().recurrence.makes(slot);
    }

    private record SlotTime(EventTime time, boolean removed, boolean left) {}

    private SeriesDate date(EventContent base, Slot slot, SlotTime slotTime) {
        DateFields fields = DateFields.NONE;
        for (DateOverride override : following.headMap(slot.at(), true).values()) {
            fields = fields.with(override.fields());
        }
        boolean edited = !following.headMap(slot.at(), true).isEmpty();
        DateOverride own = alone.get(slot);
        if (own != null) {
            fields = fields.with(own.fields());
            edited = true;
        }
        EventContent content = fields.over(base.with((EventRecurrence) null).with(slotTime.time));
        return new SeriesDate(
                series,
                slot,
                slotTime.time,
                slotTime.removed ? content.with(EventStatus.CANCELLED) : content,
                new SeriesDate.Place(edited, slotTime.removed, slotTime.left),
                own);
    }

    /**
     * Gives the dates in a window one after another, in no order; what was taken out is not among them, what is
     * cancelled is.
     *
     * @param running whether those that began before and still run are among them
     */
    public void in(Instant after, Instant before, boolean running, Consumer<SeriesDate> sink) {
        Instant since = running ? after.minus(LONGEST) : after;
        for (Stretch stretch : stretches) {
            Instant from = stretch.from.isAfter(since) ? stretch.from : since;
            Instant until = stretch.until.isBefore(before) ? stretch.until : before;
            if (!from.isBefore(until)) {
                continue;
            }
            Iterator<Occurrence> occurrences = stretch.recurrence.in(from, until, false);
            while (occurrences.hasNext()) {
                Occurrence occurrence = occurrences.next();
                if (stretch.holds(occurrence.time().startAt()) && !isElsewhere(occurrence.slot())) {
                    SeriesDate date = date(stretch.content, occurrence.slot(), slotTime(stretch, occurrence));
                    if (date.isIn(after, before, running)) {
                        sink.accept(date);
                    }
                }
            }
        }
        moved().filter(date -> date.isIn(after, before, running)).forEach(sink);
    }

    /** Whether an edit says when the date of a slot takes place, so that its slot does not. */
    private boolean isElsewhere(Slot slot) {
        DateOverride own = alone.get(slot);
        return own != null && own.hasTime();
    }

    private SlotTime slotTime(Stretch stretch, Occurrence occurrence) {
        return new SlotTime(
                occurrence.time(), false, stretch.until.isBefore(Instant.MAX) && !isMadeNow(occurrence.slot()));
    }

    /** The dates whose edits say when they take place. */
    private Stream<SeriesDate> moved() {
        return alone.values().stream()
                .filter(DateOverride::hasTime)
                .map(own -> at(own.slot()).orElse(null))
                .filter(Objects::nonNull)
                .filter(date -> !date.place().removed());
    }

    /** Every edited date, in no order. */
    public Stream<SeriesDate> edited() {
        return alone.keySet().stream().map(slot -> at(slot).orElse(null)).filter(Objects::nonNull);
    }

    /**
     * The first date that passes a test, by its start, without looking at dates that start before a moment by more than
     * a date may last; null when there is none.
     */
    public @Nullable SeriesDate first(Instant since, Predicate<SeriesDate> test) {
        SeriesDate first = moved().filter(test)
                .min(Comparator.comparing(SeriesDate::startAt))
                .orElse(null);
        for (Stretch stretch : stretches) {
            Instant from = stretch.from.isAfter(since.minus(LONGEST)) ? stretch.from : since.minus(LONGEST);
            if (!from.isBefore(stretch.until)) {
                continue;
            }
            // A day earlier on the wall: whatever the zone does, nothing is left out.
            Iterator<Occurrence> occurrences = stretch.recurrence.from(
                    from.atZone(stretch.content.time().zone()).toLocalDateTime().minusDays(1));
            while (occurrences.hasNext()) {
                Occurrence occurrence = occurrences.next();
                Instant start = occurrence.time().startAt();
                if (!start.isBefore(stretch.until) || (first != null && start.isAfter(first.startAt()))) {
                    break;
                }
                SeriesDate date = isElsewhere(occurrence.slot()) || start.isBefore(from)
                        ? null
                        : date(stretch.content, occurrence.slot(), slotTime(stretch, occurrence));
                if (date != null && test.test(date)) {
                    first = date;
                    break;
                }
            }
        }
        return first;
    }

    /** Whether a date began since the series is what it is. */
    public boolean hasBegun(Instant now) {
        if (!series.content().isSeries()) {
            return false;
        }
        Stretch current = stretches.getLast();
        Instant start = current.content.time().startAt();
        Instant from = current.from.isAfter(start) ? current.from : start;
        Iterator<Occurrence> occurrences = current.recurrence.from(
                from.atZone(current.content.time().zone()).toLocalDateTime().minusDays(1));
        while (occurrences.hasNext()) {
            Instant startAt = occurrences.next().time().startAt();
            if (startAt.isAfter(now)) {
                return false;
            }
            if (current.holds(startAt)) {
                return true;
            }
        }
        return false;
    }

    /** The last end of all dates; null when there is none. */
    @Nullable
    Instant lastEnd() {
        Instant last = Instant.MIN;
        for (Stretch stretch : stretches) {
            if (stretch.until.isBefore(Instant.MAX)) {
                last = later(last, stretch.until.plus(LONGEST));
            } else {
                Optional<Occurrence> end = stretch.recurrence.last();
                if (end.isEmpty() && stretch.recurrence.hasDates()) {
                    return null;
                }
                last = later(
                        last,
                        end.map(occurrence -> date(stretch.content, occurrence.slot(), slotTime(stretch, occurrence))
                                        .endAt())
                                .orElse(stretch.content.time().endAt()));
            }
        }
        return moved().map(SeriesDate::endAt).reduce(last, SeriesDates::later);
    }

    private static Instant later(Instant first, Instant second) {
        return first.isAfter(second) ? first : second;
    }
}
