package dev.inboxd.calendar.feed;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.OrganizationMark;
import dev.inboxd.calendar.content.AgendaWindow;
import dev.inboxd.calendar.content.EventSpan;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarTx;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of links to feeds, each with its row in the global index of their hashes. */
public final class CalendarFeedSql {
    private static final String ENDED = "not exists (select 1 from api_key k where"
            + " k.organization_id = %s and k.api_key_id = f.api_key_id"
            + " and (k.expires_at is null or k.expires_at > :now))";

    private CalendarFeedSql() {}

    /**
     * A link with its calendar.
     *
     * @param key the key that made it
     * @param changes how often the events of the calendar were changed
     * @param revision how often its settings were
     * @param changedAt when any of it was changed last
     */
    record Link(UUID key, Place place, ZoneId zone, long changes, long revision, Instant changedAt) {}

    /** The inbox of a link. */
    record Place(
            UUID pod, UUID inbox, String address, @Nullable String displayName) {
        String name() {
            return displayName == null || displayName.isBlank() ? address : displayName;
        }
    }

    static Optional<UUID> organization(Tx tx, byte[] hash) {
        return tx.sql("select t.organization_id from calendar_feed_token t where t.hash = :hash")
                .bind("hash", hash)
                .first(row -> row.uuid("organization_id"));
    }

    public static Optional<Link> find(Tx tx, View all, byte[] hash) {
        return tx.sql(all, """
                select f.api_key_id, f.inbox_id, i.pod_id, i.address, i.display_name,
                    coalesce(c.timezone, 'UTC') as timezone, coalesce(c.changes, 0) as changes,
                    coalesce(c.revision, 0) as revision,
                    greatest(c.changed_at, c.updated_at, i.updated_at, f.created_at) as changed_at
                from calendar_feed f
                join inbox i on i.organization_id = f.organization_id and i.inbox_id = f.inbox_id and not i.deleting
                left join calendar c on c.organization_id = f.organization_id and c.inbox_id = f.inbox_id
                where {f} and f.hash = :hash""").bind("hash", hash).first(CalendarFeedSql::read);
    }

    private static Link read(Row row) {
        return new Link(
                row.uuid("api_key_id"),
                new Place(
                        row.uuid("pod_id"), row.uuid("inbox_id"), row.text("address"), row.textOrNull("display_name")),
                ZoneId.of(row.text("timezone")),
                row.longer("changes"),
                row.longer("revision"),
                row.instant("changed_at"));
    }

    static int count(Tx tx, View inbox) {
        return tx.sql(inbox, "select count(*) as n from calendar_feed f where {f}")
                .single(row -> row.integer("n"));
    }

    static void insert(CalendarTx change, byte[] hash, UUID key) {
        change.tx()
                .sql(change.all(), """
                insert into calendar_feed (organization_id, hash, pod_id, inbox_id, api_key_id, created_at)
                values ({organization}, :hash, :pod, :inbox, :key, :now)""")
                .bind("hash", hash)
                .bind("pod", change.inbox().pod())
                .bind("inbox", change.inbox().id())
                .bind("key", key)
                .bind("now", change.now())
                .run();
        change.tx()
                .sql("insert into calendar_feed_token (hash, organization_id) values (:hash, :organization)")
                .bind("hash", hash)
                .bind("organization", change.view().organization())
                .run();
    }

    /** Deletes the links of an inbox. */
    public static int delete(Tx tx, View inbox) {
        return forget(tx, tx.sql(inbox, "delete from calendar_feed f where {f} returning f.hash"));
    }

    /** Deletes the links whose keys were deleted or have expired. */
    static void deleteEnded(Tx tx, View view, Instant now) {
        forget(
                tx,
                tx.sql(
                                view,
                                "delete from calendar_feed f where {f} and " + ENDED.formatted("{organization}")
                                        + " returning f.hash")
                        .bind("now", now));
    }

    private static int forget(Tx tx, Statement deletion) {
        byte[][] hashes = deletion.list(row -> row.bytes("hash")).toArray(byte[][]::new);
        if (hashes.length > 0) {
            tx.sql("delete from calendar_feed_token t where t.hash = any (:hashes)")
                    .bind("hashes", hashes)
                    .run();
        }
        return hashes.length;
    }

    /** Some organizations with links whose keys were deleted or have expired. */
    static List<UUID> organizationsWithEnded(Tx tx, Instant now) {
        return tx.sqlAcrossTenants("select distinct f.organization_id from calendar_feed f where "
                        + ENDED.formatted("f.organization_id") + " and" + OrganizationMark.noneAt("f") + " limit 500")
                .bind("now", now)
                .list(row -> row.uuid("organization_id"));
    }

    /** The events that can overlap a window; what goes on longest comes first. */
    static List<UUID> candidates(Tx tx, View inbox, AgendaWindow window, int most) {
        return tx.sql(inbox, """
                select e.event_id from calendar_event e
                where {e} and e.first_at < :before and (e.last_at is null or e.last_at >= :after)
                order by e.last_at desc nulls first, e.event_id limit :most""")
                .bind("before", window.before().plus(EventSpan.DRIFT))
                .bind("after", window.after().minus(EventSpan.DRIFT))
                .bind("most", most)
                .list(row -> row.uuid("event_id"));
    }

    /** These events, those that are still there, in this order. */
    static List<CalendarEventSql.EventRow> events(Tx tx, View inbox, Collection<UUID> ids) {
        List<UUID> order = new ArrayList<>(ids);
        List<CalendarEventSql.EventRow> rows = new ArrayList<>(tx.sql(
                        inbox,
                        "select " + CalendarEventSql.PUBLISHED
                                + " from calendar_event e where {e} and e.event_id = any (:ids)")
                .bind("ids", ids.toArray(UUID[]::new))
                .list(CalendarEventSql::read));
        rows.sort((first, second) -> Integer.compare(
                order.indexOf(first.event().id()), order.indexOf(second.event().id())));
        return rows;
    }
}
