package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.mail.recurrence.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** The rows of edited dates. */
public final class OverrideSql {
    private OverrideSql() {}

    /**
     * The edits of an event: with what is large for the named dates and those that followers have, without it for the
     * others.
     */
    static List<DateOverride> list(Tx tx, View inbox, UUID event, Collection<Slot> slots) {
        return tx.sql(
                        inbox,
                        "select o.slot, o.future, o.kept, o.sequence, o.dtstamp, o.operation, o.created_at,"
                                + " o.updated_at, (case when o.slot = any (:slots) or (o.future and :any)"
                                + " then o.fields else o.fields - " + CalendarEventSql.LARGE
                                + " end)::text as fields from calendar_override o where {o} and o.event_id = :event")
                .bind("event", event)
                .bind("slots", slots.stream().map(Slot::toString).toList())
                .bind("any", !slots.isEmpty())
                .list(OverrideSql::read);
    }

    /** The edits of several events, without what is large. */
    public static Map<UUID, List<DateOverride>> small(Tx tx, View inbox, Collection<UUID> events) {
        return all(tx, inbox, events, "(o.fields - " + CalendarEventSql.LARGE + ")::text");
    }

    /** The edits of several events as feeds show them. */
    public static Map<UUID, List<DateOverride>> published(Tx tx, View inbox, Collection<UUID> events) {
        return all(tx, inbox, events, CalendarEventSql.published("o.fields"));
    }

    private static Map<UUID, List<DateOverride>> all(Tx tx, View inbox, Collection<UUID> events, String fields) {
        Map<UUID, List<DateOverride>> edits = new HashMap<>();
        tx.sql(
                        inbox,
                        "select o.event_id, o.slot, o.future, o.kept, o.sequence, o.dtstamp, o.operation, o.created_at,"
                                + " o.updated_at, " + fields
                                + " as fields from calendar_override o where {o} and o.event_id = any (:events)")
                .bind("events", events.toArray(UUID[]::new))
                .list(row -> edits.computeIfAbsent(row.uuid("event_id"), _ -> new ArrayList<>())
                        .add(read(row)));
        return edits;
    }

    private static DateOverride read(Row row) {
        return new DateOverride(
                Objects.requireNonNull(Slot.parse(row.text("slot"))),
                row.flag("future"),
                DateFields.stored(row.text("fields")),
                row.flag("kept"),
                new DateOverride.Version(
                        row.integerOrNull("sequence"),
                        row.instantOrNull("dtstamp"),
                        row.text("operation"),
                        row.instant("created_at"),
                        row.instant("updated_at")));
    }

    /** Stores an edit with all its fields, in place of one that is there. */
    public static void put(Tx tx, View all, CalendarEvent event, DateOverride edit) {
        tx.sql(all, """
                insert into calendar_override (organization_id, event_id, slot, future, pod_id, inbox_id, fields, kept,
                                               sequence, dtstamp, operation, created_at, updated_at)
                values ({organization}, :event, :slot, :future, :pod, :inbox, :fields::jsonb, :kept, :sequence,
                        :dtstamp, :operation, :created, :updated)
                on conflict (organization_id, event_id, slot, future) do update
                set fields = excluded.fields, kept = excluded.kept, sequence = excluded.sequence,
                    dtstamp = excluded.dtstamp, operation = excluded.operation, updated_at = excluded.updated_at""")
                .bind("event", event.id())
                .bind("slot", edit.slot().toString())
                .bind("future", edit.future())
                .bind("pod", event.place().pod())
                .bind("inbox", event.place().inbox())
                .bind("fields", edit.fields().stored())
                .bind("kept", edit.pinned())
                .bind("sequence", edit.version().sequence())
                .bind("dtstamp", edit.version().stamp())
                .bind("operation", edit.version().operation())
                .bind("created", edit.version().createdAt())
                .bind("updated", edit.version().updatedAt())
                .run();
    }

    /** Deletes the edits of these dates, of both kinds. */
    public static void delete(Tx tx, View all, UUID event, Collection<Slot> slots) {
        if (!slots.isEmpty()) {
            tx.sql(
                            all,
                            "delete from calendar_override o where {o} and o.event_id = :event"
                                    + " and o.slot = any (:slots)")
                    .bind("event", event)
                    .bind("slots", slots.stream().map(Slot::toString).toList())
                    .run();
        }
    }
}
