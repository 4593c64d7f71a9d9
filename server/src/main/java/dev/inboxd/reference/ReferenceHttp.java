package dev.inboxd.reference;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.AcceptField;
import dev.inboxd.base.http.ErrorWords;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.Json;
import dev.inboxd.web.Pages;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The description over HTTP; nothing of it needs a key, and every page of other origins may read it. */
final class ReferenceHttp {
    private static final String JSON = "application/json; charset=utf-8";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final Pages pages;
    private final Document openApi;
    private final Document calls;
    private final Document asyncApi;
    private final Document index;
    private final Document text;
    private @Nullable Response page;
    private @Nullable Response errors;

    /**
     * The description of one server.
     *
     * @param publicUrl where its clients find it
     * @param version of this program
     */
    ReferenceHttp(URI publicUrl, String version) {
        this.pages = new Pages(publicUrl);
        String url = publicUrl.toString();
        this.openApi = new Document(JSON, () -> Json.write(openApi(url, version)));
        this.calls = new Document(JSON, () -> {
            Map<String, @Nullable Object> description = openApi(url, version);
            description.remove("webhooks");
            return Json.write(description);
        });
        this.asyncApi = new Document(
                JSON, () -> Json.write(ApiDescription.of(ApiDescription.asyncApi(), version, sockets(publicUrl))));
        this.index = new Document(TEXT, () -> ModelText.index(url).getBytes(StandardCharsets.UTF_8));
        this.text = new Document(TEXT, () -> ModelText.fullText(url).getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, @Nullable Object> openApi(String url, String version) {
        return ApiDescription.of(ApiDescription.openApi(), version, ApiDescription.servers(url));
    }

    /** Something that is made when it is first asked for, and is the same from then on. */
    private static final class Document {
        private final String mediaType;
        private final Supplier<byte[]> maker;
        private byte @Nullable [] cached;

        Document(String mediaType, Supplier<byte[]> maker) {
            this.mediaType = mediaType;
            this.maker = maker;
        }

        synchronized Response answer(Request request) {
            byte[] content = cached;
            if (content == null) {
                content = maker.get();
                cached = content;
            }
            return Response.bytes(200, mediaType, content)
                    .header("Cache-Control", "no-cache")
                    .header("Access-Control-Allow-Origin", "*");
        }
    }

    /** The server of the WebSocket, in the form of AsyncAPI. */
    private static Map<String, Object> sockets(URI url) {
        return Map.of(
                "this",
                Map.of(
                        "host",
                        url.getAuthority(),
                        "pathname",
                        url.getPath() == null ? "" : url.getPath(),
                        "protocol",
                        "https".equals(url.getScheme()) ? "wss" : "ws",
                        "description",
                        "This server"));
    }

    void mount(Routes root) {
        root.page(
                "/openapi.json", request -> (request.query().flag("webhooks", true) ? openApi : calls).answer(request));
        root.page("/asyncapi.json", asyncApi::answer);
        root.page("/llms.txt", index::answer);
        root.page("/llms-full.txt", text::answer);
        root.page("/docs", this::page);
        root.page("/docs/guides/{name}", this::guide);
        root.page(ErrorWords.PATH, this::errors);
    }

    private synchronized Response page(Request request) {
        Response response = page;
        if (response == null) {
            List<List<String>> guides = Guide.all().stream()
                    .map(guide -> List.of(guide.name(), guide.title(), guide.summary()))
                    .toList();
            response = pages.page(
                    200,
                    "docs/reference",
                    Map.of("api", new ApiOutline(ApiDescription.openApi()).tree(), "guides", guides));
            page = response;
        }
        return response;
    }

    private synchronized Response errors(Request request) {
        Response response = errors;
        if (response == null) {
            response = pages.page(200, "docs/errors", Map.of("errors", ErrorOutline.of(ApiDescription.openApi())));
            errors = response;
        }
        return response;
    }

    /** A guide as a page; as it is written for a program, which asks for text. */
    private Response guide(Request request) {
        Guide guide = Guide.all().stream()
                .filter(candidate -> candidate.name().equals(request.path("name")))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Guide"));
        return AcceptField.names(request, "text/html")
                ? pages.page(200, "docs/guide", Map.of("guide", guide.blocks(), "title", guide.title()))
                : Response.bytes(200, TEXT, guide.text().getBytes(StandardCharsets.UTF_8));
    }
}
