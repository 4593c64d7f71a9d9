package dev.inboxd.observe.audit;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.tenant.apikey.ApiKeys;
import java.util.UUID;

/** The audit log and the requests of keys over HTTP (approvals.md §6, §7). */
public final class AuditHttp {
    private static final PageLimit LIMIT = PageLimit.list(200);

    private final Database database;
    private final ApiKeys keys;

    /** Routes to the logs of a database. */
    public AuditHttp(Database database, ApiKeys keys) {
        this.database = database;
        this.keys = keys;
    }

    /** Mounts the audit log, for the organization alone. */
    public void mountLog(Routes organization) {
        organization.get(Permission.AUDIT_READ, "/audit-log", this::log);
    }

    /** Mounts the requests of keys at a level. */
    public void mount(Routes level) {
        level.get(Permission.API_KEY_READ, "/api-keys/{api_key_id}/requests", this::requests);
    }

    private Response log(Request request) {
        // Before the page: its token is good for this filter alone.
        AuditFilter filter = AuditFilter.of(request.query());
        PageRequest page = request.page(LIMIT);
        View all = View.of(request.caller().organization());
        var entries = database.read(tx -> AuditPage.read(tx, all, page, filter));
        return Response.ok(page.listing("entries", entries, entry -> entry.json(request.caller())));
    }

    private Response requests(Request request) {
        UUID key = keys.get(request.view(), request.path("api_key_id")).id();
        PageRequest page = request.page(LIMIT);
        View all = View.of(request.caller().organization());
        return Response.ok(page.listing(
                "requests",
                database.read(tx -> page.slice(
                        AuditSql.requests(tx, all, key, page),
                        keyRequest -> Cursor.of(keyRequest.at(), keyRequest.id()))),
                KeyRequest::json));
    }
}
