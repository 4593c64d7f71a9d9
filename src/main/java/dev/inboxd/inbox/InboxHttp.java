package dev.inboxd.inbox;

import dev.inboxd.access.Permission;
import dev.inboxd.http.Request;
import dev.inboxd.http.Response;
import dev.inboxd.http.Routes;
import dev.inboxd.page.Page;
import dev.inboxd.page.PageLimit;
import java.util.Objects;
import java.util.UUID;

/** Inboxes over HTTP. No rule lives here. */
public final class InboxHttp {
    private final Inboxes inboxes;

    /** Routes to these inboxes. */
    public InboxHttp(Inboxes inboxes) {
        this.inboxes = inboxes;
    }

    /**
     * Mounts the collection at a level that has inboxes, and one inbox at its own level.
     *
     * @param all the organization's routes
     * @param one the inbox's routes
     */
    public void mount(Routes all, Routes one) {
        all.get(Permission.INBOX_READ, "/inboxes", this::list);
        all.post(Permission.INBOX_CREATE, "/inboxes", this::create);
        one.get(Permission.INBOX_READ, "", this::get);
        one.patch(Permission.INBOX_UPDATE, "", this::update);
        one.delete(Permission.INBOX_DELETE, "", this::delete);
    }

    private Response list(Request request) {
        Page page = request.page(PageLimit.list(500));
        return Response.ok(page.listing("inboxes", inboxes.list(request.view(), page), Inbox::json));
    }

    private Response create(Request request) {
        return Response.ok(inboxes.create(request.caller(), NewInbox.read(request.body())).json());
    }

    private Response get(Request request) {
        return Response.ok(inboxes.get(request.view(), id(request)).json());
    }

    private Response update(Request request) {
        return Response.ok(inboxes.update(request.view(), id(request), InboxChange.read(request.body())).json());
    }

    private Response delete(Request request) {
        inboxes.delete(request.view(), id(request));
        return Response.ok();
    }

    /** The path was resolved before the handler ran. */
    private static UUID id(Request request) {
        return Objects.requireNonNull(request.view().inbox());
    }
}
