package dev.inboxd.calendar;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/** The rows of starts and ends that were raised. */
final class BoundarySql {
    private BoundarySql() {}

    /** What was raised of an event. */
    static Set<BoundarySchedule.Mark> list(Tx tx, View inbox, UUID event) {
        return new HashSet<>(tx.sql(
                        inbox, "select b.slot, b.which from calendar_boundary b where {b} and b.event_id = :event")
                .bind("event", event)
                .list(row -> new BoundarySchedule.Mark(
                        row.text("slot"), BoundaryKind.valueOf(row.text("which").toUpperCase(Locale.ROOT)))));
    }
}
