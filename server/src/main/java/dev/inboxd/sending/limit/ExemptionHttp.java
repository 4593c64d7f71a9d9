package dev.inboxd.sending.limit;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;

/** Recipients who need no approval, over HTTP (approvals.md §3). */
public final class ExemptionHttp {
    private final Database database;

    /** Routes to those of a database. */
    public ExemptionHttp(Database database) {
        this.database = database;
    }

    /** Mounts the routes of one inbox. */
    public void mount(Routes inbox) {
        inbox.get(Permission.DRAFT_READ, "/approval-exemptions", this::exemptions);
        inbox.delete(Permission.DRAFT_APPROVE, "/approval-exemptions/{address}", this::endExemption);
    }

    private Response exemptions(Request request) {
        PageRequest page = request.page(PageLimit.list(100));
        return Response.ok(page.listing(
                "exemptions",
                database.read(tx -> page.slice(
                        ExemptRecipients.list(tx, request.view(), page), exemption -> Cursor.of(exemption.address()))),
                exemption -> JsonObject.of("address", exemption.address()).with("created_at", exemption.createdAt())));
    }

    private Response endExemption(Request request) {
        int ended = database.write(
                request.view().organization(), tx -> ExemptRecipients.end(tx, request.view(), request.path("address")));
        if (ended == 0) {
            throw Problem.notFound("Exemption");
        }
        return Response.ok();
    }
}
