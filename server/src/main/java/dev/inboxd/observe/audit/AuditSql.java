package dev.inboxd.observe.audit;

import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the audit log and of the requests of keys. */
final class AuditSql {
    static final RowStatement<KeyRequest> INSERT_REQUESTS = RowStatement.of(
            """
            insert into key_request (organization_id, api_key_id, request_id, at, method, route, status, code, millis,
                                     address)
            select {organization}, r.* from {rows} as r on conflict do nothing""",
            RowStatement.uuid("api_key_id", KeyRequest::key),
            RowStatement.text("request_id", KeyRequest::id),
            RowStatement.time("at", KeyRequest::at),
            RowStatement.text("method", KeyRequest::method),
            RowStatement.text("route", KeyRequest::route),
            RowStatement.integer("status", KeyRequest::status),
            RowStatement.text("code", KeyRequest::code),
            RowStatement.integer("millis", KeyRequest::millis),
            RowStatement.text("address", KeyRequest::address));

    static final RowStatement<MessageCall> INSERT_CALLS = RowStatement.of(
            """
            insert into message_call (organization_id, inbox_id, message_id, request_id, api_key_id, at, method, route)
            select {organization}, r.* from {rows} as r on conflict do nothing""",
            RowStatement.uuid("inbox_id", MessageCall::inbox),
            RowStatement.text("message_id", MessageCall::message),
            RowStatement.text("request_id", MessageCall::request),
            RowStatement.uuid("api_key_id", MessageCall::key),
            RowStatement.time("at", MessageCall::at),
            RowStatement.text("method", MessageCall::method),
            RowStatement.text("route", MessageCall::route));
    private static final KeysetList REQUESTS = KeysetList.byTimeAndName("q.at", "q.request_id");

    private AuditSql() {}

    /**
     * The entries of an actor on a day, with the one that is added now.
     *
     * @param limited the entry that counts those beyond the most; null when there is none
     */
    record ActorDay(int entries, @Nullable UUID limited) {}

    /** Counts an entry of a key or a session on a day (UTC). */
    static ActorDay enter(Tx tx, View all, UUID actor, LocalDate day) {
        return tx.sql(all, """
                insert into audit_day as d (organization_id, actor_id, day, entries)
                values ({organization}, :actor, :day::date, 1)
                on conflict (organization_id, actor_id, day) do update set entries = d.entries + 1
                returning d.entries, d.limited_as""")
                .bind("actor", actor)
                .bind("day", day.toString())
                .single(row -> new ActorDay(row.integer("entries"), row.uuidOrNull("limited_as")));
    }

    /** The entry that counts what an actor does beyond the most of a day. */
    record Limit(UUID actor, LocalDate day, UUID entry) {}

    static void limit(Tx tx, View all, Limit limit) {
        tx.sql(all, """
                update audit_day d set limited_as = :entry
                where d.organization_id = {organization} and d.actor_id = :actor and d.day = :day::date""")
                .bind("entry", limit.entry)
                .bind("actor", limit.actor)
                .bind("day", limit.day.toString())
                .run();
    }

    /** Lets an entry stand for one change more; 0 when it is not there. */
    static int countUp(Tx tx, View all, UUID entry) {
        return tx.sql(all, """
                update audit_entry a set count = a.count + 1
                where a.organization_id = {organization} and a.entry_id = :id""").bind("id", entry).run();
    }

    /** Adds an entry; the actor's name is that of now. */
    static void insert(Tx tx, View all, AuditEntry entry) {
        tx.sql(all, """
                insert into audit_entry (organization_id, entry_id, at, actor, actor_id, actor_name, action, target,
                                         details, address, request_id, size, count)
                select o.organization_id, :id::uuid, :at::timestamptz, :actor, :actor_id::uuid, coalesce(:account::text,
                        (select k.name from api_key k where k.organization_id = {organization}
                         and k.api_key_id = :actor_id),
                        (select s.human_email from console_session s where s.organization_id = {organization}
                         and s.session_id = :actor_id)),
                        :action, :target, :details, :address, :request, :size, :count
                from organization o where o.organization_id = {organization}""")
                .bind("id", entry.id())
                .bind("at", entry.at())
                .bind("actor", entry.actor().type().wireName())
                .bind("actor_id", entry.actor().id())
                .bind("account", entry.actor().account())
                .bind("action", entry.action())
                .bind("target", entry.target())
                .bind("details", entry.details())
                .bind("address", entry.actor().source().address())
                .bind("request", entry.actor().source().request())
                .bind("size", entry.size())
                .bind("count", entry.count())
                .run();
    }

