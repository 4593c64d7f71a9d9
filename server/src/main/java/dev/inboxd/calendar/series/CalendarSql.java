package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.content.Calendar;
import java.time.ZoneId;

/** The rows of calendars. A calendar that nobody has used has none. */
public final class CalendarSql {
    private CalendarSql() {}

    public static Calendar get(Tx tx, View inbox) {
        return tx.sql(inbox, "select c.timezone, c.revision, c.events, c.updated_at from calendar c where {c}")
                .first(row -> new Calendar(
                        ZoneId.of(row.text("timezone")),
                        row.longer("revision"),
                        row.integer("events"),
                        row.instantOrNull("updated_at")))
                .orElse(Calendar.UNUSED);
    }

    public static void setZone(CalendarTx change, ZoneId zone) {
        change.tx()
                .sql(change.all(), """
                insert into calendar as c (organization_id, inbox_id, pod_id, timezone, revision, events, updated_at)
                values ({organization}, :inbox, :pod, :zone, 1, 0, :now)
                on conflict (organization_id, inbox_id) do update
                set timezone = excluded.timezone, revision = c.revision + 1, updated_at = excluded.updated_at""")
                .bind("inbox", change.inbox().id())
                .bind("pod", change.inbox().pod())
                .bind("zone", zone.getId())
                .bind("now", change.now())
                .run();
    }

    /** Counts a change of an event or a date: what was made of the calendar before is another state. */
    public static void changed(CalendarTx change) {
        count(change, 0);
    }

    /** Counts events that were made, or with a negative number deleted. */
    public static void count(CalendarTx change, int more) {
        change.tx()
                .sql(change.all(), """
                insert into calendar as c (organization_id, inbox_id, pod_id, timezone, revision, events, changes,
                                           changed_at)
                values ({organization}, :inbox, :pod, 'UTC', 0, :more, 1, :now)
                on conflict (organization_id, inbox_id) do update
                set events = c.events + :more, changes = c.changes + 1, changed_at = excluded.changed_at""")
                .bind("now", change.now())
                .bind("inbox", change.inbox().id())
                .bind("pod", change.inbox().pod())
                .bind("more", more)
                .run();
    }
}
