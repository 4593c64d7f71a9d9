package dev.inboxd.base.http;

import java.util.List;

/** The page at {@code GET /}, for somebody who opens the server's address in a browser. */
public final class FrontPageHttp {
    private static final List<Entry> ENTRIES = List.of(
            new Entry("/sandbox/messages", "shows the mail that would have left this machine"),
            new Entry("/docs", "describes every call, with guides"),
            new Entry(ErrorWords.PATH, "says what each error code means and what to do"),
            new Entry("/healthz", "tells whether the server is ready"),
            new Entry("/metrics", "has numbers for Prometheus"));

    private static final String CONSOLE = "/console";

    /** A page that may be there, and what it does. */
    private record Entry(String path, String effect) {}

    private final RouteTable routes;

    /** @param routes tells which of the pages this server has */
    public FrontPageHttp(RouteTable routes) {
        this.routes = routes;
    }

    /** Mounts the page; it needs no key. */
    public void mount(Routes root) {
        root.page("/", this::answer);
    }

    /** Leads to the console, where there is one. */
    private Response answer(Request request) {
        return has(CONSOLE) ? Response.ok().status(303).header("Location", CONSOLE.substring(1)) : page().response();
    }

    private boolean has(String path) {
        return routes.find("GET", PathSegments.of(path)) != null;
    }

    private HtmlPage page() {
        HtmlPage page = HtmlPage.titled("inboxd")
                .paragraph("An email inbox service for software agents. This server is running.")
                .paragraph("Programs call it below /v0 with an API key. The first start printed one; inboxd key create"
                        + " makes more. For example: GET /v0/inboxes with the header Authorization: Bearer <api_key>.");
        ENTRIES.stream().filter(entry -> has(entry.path)).forEach(entry -> page.link(entry.path, entry.effect));
        return page;
    }
}
