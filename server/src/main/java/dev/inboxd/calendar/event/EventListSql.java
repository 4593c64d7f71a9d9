package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The order of the list of events. */
final class EventListSql {
    private EventListSql() {}

    /**
     * The place of a row in the list.
     *
     * @param slot of an edited date; empty for an event
     * @param weight octets of what it says, with what its series says
     */
    record Key(Instant updatedAt, UUID event, String slot, long weight) {
        Cursor cursor() {
            return Cursor.of(updatedAt, event, slot);
        }
    }

    /** The keys of a page: what was changed last comes first. */
    static List<Key> keys(Tx tx, View inbox, PageRequest page) {
        Cursor after = page.after();
        String events = part("e", "''::text", after != null);
        String edits = part("o", "o.slot", after != null);
        return tx.sql(
                        inbox,
                        "select k.updated_at, k.event_id, k.slot, coalesce((select octet_length(w.content::text)"
                                + " from calendar_event w where w.organization_id = {organization}"
                                + " and w.event_id = k.event_id), 0) + coalesce((select octet_length(w.fields::text)"
                                + " from calendar_override w where w.organization_id = {organization}"
                                + " and w.event_id = k.event_id and w.slot = k.slot and not w.future), 0) as weight"
                                + " from (select u.* from (("
                                + events.formatted("calendar_event e where {e}")
                                + ") union all (" + edits.formatted("calendar_override o where {o} and not o.future")
                                + ")) as u order by u.updated_at desc, u.event_id, u.slot limit :limit) as k"
                                + " order by k.updated_at desc, k.event_id, k.slot")
                .bind("limit", page.fetch())
                .bind("time", after == null ? null : after.instant(0))
                .bind("id", after == null ? null : after.uuid(1))
                .bind("slot", after == null ? null : after.text(2))
                .list(row -> new Key(
                        row.instant("updated_at"), row.uuid("event_id"), row.text("slot"), row.longer("weight")));
    }

    private static String part(String alias, String slot, boolean continued) {
        String place = "%1$s.event_id, %2$s".formatted(alias, slot);
        return "select " + alias + ".updated_at, " + alias + ".event_id, " + slot + " as slot from %s"
                + (continued
                        ? " and " + alias + ".updated_at <= :time and (" + alias + ".updated_at < :time or (" + place
                                + ") > (:id, :slot))"
                        : "")
                + " order by " + alias + ".updated_at desc, " + place + " limit :limit";
    }
}