    /**
     * A part of the log.
     *
     * @param edge the last entry that is looked at; null for all
     */
    record Range(
            boolean ascending, AuditFilter filter, @Nullable UUID edge) {
        String order() {
            return " order by a.entry_id " + (ascending ? "asc" : "desc");
        }

        String behind(@Nullable UUID after) {
            return after == null ? "" : " and a.entry_id " + (ascending ? ">" : "<") + " :cursor";
        }

        String upToEdge() {
            return edge == null ? "" : " and a.entry_id " + (ascending ? "<=" : ">=") + " :edge";
        }
    }

    /**
     * Some entries, in their order.
     *
     * @param after the entry before the first; null for the beginning
     */
    record Stretch(@Nullable UUID after, int most, Range range) {}

    /** The last of some entries, whoever did what; null when there are fewer. */
    static @Nullable UUID edge(Tx tx, View all, Stretch stretch) {
        AuditFilter times = stretch.range.filter.timesAlone();
        String sql = "select a.entry_id from audit_entry a where a.organization_id = {organization}"
                + times.condition()
                + stretch.range.behind(stretch.after)
                + stretch.range.order()
                + " offset :most limit 1";
        return times.bind(tx.sql(all, sql))
                .bind("cursor", stretch.after)
                .bind("most", stretch.most - 1)
                .first(row -> row.uuid("entry_id"))
                .orElse(null);
    }

    /** Some entries of a page. A row of an earlier revision may have a megabyte: it is cut before it is read. */
    static List<AuditEntry> list(Tx tx, View all, Stretch stretch) {
        String sql = "select a.entry_id, a.at, a.actor, a.actor_id, left(a.actor_name, 512) as actor_name, a.action,"
                + " left(a.target, 1024) as target,"
                + " case when octet_length(a.details) <= " + AuditDetails.LONGEST + " then a.details end as details,"
                + " left(a.address, 256) as address, left(a.request_id, 256) as request_id, a.count"
                + " from audit_entry a where a.organization_id = {organization}"
                + stretch.range.filter.condition()
                + stretch.range.behind(stretch.after)
                + stretch.range.upToEdge()
                + stretch.range.order()
                + " limit :limit";
        return stretch.range
                .filter
                .bind(tx.sql(all, sql))
                .bind("cursor", stretch.after)
                .bind("edge", stretch.range.edge)
                .bind("limit", stretch.most)
                .list(AuditSql::entry);
    }

    private static AuditEntry entry(Row row) {
        return new AuditEntry(
                row.uuid("entry_id"),
                row.instant("at"),
                new AuditActor(
                        AuditActor.Type.ofWire(row.text("actor")),
                        row.uuidOrNull("actor_id"),
                        new AuditSource(row.textOrNull("address"), row.textOrNull("request_id"))),
                row.textOrNull("actor_name"),
                row.text("action"),
                row.textOrNull("target"),
                row.textOrNull("details"),
                row.integerOrNull("count"));
    }

    static List<KeyRequest> requests(Tx tx, View all, UUID key, PageRequest page) {
        String select =
                "select q.* from key_request q where q.organization_id = {organization} and q.api_key_id = :key";
        return REQUESTS.page(tx, all, select, page)
                .bind("key", key)
                .list(row -> new KeyRequest(
                        all.organization(),
                        row.uuid("api_key_id"),
                        row.text("request_id"),
                        row.instant("at"),
                        row.text("method"),
                        row.text("route"),
                        row.integer("status"),
                        row.textOrNull("code"),
                        row.integer("millis"),
                        row.text("address")));
    }
}
