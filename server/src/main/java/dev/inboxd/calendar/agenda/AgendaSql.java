package dev.inboxd.calendar.agenda;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.content.AgendaWindow;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventSpan;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.WallTime;
import dev.inboxd.calendar.event.CalendarEvents;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Finds the events that can overlap a window, by their classes of length. */
final class AgendaSql {
    private AgendaSql() {}

    /**
     * An event that can overlap a window.
     *
     * @param time its own time
     * @param isSeries whether it has a recurrence
     * @param eras how many eras it had
     */
    record Candidate(UUID event, EventTime time, boolean isCancelled, boolean isSeries, int eras) {
        boolean hasDates() {
            return isSeries || eras > 0;
        }
    }

    static List<Candidate> candidates(Tx tx, View inbox, AgendaWindow window) {
        EventSpan[] spans = EventSpan.values();
        return tx.sql(inbox, """
                select e.event_id, e.eras, e.content->>'all_day' as all_day, e.content->>'start' as wall_start,
                       e.content->>'end' as wall_end, e.content->>'timezone' as timezone,
                       e.content->>'duration_mode' as duration_mode, e.content->>'status' as status,
                       e.content->'recurrence' is not null as is_series
                from unnest(:spans::int[], :since::timestamptz[]) as w (span, since)
                cross join lateral (
                    select e.* from calendar_event e
                    where {e} and e.span = w.span and e.first_at >= w.since and e.first_at < :before
                      and (e.last_at is null or e.last_at >= :after) offset 0) as e
                limit :most""")
                .bind("spans", Stream.of(spans).map(EventSpan::number).toArray(Integer[]::new))
                .bind(
                        "since",
                        Stream.of(spans)
                                .map(span -> span.earliest(window.after()))
                                .toArray(Instant[]::new))
                .bind("before", window.before().plus(EventSpan.DRIFT))
                .bind("after", window.after().minus(EventSpan.DRIFT))
                .bind("most", CalendarEvents.MOST + 1)
                .list(AgendaSql::read);
    }

    private static Candidate read(Row row) {
        return new Candidate(
                row.uuid("event_id"),
                new EventTime(
                        row.text("all_day").equals("true"),
                        WallTime.stored(row.text("wall_start")),
                        WallTime.stored(row.text("wall_end")),
                        ZoneId.of(row.text("timezone")),
                        EventContent.mode(row.text("duration_mode"))),
                EventStatus.ofWire(row.text("status")) == EventStatus.CANCELLED,
                row.flag("is_series"),
                row.integer("eras"));
    }
}
