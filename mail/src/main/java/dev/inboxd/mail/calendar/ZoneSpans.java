package dev.inboxd.mail.calendar;

import dev.inboxd.mail.recurrence.EventTime;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The zones that events are written in, each with the time for which readers must know it. */
final class ZoneSpans {
    private final Map<ZoneId, Span> spans = new LinkedHashMap<>();

    /** @param until null when it has no end */
    private record Span(Instant from, @Nullable Instant until) {
        Span with(Span span) {
            return new Span(from.isBefore(span.from) ? from : span.from, later(until, span.until));
        }

        private static @Nullable Instant later(@Nullable Instant first, @Nullable Instant second) {
            if (first == null || second == null) {
                return null;
            }
            return first.isAfter(second) ? first : second;
        }
    }

    /** How many zones there are. */
    int count() {
        return spans.size();
    }

    /** Adds the zone of an event. */
    void add(EventComponent event) {
        boolean isEndless = event.schedule().rule() != null;
        times(event)
                .filter(time -> !time.allDay() && !ICalendarWriter.isUtc(time.zone()))
                .forEach(time -> spans.merge(
                        time.zone(), new Span(time.startAt(), isEndless ? null : time.endAt()), Span::with));
    }

    /** Adds their components to a calendar. */
    void write(ContentLines lines) {
        spans.forEach((zone, span) -> TimeZoneComponent.add(lines, zone, span.from, span.until));
    }

    /** All that is written with the zone: a date that was moved far is named by the time that it had. */
    private static Stream<EventTime> times(EventComponent event) {
        EventComponent.Schedule schedule = event.schedule();
        EventTime time = schedule.time();
        Stream<EventTime> added =
                schedule.rdates().stream().map(date -> date.time() == null ? time.at(date.start()) : date.time());
        Stream<EventTime> named = Stream.concat(
                schedule.exdates().stream().map(time::at),
                Stream.ofNullable(event.identity().recurrenceId()));
        return Stream.concat(Stream.of(time), Stream.concat(added, named));
    }
}
