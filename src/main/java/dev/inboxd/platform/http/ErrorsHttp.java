package dev.inboxd.platform.http;

import dev.inboxd.platform.access.Gate;
import dev.inboxd.platform.error.ErrorCode;
import java.nio.charset.StandardCharsets;

/** The page that the {@code docs} member of every error links to: each code with its status and its remedy. */
public final class ErrorsHttp {
    /** Path of the page, below the public URL. */
    private static final String PATH = "/docs/errors";

    private static final byte[] PAGE = page().getBytes(StandardCharsets.UTF_8);

    private ErrorsHttp() {}

    /** Mounts the page; it needs no key. */
    public static void mount(Routes root) {
        root.get(
                Gate.PUBLIC,
                PATH,
                _ -> Response.bytes(200, "text/html; charset=utf-8", PAGE)
                        .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"));
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
                <title>Errors of inboxd</title><h1>Errors</h1>\
                <p>Every error has a <code>code</code>, which clients branch on, and
                a <code>message</code> and perhaps a <code>fix</code> for this very case.</p><dl>
                """);
        for (ErrorCode code : ErrorCode.values()) {
            page.append("<dt id=\"")
                    .append(code.wireName())
                    .append("\"><code>")
                    .append(code.wireName())
                    .append("</code> (HTTP ")
                    .append(code.status())
                    .append(")<dd>")
                    .append(code.fix() == null ? "The error itself says what to do." : code.fix())
                    .append('\n');
        }
        return page.append("</dl></html>\n").toString();
    }
}
