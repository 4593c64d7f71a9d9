package dev.inboxd.event;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;

/** The feed of an inbox over HTTP. */
public final class InboxFeedHttp {
    private static final PageLimit LIMIT = PageLimit.list(100);

    private final InboxFeed feed;

    /** Routes to this feed. */
    public InboxFeedHttp(InboxFeed feed) {
        this.feed = feed;
    }

    /** Mounts the route below an inbox. */
    public void mount(Routes inbox) {
        inbox.get(Permission.MESSAGE_READ, "/events", this::list);
    }

    private Response list(Request request) {
        PageRequest page = request.page(LIMIT);
        View view = request.view();
        return Response.ok(page.listing("events", feed.list(view, page), entry -> json(view, entry)));
    }

    private static JsonObject json(View view, InboxFeed.Entry entry) {
        EventType type = entry.removed() ? EventType.LABEL_REMOVED : EventType.LABEL_ADDED;
        return JsonObject.of("organization_id", view.organization())
                .with("pod_id", entry.pod())
                .with("inbox_id", entry.inboxName())
                .with("event_id", EventId.of(view.organization(), entry.stamp()))
                .with("event_type", type.wireName())
                .with("message_id", entry.messageName())
                .with("label", entry.label())
                .with("event_at", entry.stamp().at())
                .with("created_at", entry.stamp().at());
    }
}
