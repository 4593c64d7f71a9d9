package dev.inboxd.message;

import dev.inboxd.thread.MailFilter;
import dev.inboxd.access.Permission;
import dev.inboxd.access.RestrictedLabel;
import dev.inboxd.http.Query;
import dev.inboxd.http.Request;
import dev.inboxd.http.Response;
import dev.inboxd.http.Routes;
import dev.inboxd.json.JsonObject;
import dev.inboxd.label.LabelChanges;
import dev.inboxd.label.Labels;
import dev.inboxd.link.Links;
import dev.inboxd.page.Page;
import dev.inboxd.page.PageLimit;
import java.time.Instant;
import java.util.List;

/** Messages of an inbox over HTTP. No rule lives here. */
public final class MessageHttp {
    private static final PageLimit LIMIT = PageLimit.list(500);

    private final Messages messages;
    private final Contents contents;
    private final Links links;

    /** Routes to these messages. */
    public MessageHttp(Messages messages, Contents contents, Links links) {
        this.messages = messages;
        this.contents = contents;
        this.links = links;
    }

    /** Mounts the routes of one inbox. */
    public void mount(Routes inbox) {
        inbox.get(Permission.MESSAGE_READ, "/messages", this::list);
        inbox.get(Permission.MESSAGE_READ, "/messages/{message_id}", this::get);
        inbox.get(Permission.MESSAGE_READ, "/messages/{message_id}/raw", this::raw);
        inbox.get(Permission.MESSAGE_READ, "/messages/{message_id}/attachments/{attachment_id}", this::attachment);
        inbox.patch(Permission.MESSAGE_UPDATE, "/messages/{message_id}", this::relabel);
    }

    /** The filters that lists of messages and of threads have in common (contract: mail.md §1.6, §1.7, §10). */
    public static MailFilter filter(Query query) {
        List<String> labels = query.list("labels").stream().map(Labels::normal).toList();
        int excluded = 0;
        for (RestrictedLabel restricted : RestrictedLabel.values()) {
            excluded |= query.flag("include_" + restricted.label(), false) ? 0 : restricted.bit();
        }
        Instant after = query.instant("after");
        Instant before = query.instant("before");
        return new MailFilter(labels, excluded, after, before);
    }

    private Response list(Request request) {
        MailFilter filter = filter(request.query());
        Page page = request.page(LIMIT);
        return Response.ok(page.listing("messages", messages.list(request.view(), filter, page),
                found -> MessageJson.item(found.message(), contents.shown(found.content()), found.attachments())));
    }

    private Response get(Request request) {
        Messages.Found found = messages.get(request.view(), name(request));
        return Response.ok(contents.json(request.view().organization(), found));
    }

    private Response raw(Request request) {
        Message message = messages.row(request.view(), name(request));
        Links.Link link = links.to(Links.Kind.RAW, request.view().organization(), message.id());
        return Response.ok(JsonObject.of("message_id", message.name()).with("size", message.size())
                .with("download_url", link.url()).with("expires_at", link.expiresAt()));
    }

    private Response attachment(Request request) {
        Message message = messages.row(request.view(), name(request));
        return Response.ok(messages.attachment(request.view(), request.path("attachment_id"), message.id(), null)
                .link(links, request.view().organization()));
    }

    private Response relabel(Request request) {
        Message message = messages.relabel(request.view(), name(request), LabelChanges.read(request.body()));
        return Response.ok(JsonObject.of("message_id", message.name()).with("labels", message.labels()));
    }

    /** The path's message id; its angle brackets may be left out (contract: mail.md §1.2). */
    public static String name(Request request) {
        String id = request.path("message_id");
        return id.startsWith("<") ? id : "<" + id + ">";
    }
}
