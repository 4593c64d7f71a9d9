package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The rows of what series were. */
public final class EraSql {
    /** Farther than any zone is from UTC. */
    private static final Duration OFFSET = Duration.ofHours(19);

    /** How many eras of a series are in a feed. */
    public static final int MOST_PUBLISHED = 200;

    private EraSql() {}

    /** The eras of a series in their order: with what is large those that dates of these slots can be in. */
    public static List<Era> list(Tx tx, View inbox, UUID event, Collection<Slot> slots) {
        Instant from = slots.stream().map(EraSql::about).min(Instant::compareTo).orElse(Instant.EPOCH);
        Instant to = slots.stream().map(EraSql::about).max(Instant::compareTo).orElse(Instant.EPOCH);
        return tx.sql(inbox, """
                select c.until, (case when :any and c.until > :from and c.until <= coalesce((
                        select min(n.until) from calendar_era n
                        where {n} and n.event_id = :event and n.until > :to), 'infinity')
                    then c.content else c.content - %s end)::text as content
                from calendar_era c where {c} and c.event_id = :event
                order by c.until""".formatted(CalendarEventSql.LARGE))
                .bind("event", event)
                .bind("any", !slots.isEmpty())
                .bind("from", from.minus(OFFSET))
                .bind("to", to.plus(OFFSET))
                .list(EraSql::read);
    }

    /** The last eras that reach behind a moment, in their order, as feeds show them, and the one before. */
    public static List<Era> published(Tx tx, View inbox, UUID event, Instant after) {
        return tx.sql(
                        inbox,
                        "select c.until, " + CalendarEventSql.published("c.content") + " as content"
                                + " from calendar_era c where {c} and c.event_id = :event and c.until > :after"
                                + " order by c.until desc limit :most")
                .bind("event", event)
                .bind("after", after)
                .bind("most", MOST_PUBLISHED + 1)
                .list(EraSql::read)
                .reversed();
    }

    private static Era read(Row row) {
        return new Era(row.instant("until"), EventContent.stored((Map<?, ?>)
                Objects.requireNonNull(Json.stored(row.text("content")))));
    }

    private static Instant about(Slot slot) {
        return slot.at().toInstant(ZoneOffset.UTC);
    }

    public static void insert(Tx tx, View all, CalendarEvent event, Era era) {
        tx.sql(all, """
                insert into calendar_era (organization_id, event_id, until, pod_id, inbox_id, content)
                values ({organization}, :event, :until, :pod, :inbox, :content::jsonb)""")
                .bind("event", event.id())
                .bind("until", era.until())
                .bind("pod", event.place().pod())
                .bind("inbox", event.place().inbox())
                .bind("content", Json.text(era.content().stored()))
                .run();
    }

    /** Takes a date out of what a series was. */
    public static void removeDate(CalendarTx change, CalendarEvent event, Era era, Slot slot) {
        EventRecurrence left =
                Objects.requireNonNull(era.content().recurrence()).without(slot);
        change.tx()
                .sql(
                        change.all(),
                        "update calendar_era c set content = jsonb_set(c.content, array['recurrence'], :left::jsonb)"
                                + " where {c} and c.event_id = :event and c.until = :until")
                .bind("event", event.id())
                .bind("until", era.until())
                .bind("left", Json.text(left.json(era.content().time().allDay())))
                .run();
    }
}
