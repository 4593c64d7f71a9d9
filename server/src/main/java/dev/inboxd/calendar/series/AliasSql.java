package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.content.DatedId;
import dev.inboxd.mail.recurrence.Slot;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The rows of ids that dates had before their series came. */
public final class AliasSql {
    private AliasSql() {}

    /** The date that has an id of before. */
    public static Optional<DatedId> find(Tx tx, View inbox, UUID id) {
        return tx.sql(inbox, "select a.series_id, a.slot from calendar_alias a where {a} and a.event_id = :id")
                .bind("id", id)
                .first(row -> new DatedId(row.uuid("series_id"), Objects.requireNonNull(Slot.parse(row.text("slot")))));
    }

    /** Lets an id go on as that of a date. */
    public static void insert(Tx tx, View all, UUID id, SeriesDate date) {
        CalendarEvent series = date.series();
        tx.sql(all, """
                insert into calendar_alias (organization_id, event_id, pod_id, inbox_id, series_id, slot)
                values ({organization}, :id, :pod, :inbox, :series, :slot) on conflict do nothing""")
                .bind("id", id)
                .bind("pod", series.place().pod())
                .bind("inbox", series.place().inbox())
                .bind("series", series.id())
                .bind("slot", date.slot().toString())
                .run();
    }

    static void delete(Tx tx, View all, UUID[] series) {
        tx.sql(all, "delete from calendar_alias a where {a} and a.series_id = any (:ids)")
                .bind("ids", series)
                .run();
    }
}
