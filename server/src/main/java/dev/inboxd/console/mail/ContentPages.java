package dev.inboxd.console.mail;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.picture.PictureCopy;
import dev.inboxd.console.picture.RemotePictures;
import dev.inboxd.console.session.Visit;
import dev.inboxd.mail.text.SafeMarkup;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The formatted text of a message, for a frame without scripts, forms and origin. It is cleaned, and should something
 * slip through, its policy lets it load nothing, run nothing and reach nobody.
 */
public final class ContentPages {
    private static final Set<String> PICTURES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    private static final int MOST_COPIES = 40;

    private final ContentLinks links;
    private final LocalCalls calls;
    private final RemotePictures remote;

    public ContentPages(ContentLinks links, LocalCalls calls, RemotePictures remote) {
        this.links = links;
        this.calls = calls;
        this.remote = remote;
    }

    public void mount(Routes root) {
        root.get(Gate.PUBLIC, "/console/content/{token}", this::message);
        root.get(Gate.PUBLIC, "/console/content/{token}/{attachment_id}", this::picture);
        root.getAlone(Gate.PUBLIC, "/console/content/{token}/remote/{place}", this::copy);
    }

    private Response message(Request request) {
        ContentLinks.Content content = content(request);
        JsonTree message = message(request, content);
        Map<String, String> pictures = new HashMap<>();
        for (JsonTree attachment : message.list("attachments")) {
            if (PICTURES.contains(attachment.text("content_type").toLowerCase(Locale.ROOT))) {
                pictures.put(
                        attachment.text("content_id"),
                        "content/" + request.path("token") + "/" + attachment.text("attachment_id"));
            }
        }
        SafeMarkup markup = SafeMarkup.of(
                message.text("html"),
                cid -> pictures.getOrDefault(cid, "").isEmpty() ? "" : "../" + pictures.get(cid),
                place -> content.remote() && place < MOST_COPIES
                        ? "../content/" + request.path("token") + "/remote/" + place
                        : "");
        return safe(Response.bytes(
                        200,
                        "text/html; charset=utf-8",
                        document(markup, content.remote()).getBytes(StandardCharsets.UTF_8)))
                .header("Cache-Control", "no-store");
    }

    private JsonTree message(Request request, ContentLinks.Content content) {
        return JsonTree.of(bytes(calls.call(
                request, reader(content), LocalCall.get("inboxes", content.inbox(), "messages", content.message()))));
    }

    /** A picture that somebody asked for: the link says of which mail, and the mail says where it is. */
    private Response copy(Request request) {
        ContentLinks.Content content = content(request);
        String place = request.path("place");
        boolean isPlace = place.length() < 3 && place.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!content.remote() || !isPlace || Integer.parseInt(place) >= MOST_COPIES) {
            throw Problem.notFound("Picture");
        }
        List<String> named =
                SafeMarkup.of(message(request, content).text("html"), _ -> "").remote();
        PictureCopy copy = Integer.parseInt(place) < named.size()
                ? remote.fetch(named.get(Integer.parseInt(place))).orElse(null)
                : null;
        if (copy == null) {
            throw Problem.notFound("Picture");
        }
        // Loaded once: the browser keeps it as long as the link is good.
        return safe(Response.bytes(200, copy.type(), copy.content())).header("Cache-Control", "private, max-age=1800");
    }

    private static String document(SafeMarkup markup, boolean remote) {
        int images = markup.remote().size();
        String note = images == 0
                ? ""
                : "<p role=\"note\" style=\"font:14px system-ui;background:#fff3cd;color:#4d3a00;padding:8px;"
                        + "margin:0 0 8px\">"
                        + (images == 1 ? "1 remote image was" : images + " remote images were")
                        + (remote
                                ? " loaded by this server. The sender sees the address of the server, not yours.</p>"
                                : " not loaded. The sender learns nothing.</p>");
        return "<!doctype html><html lang=\"und\"><meta charset=\"utf-8\"><title>Formatted mail</title>"
                + "<meta name=\"viewport\" content=\"width=device-width\">"
                + "<body style=\"background:#fff;color:#111;margin:12px;font:16px/1.5 system-ui,sans-serif;"
                + "overflow-wrap:anywhere\">"
                + note + markup.html() + "</body></html>";
    }

    /** A picture that came with the mail. Its type is one of four, whatever the mail says of it. */
    private Response picture(Request request) {
        ContentLinks.Content content = content(request);
        JsonTree attachment = JsonTree.of(bytes(calls.call(
                request,
                reader(content),
                LocalCall.get(
                        "inboxes",
                        content.inbox(),
                        "messages",
                        content.message(),
                        "attachments",
                        request.path("attachment_id")))));
        String type = attachment.text("content_type").toLowerCase(Locale.ROOT);
        if (!PICTURES.contains(type)) {
            throw Problem.notFound("Picture");
        }
        String path = URI.create(attachment.text("download_url")).getRawPath();
        int download = path.indexOf("/download/");
        Response file = calls.call(
                request, reader(content), new LocalCall("GET", path.substring(Math.max(0, download)), null, null));
        Response picture = switch (file.body()) {
            case Response.Body.Bytes bytes -> Response.bytes(200, type, bytes.content());
            case Response.Body.Stream stream -> Response.stream(type, stream.length(), stream.content());
            default -> throw Problem.notFound("Picture");
        };
        return safe(picture).header("Cache-Control", "no-store");
    }

    private Response safe(Response answer) {
        return answer.header(
                        "Content-Security-Policy",
                        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src 'self' data:;"
                                + " style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors "
                                + links.ancestors())
                .header("Referrer-Policy", "no-referrer");
    }

    private ContentLinks.Content content(Request request) {
        String host = Visit.own(request);
        ContentLinks.Content content = links.open(request.path("token"));
        if (content == null
                || links.host().filter(own -> !own.equalsIgnoreCase(host)).isPresent()) {
            throw Problem.notFound("Message");
        }
        return content;
    }

    /** Whoever has the link reads this organization's mail, and the link names the one message. */
    private static Caller reader(ContentLinks.Content content) {
        View view = new View(content.organization(), null, null, 0, null);
        return new Caller(
                new Caller.Credential.Operator(),
                Scope.ORGANIZATION,
                view,
                null,
                Set.of(
                        Permission.MESSAGE_READ,
                        Permission.LABEL_SPAM_READ,
                        Permission.LABEL_BLOCKED_READ,
                        Permission.LABEL_UNAUTHENTICATED_READ,
                        Permission.LABEL_TRASH_READ),
                false,
                false,
                false,
                false);
    }

    private static byte[] bytes(Response answer) {
        return answer.body() instanceof Response.Body.Bytes bytes ? bytes.content() : new byte[0];
    }
}
