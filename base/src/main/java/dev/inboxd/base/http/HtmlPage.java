package dev.inboxd.base.http;

import java.nio.charset.StandardCharsets;

/** A small page for people: text and links, without scripts, pictures or forms. */
public final class HtmlPage {
    private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

    private final StringBuilder html = new StringBuilder();

    private HtmlPage() {}

    /** An empty page under its heading. */
    public static HtmlPage titled(String title) {
        return new HtmlPage()
                .html("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                        + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>")
                .text(title)
                .html("</title>\n<h1>")
                .text(title)
                .html("</h1>\n");
    }

    /** Adds a paragraph of text. */
    public HtmlPage paragraph(String text) {
        return html("<p>").text(text).html("</p>\n");
    }

    /** Adds a line with a link, which is relative to the page so that it holds behind any proxy. */
    public HtmlPage link(String path, String text) {
        return html("<p><a href=\"")
                .text(path)
                .html("\">")
                .text(path)
                .html("</a> ")
                .text(text)
                .html("</p>\n");
    }

    /** Adds text, which nothing in it makes anything else. */
    public HtmlPage text(String text) {
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                default -> html.append(text.charAt(i));
            }
        }
        return this;
    }

    /** Adds markup of our own. */
    HtmlPage html(String markup) {
        html.append(markup);
        return this;
    }

    /** The answer with this page. */
    public Response response() {
        return Response.bytes(200, "text/html; charset=utf-8", html.toString().getBytes(StandardCharsets.UTF_8))
                .header("Content-Security-Policy", NOTHING);
    }
}
