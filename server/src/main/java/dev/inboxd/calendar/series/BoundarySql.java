package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of starts and ends that were raised. */
public final class BoundarySql {
    private static final String WAITING = """

            from calendar_event e
            join inbox i on i.organization_id = {organization} and i.inbox_id = e.inbox_id and not i.deleting
            where e.organization_id = {organization} and e.next_boundary_at""";

    private static final String DUE = WAITING + " <= {now}";

    /** When the next start or end of an organization is due. */
    static final String NEXT =
            "select e.next_boundary_at" + WAITING + " is not null order by e.next_boundary_at limit 1";

    private BoundarySql() {}

    /** An event with a start or an end that is due. */
    record DueEvent(UUID event, View inbox) {}

    /** The events of an organization that are due longest. */
    static List<DueEvent> due(Tx tx, View all, int most) {
        return tx.sql(
                        all,
                        "select e.event_id, e.pod_id, e.inbox_id" + DUE
                                + " and {e} order by e.next_boundary_at limit :most")
                .bind("most", most)
                .list(row -> new DueEvent(
                        row.uuid("event_id"), all.pod(row.uuid("pod_id")).inbox(row.uuid("inbox_id"))));
    }

    /** The time of the database, when an event is due by it; empty when another node was first. */
    static Optional<Instant> dueNow(Tx tx, DueEvent due) {
        return tx.sql(due.inbox(), "select {now} as at" + DUE + " and {e} and e.event_id = :event")
                .bind("event", due.event())
                .first(row -> row.instant("at"));
    }

    /** Writes down that a start or an end was raised; false when it was before. */
    static boolean insert(Tx tx, CalendarEvent event, BoundarySchedule.Boundary boundary) {
        return tx.sql(View.of(event.place().organization()), """
                insert into calendar_boundary (organization_id, event_id, slot, which, pod_id, inbox_id, ends_at)
                values ({organization}, :event, :slot, :which, :pod, :inbox, :ends)
                on conflict do nothing""")
                        .bind("event", event.id())
                        .bind("slot", boundary.slot())
                        .bind("which", boundary.which().wireName())
                        .bind("pod", event.place().pod())
                        .bind("inbox", event.place().inbox())
                        .bind("ends", boundary.endsAt())
                        .run()
                > 0;
    }

    /** Lets what was raised of an event go on as what was raised of a date. */
    public static void move(Tx tx, View all, UUID event, SeriesDate date) {
        tx.sql(all, """
                insert into calendar_boundary (organization_id, event_id, slot, which, pod_id, inbox_id, ends_at)
                select b.organization_id, :series, :slot, b.which, b.pod_id, b.inbox_id, b.ends_at
                from calendar_boundary b where {b} and b.event_id = :event
                on conflict do nothing""")
                .bind("series", date.series().id())
                .bind("slot", date.slot().toString())
                .bind("event", event)
                .run();
    }

    /** Sets when an event is looked at next. */
    static void schedule(Tx tx, View all, UUID event, @Nullable Instant next) {
        tx.sql(all, "update calendar_event e set next_boundary_at = :next where {e} and e.event_id = :event")
                .bind("next", next)
                .bind("event", event)
                .run();
    }

    /** Organizations with events whose times were computed by other rules of the zones than these. */
    static List<UUID> organizationsOfOtherZones(Tx tx, String version) {
        return tx.sqlAcrossTenants("select distinct e.organization_id from calendar_event e"
                        + " where e.zone_version <> :version and e.zone_version <> '' limit 500")
                .bind("version", version)
                .list(row -> row.uuid("organization_id"));
    }

    /** Some such events of an organization, in the order of their ids, behind one. */
    static List<DueEvent> ofOtherZones(Tx tx, View all, String version, UUID after) {
        return tx.sql(
                        all,
                        "select e.event_id, e.pod_id, e.inbox_id from calendar_event e where {e}"
                                + " and e.zone_version <> :version and e.zone_version <> '' and e.event_id > :after"
                                + " order by e.event_id limit 50")
                .bind("version", version)
                .bind("after", after)
                .list(row -> new DueEvent(
                        row.uuid("event_id"), all.pod(row.uuid("pod_id")).inbox(row.uuid("inbox_id"))));
    }

    /** What was raised of an event. */
    public static Set<BoundarySchedule.Mark> list(Tx tx, View inbox, UUID event) {
        return new HashSet<>(tx.sql(
                        inbox, "select b.slot, b.which from calendar_boundary b where {b} and b.event_id = :event")
                .bind("event", event)
                .list(row -> new BoundarySchedule.Mark(
                        row.text("slot"), BoundaryKind.valueOf(row.text("which").toUpperCase(Locale.ROOT)))));
    }
}
