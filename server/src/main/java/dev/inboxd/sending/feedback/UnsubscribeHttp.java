package dev.inboxd.sending.feedback;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import java.nio.charset.StandardCharsets;

/**
 * HTTP routes to unsubscribe. Only a POST unsubscribes, because scanners follow links in mail too; a GET shows a page
 * with a button (RFC 8058 §3.2, and §1 on the reason). Neither reads or sets a cookie.
 */
public final class UnsubscribeHttp {
    private static final String HTML = "text/html; charset=utf-8";
    private static final String BUTTON = """
        <p>You will get no more mail from this sender.</p>
        <form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">\
        <button>Unsubscribe</button></form>
        """;

    private final Unsubscribes unsubscribes;

    /** Routes for these links. */
    public UnsubscribeHttp(Unsubscribes unsubscribes) {
        this.unsubscribes = unsubscribes;
    }

    /** Mounts the two routes, which need no API key. */
    public void mount(Routes root) {
        root.page(Unsubscribes.PATH + "{token}", this::ask);
        root.post(Gate.PUBLIC, Unsubscribes.PATH + "{token}", this::unsubscribe);
    }

    private Response ask(Request request) {
        subscriber(request);
        return page("Unsubscribe", BUTTON);
    }

    /** The body is a form with one member, in either encoding of forms (RFC 8058 §3.2). */
    private Response unsubscribe(Request request) {
        Unsubscribes.Subscriber subscriber = subscriber(request);
        String form = new String(request.octets(), StandardCharsets.ISO_8859_1);
        if (!form.contains("List-Unsubscribe") || !form.contains("One-Click")) {
            throw Problem.invalid("List-Unsubscribe", "Post the form List-Unsubscribe=One-Click");
        }
        unsubscribes.unsubscribe(subscriber);
        return page("Unsubscribed", "<p>You will get no more mail from this sender.</p>");
    }

    private Unsubscribes.Subscriber subscriber(Request request) {
        Unsubscribes.Subscriber subscriber = unsubscribes.open(request.path("token"));
        if (subscriber == null) {
            throw Problem.of(ErrorCode.FORBIDDEN, "The link is not valid", "Open it as it stands in the mail.");
        }
        return subscriber;
    }

    private static Response page(String title, String content) {
        byte[] page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <meta name="robots" content="noindex"><title>%1$s</title><h1>%1$s</h1>%2$s</html>
            """.formatted(title, content).getBytes(StandardCharsets.UTF_8);
        return Response.bytes(200, HTML, page)
                .header("Cache-Control", "no-store")
                .header("Content-Security-Policy", "default-src 'none'; form-action 'self'; frame-ancestors 'none'");
    }
}
