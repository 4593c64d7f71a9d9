package dev.inboxd.message;

import dev.inboxd.access.Gate;
import dev.inboxd.attachment.Attachment;
import dev.inboxd.attachment.Attachments;
import dev.inboxd.database.Database;
import dev.inboxd.database.View;
import dev.inboxd.http.ContentDisposition;
import dev.inboxd.http.Request;
import dev.inboxd.http.Response;
import dev.inboxd.http.Routes;
import dev.inboxd.json.JsonObject;
import dev.inboxd.link.Links;
import java.util.Optional;
import java.util.UUID;

/**
 * What signed links lead to (contract: mail.md §9.3). The row is looked up at each call, so a link dies with its
 * message; the bytes are always offered as a file and never rendered on our host (promises.md A19, A34).
 */
public final class DownloadHttp {
    private final Database database;
    private final Messages messages;
    private final Contents contents;
    private final Links links;

    /** Downloads from this database. */
    public DownloadHttp(Database database, Messages messages, Contents contents, Links links) {
        this.database = database;
        this.messages = messages;
        this.contents = contents;
        this.links = links;
    }

    /** Mounts the one route, which needs no key. */
    public void mount(Routes root) {
        root.get(Gate.PUBLIC, "/download/{token}", this::download);
    }

    private Response download(Request request) {
        Links.Target target = links.open(request.path("token"));
        Optional<Response> found = target == null ? Optional.empty() : switch (target.kind()) {
            case RAW -> raw(target.organization(), target.id());
            case ATTACHMENT -> attachment(target.organization(), target.id());
            case BODY -> body(target.organization(), target.id());
        };
        return found.orElseGet(() -> Response.of(403, JsonObject.of("message", "The link is not valid, or not any more")))
                .header("X-Content-Type-Options", "nosniff").header("X-Frame-Options", "DENY")
                .header("Content-Security-Policy", "default-src 'none'; sandbox")
                .header("Referrer-Policy", "no-referrer").header("Cache-Control", "no-store");
    }

    private Optional<Response> raw(UUID organization, UUID id) {
        return messages.find(View.of(organization), id).map(found ->
                Response.stream("message/rfc822", found.message().size(), contents.open(organization, found.content()))
                        .header("Content-Disposition", ContentDisposition.attachment("message.eml")));
    }

    private Optional<Response> body(UUID organization, UUID id) {
        return messages.find(View.of(organization), id).map(found ->
                Response.ok(MessageJson.withBody(new JsonObject(), contents.shown(found.content()))));
    }

    private Optional<Response> attachment(UUID organization, UUID id) {
        View view = View.of(organization);
        Optional<Attachment> attachment = database.read(tx -> Attachments.find(tx, view, id));
        return attachment.flatMap(part -> messages.find(view, part.owner().message()).map(found ->
                Response.stream(part.mediaType(), part.size(),
                        contents.open(organization, found.content(), part))
                        .header("Content-Disposition", ContentDisposition.attachment(
                                part.filename() == null ? "attachment" : part.filename()))));
    }
}
