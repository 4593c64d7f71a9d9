package dev.inboxd.web;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.AcceptField;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.json.Json;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Renders pages, and serves the files that they load. */
public final class Pages {
    /** Pages load what is served here alone, send no form, and are shown in no frame. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

    private static final String SCRIPT = "text/javascript; charset=utf-8";

    private final TemplateEngine templates =
            TemplateEngine.createPrecompiled(null, ContentType.Html, null, "dev.inboxd.web.template");
    private final List<Asset> assets = List.of(
            Asset.load("sign-in.js", SCRIPT),
            Asset.load("console.js", SCRIPT),
            Asset.load("lists.js", SCRIPT),
            Asset.load("docs.js", SCRIPT),
            Asset.load("inboxd.css", "text/css; charset=utf-8"),
            Asset.load("mark.svg", "image/svg+xml"),
            Asset.load("console.webmanifest", "application/manifest+json"));

    private final String base;

    /**
     * The pages of this service.
     *
     * @param publicUrl its public URL, whose path stands before every path
     */
    public Pages(URI publicUrl) {
        String path = publicUrl.getPath() == null ? "" : publicUrl.getPath();
        this.base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** A file that pages load. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Asset(String name, String mediaType, byte[] content, String tag) {
        static Asset load(String name, String mediaType) {
            try (InputStream file = Pages.class.getResourceAsStream(name)) {
                if (file == null) {
                    throw new IllegalStateException(name + " is missing in this build");
                }
                byte[] content = file.readAllBytes();
                String digest = HexFormat.of().formatHex(Digests.sha256().digest(content), 0, 8);
                return new Asset(name, mediaType, content, '"' + digest + '"');
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        Response answer(Request request) {
            Response answer = tag.equals(request.header("If-None-Match"))
                    ? Response.ok().status(304)
                    : Response.bytes(200, mediaType, content);
            return answer.header("ETag", tag).header("Cache-Control", "no-cache");
        }
    }

    /** The path of the public URL, without a slash at its end. */
    public String base() {
        return base;
    }

    /** Mounts the files that pages load. */
    public void mount(Routes root) {
        assets.forEach(asset -> root.page("/assets/" + asset.name(), asset::answer));
    }

    /**
     * A page.
     *
     * @param template its file below {@code src/main/jte}, without the ending
     * @param values the parameters of the template
     */
    public Response page(int status, String template, Map<String, Object> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.put("base", base);
        return page(status, template, all, POLICY);
    }

    /**
     * A page under a policy of its own.
     *
     * @param values the parameters of the template, all of them
     * @param policy its Content-Security-Policy
     */
    public Response page(int status, String template, Map<String, Object> values, String policy) {
        StringOutput output = new StringOutput();
        templates.render(template + ".jte", values, output);
        return Response.bytes(
                        status, "text/html; charset=utf-8", output.toString().getBytes(StandardCharsets.UTF_8))
                .header("Content-Security-Policy", policy)
                .header("X-Frame-Options", "DENY")
                .header("Cache-Control", "no-store");
    }

    /** A page that says how a sign-in ended, or why it cannot go on, and what to do. */
    public Response notice(int status, String title, String text) {
        return page(status, "notice", Map.of("title", title, "text", text));
    }

    /** A problem as a page. */
    public Response notice(String title, Problem problem) {
        String fix = problem.fix();
        return notice(problem.code().status(), title, problem.message() + "." + (fix == null ? "" : " " + fix));
    }

    /** JSON that can stand in a page: it cannot end the element around it. */
    public static String embedded(Object json) {
        StringBuilder safe = new StringBuilder();
        for (char c : Json.text(json).toCharArray()) {
            if (c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return safe.toString();
    }

    /** Whether a program asks, which reads JSON and no page (ruling 55). */
    public static boolean wantsJson(Request request) {
        return "json".equals(request.query().text("format"))
                || (AcceptField.names(request, "application/json") && !AcceptField.names(request, "text/html"));
    }
}
