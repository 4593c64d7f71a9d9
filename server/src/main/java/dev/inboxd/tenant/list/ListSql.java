package dev.inboxd.tenant.list;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The rows of lists. */
final class ListSql {
    private static final String SELECT = """
            select l.owner_id, l.pod_id, l.inbox_id, l.direction, l.type, l.entry, l.reason, l.read_only, l.created_at,
                   (select i.address from inbox i
                    where i.organization_id = {organization} and i.inbox_id = l.inbox_id) as inbox_name
            from list_entry l
            where {l} and l.owner_id = :owner and l.direction = :direction and l.type = :type""";

    private static final String INSERT = """
            insert into list_entry (organization_id, direction, type, owner_id, entry, pod_id, inbox_id, reason,
                                    read_only, created_at)
            values ({organization}, :direction, :type, :owner, :entry, :pod, :inbox, :reason, false, :at)""";

    /** A client's entry for the same address becomes an entry of delivery; what its owner said goes before a bounce. */
    private static final String SUPPRESS = """
            insert into list_entry as l (organization_id, direction, type, owner_id, entry, reason, read_only,
                                         created_at)
            select k.organization_id, 'send', 'block', k.organization_id, s.entry, :reason, true, :at
            from unnest(:entries::text[]) as s (entry)
            join organization_clock k on k.organization_id = {organization}
            on conflict (organization_id, direction, type, owner_id, entry)
            do update set read_only = true, reason = excluded.reason
            where not l.read_only or (l.reason = 'bounced' and excluded.reason <> 'bounced')""";

    private static final RowStatement<ListEntry> DELETE = RowStatement.of(
            """
            delete from list_entry l using {rows} as r
            where {l} and l.owner_id = r.owner_id and l.direction = r.direction and l.type = r.type
              and l.entry = r.entry""",
            RowStatement.uuid("owner_id", entry -> entry.owner().id()),
            RowStatement.text("direction", entry -> entry.list().direction().wireName()),
            RowStatement.text("type", entry -> entry.list().type().wireName()),
            RowStatement.text("entry", entry -> entry.key().text()));

    private ListSql() {}

    static List<ListEntry> list(Tx tx, View view, UUID owner, ListName list, PageRequest page) {
        String after = page.after() == null ? "" : page.after().text(0);
        return tx.sql(view, SELECT + " and l.entry > :after order by l.entry limit :limit")
                .bind("owner", owner)
                .bind("direction", list.direction().wireName())
                .bind("type", list.type().wireName())
                .bind("after", after)
                .bind("limit", page.fetch())
                .list(ListSql::read);
    }

    static Optional<ListEntry> find(Tx tx, View view, UUID owner, ListName list, ListKey key) {
        return tx.sql(view, SELECT + " and l.entry = :entry")
                .bind("owner", owner)
                .bind("direction", list.direction().wireName())
                .bind("type", list.type().wireName())
                .bind("entry", key.text())
                .first(ListSql::read);
    }

    /** The number of a list's entries that clients created. */
    static int count(Tx tx, View view, UUID owner, ListName list) {
        return tx.sql(
                        view,
                        "select count(*) as n from list_entry l where {l} and l.owner_id = :owner"
                                + " and l.direction = :direction and l.type = :type and not l.read_only")
                .bind("owner", owner)
                .bind("direction", list.direction().wireName())
                .bind("type", list.type().wireName())
                .single(row -> row.integer("n"));
    }

    static void insert(Tx tx, View view, ListEntry entry) {
        tx.sql(view, INSERT)
                .bind("direction", entry.list().direction().wireName())
                .bind("type", entry.list().type().wireName())
                .bind("owner", entry.owner().id())
                .bind("entry", entry.key().text())
                .bind("pod", entry.owner().pod())
                .bind("inbox", entry.owner().inbox())
                .bind("reason", entry.reason())
                .bind("at", entry.createdAt())
                .run();
    }

    static void suppress(Tx tx, View all, List<String> entries, String reason, Instant at) {
        tx.sql(all, SUPPRESS)
                .bind("entries", entries)
                .bind("reason", reason)
                .bind("at", at)
                .run();
    }

    /** The organization's entries of delivery behind an address, in the order of addresses. */
    static List<Suppressions.Suppression> suppressed(Tx tx, View all, String after, int limit) {
        return tx.sql(
                        all,
                        "select l.entry, l.reason, l.created_at from list_entry l where {l} and l.direction = 'send'"
                                + " and l.type = 'block' and l.owner_id = {organization} and l.entry > :after"
                                + " and l.read_only order by l.entry limit :limit")
                .bind("after", after)
                .bind("limit", limit)
                .list(row -> new Suppressions.Suppression(
                        all.organization(), row.text("entry"), row.text("reason"), row.instant("created_at")));
    }

    static void delete(Tx tx, View view, UUID owner, ListName list, ListKey key) {
        tx.sql(
                        view,
                        "delete from list_entry l where {l} and l.owner_id = :owner and l.direction = :direction"
                                + " and l.type = :type and l.entry = :entry")
                .bind("owner", owner)
                .bind("direction", list.direction().wireName())
                .bind("type", list.type().wireName())
                .bind("entry", key.text())
                .run();
    }

    static void appendDelete(RoundTrip writes, View all, List<ListEntry> entries) {
        writes.change(all, DELETE, entries);
    }

    /** Deletes every list of one owner: at most six of ten thousand entries. */
    static void deleteOwned(Tx tx, View all, UUID owner) {
        tx.sql(
                        all,
                        "delete from list_entry l where {l} and l.direction in ('send', 'receive', 'reply')"
                                + " and l.type in ('allow', 'block') and l.owner_id = :owner")
                .bind("owner", owner)
                .run();
    }

    private static ListEntry read(Row row) {
        return new ListEntry(
                new ListOwner(
                        row.uuid("owner_id"),
                        row.uuidOrNull("pod_id"),
                        row.uuidOrNull("inbox_id"),
                        row.textOrNull("inbox_name")),
                listName(row),
                new ListKey(row.text("entry")),
                row.textOrNull("reason"),
                row.flag("read_only"),
                row.instant("created_at"));
    }

    static ListName listName(Row row) {
        return new ListName(
                Objects.requireNonNull(Direction.ofWire(row.text("direction"))),
                Objects.requireNonNull(ListType.ofWire(row.text("type"))));
    }
}
