package dev.inboxd.tenant.inbox;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import java.util.UUID;

/** Inboxes over HTTP. Only routes: the rules are in {@link Inboxes}. */
public final class InboxHttp {
    private final Inboxes inboxes;

    /** Routes to these inboxes. */
    public InboxHttp(Inboxes inboxes) {
        this.inboxes = inboxes;
    }

    /** Mounts the collection for the organization or a pod. */
    public void mountAll(Routes level) {
        level.get(Permission.INBOX_READ, "/inboxes", this::list);
        level.post(Permission.INBOX_CREATE, "/inboxes", this::create);
    }

    /**
     * Mounts the routes of one inbox.
     *
     * @param path {@code /inboxes/{inbox_id}} below a pod, empty for the routes of an inbox
     */
    public void mountOne(Routes level, String path) {
        level.get(Permission.INBOX_READ, path, this::get);
        level.patch(Permission.INBOX_UPDATE, path, this::update);
        level.delete(Permission.INBOX_DELETE, path, this::delete);
        level.get(Permission.MESSAGE_READ, path + "/dropped", this::dropped);
    }

    private Response list(Request request) {
        PageRequest page = request.page(PageLimit.list(500));
        return Response.ok(page.listing("inboxes", inboxes.list(request.view(), page), Inbox::json));
    }

    private Response create(Request request) {
        return Response.ok(request.change()
                .of(inboxes.create(request.caller(), request.view(), NewInbox.read(request.body())))
                .json());
    }

    private Response get(Request request) {
        Inbox resolved = request.resolved(Inbox.class);
        return Response.ok((resolved != null ? resolved : inboxes.get(request.view(), id(request))).json());
    }

    private Response update(Request request) {
        InboxChange change = InboxChange.read(request.body());
        return Response.ok(request.change()
                .of(inboxes.update(request.caller(), request.view(), id(request), change))
                .json());
    }

    private Response delete(Request request) {
        request.change().target(inboxes.delete(request.view(), id(request)).address());
        return Response.ok();
    }

    private Response dropped(Request request) {
        PageRequest page = request.page(PageLimit.list(100));
        DroppedMail.DroppedPage droppedPage = inboxes.dropped(request.view(), id(request), page);
        return Response.ok(page.listing("dropped", droppedPage.slice(), DroppedMail.DroppedMessage::json)
                .with("total", droppedPage.total()));
    }

    /** For the routes of an inbox, the path was resolved before the handler. Below a pod, the id is resolved here. */
    private UUID id(Request request) {
        UUID resolved = request.view().inbox();
        return resolved != null
                ? resolved
                : inboxes.named(request.view(), request.path("inbox_id")).id();
    }
}
