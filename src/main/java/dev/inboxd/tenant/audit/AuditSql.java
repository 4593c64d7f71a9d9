package dev.inboxd.tenant.audit;

import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.page.Cursor;
import dev.inboxd.platform.page.PageRequest;
import java.util.List;
import java.util.UUID;

/** The rows of the audit log and of the requests of keys; they are never changed. */
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

    private AuditSql() {}

    /** Adds an entry; the actor's name is that of now. */
    static void insert(Tx tx, View all, AuditEntry entry) {
        tx.sql(all, """
                insert into audit_entry (organization_id, entry_id, at, actor, actor_id, actor_name, action, target,
                                         details, address, request_id)
                select o.organization_id, :id::uuid, :at::timestamptz, :actor, :actor_id::uuid, coalesce(
                        (select k.name from api_key k where k.organization_id = {organization}
                         and k.api_key_id = :actor_id),
                        (select s.human_email from console_session s where s.organization_id = {organization}
                         and s.session_id = :actor_id)),
                        :action, :target, :details, :address, :request
                from organization o where o.organization_id = {organization}""")
                .bind("id", entry.id())
                .bind("at", entry.at())
                .bind("actor", entry.actor())
                .bind("actor_id", entry.actorId())
                .bind("action", entry.action())
                .bind("target", entry.target())
                .bind("details", entry.details())
                .bind("address", entry.address())
                .bind("request", entry.request())
                .run();
    }

    static List<AuditEntry> list(Tx tx, View all, PageRequest page) {
        Cursor after = page.after();
        String sql = "select a.* from audit_entry a where a.organization_id = {organization}"
                + (after == null ? "" : " and a.entry_id " + (page.ascending() ? ">" : "<") + " :cursor")
                + " order by a.entry_id " + (page.ascending() ? "asc" : "desc") + " limit :limit";
        return tx.sql(all, sql)
                .bind("cursor", after == null ? null : after.uuid(0))
                .bind("limit", page.fetch())
                .list(AuditSql::entry);
    }

    private static AuditEntry entry(Row row) {
        return new AuditEntry(
                row.uuid("entry_id"),
                row.instant("at"),
                row.text("actor"),
                row.uuidOrNull("actor_id"),
                row.textOrNull("actor_name"),
                row.text("action"),
                row.textOrNull("target"),
                row.textOrNull("details"),
                row.textOrNull("address"),
                row.textOrNull("request_id"));
    }

    static List<KeyRequest> requests(Tx tx, View all, UUID key, PageRequest page) {
        Cursor after = page.after();
        String order = page.ascending() ? "asc" : "desc";
        String sql = "select q.* from key_request q where q.organization_id = {organization} and q.api_key_id = :key"
                + (after == null ? "" : " and (q.at, q.request_id) " + (page.ascending() ? ">" : "<") + " (:time, :id)")
                + " order by q.at " + order + ", q.request_id " + order + " limit :limit";
        return tx.sql(all, sql)
                .bind("key", key)
                .bind("time", after == null ? null : after.instant(0))
                .bind("id", after == null ? null : after.text(1))
                .bind("limit", page.fetch())
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
