package dev.inboxd.mcp;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.http.RouteCall;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a call of a tool, from what its route answered. */
final class ToolAnswer {
    /** The most bytes of a result; a model could not read more. */
    private static final int MOST = 1 << 20;
    /** Bytes of the text of an attachment that are read; more characters than are shown. */
    private static final int TEXT = 4 * ResultBudget.ONE + 4;

    private static final String TEXT_URL = "text_url";
    private static final String DOWNLOAD = "/download/";

    private final Route downloads;

    /** @param downloads where the texts of attachments are */
    ToolAnswer(Route downloads) {
        this.downloads = downloads;
    }

    /**
     * The result.
     *
     * @param answer of the route, which is not deferred: JSON, or nothing
     */
    JsonObject of(Request request, Tool tool, Response answer) {
        byte[] content = answer.body() instanceof Response.Body.Bytes bytes ? bytes.content() : new byte[0];
        if (answer.status() >= 300) {
            return result(ToolError.text(answer, content), null);
        }
        Map<?, ?> members = content.length == 0
                        || !(Json.stored(new String(content, StandardCharsets.UTF_8)) instanceof Map<?, ?> json)
                ? Map.of()
                : withText(request, json);
        String text = Json.text(tool.result(members));
        return text.length() > MOST
                ? result("The result is too large. Ask for fewer items with limit.", null)
                : result(text, text);
    }

    /** A result that this server makes by itself. */
    static JsonObject result(JsonObject result) {
        String text = Json.text(result);
        return result(text, text);
    }

    /** An error that this server finds by itself. */
    static JsonObject refusal(String message) {
        return result(ToolError.text(message), null);
    }

    /** @param structured the same text when it is the result, null when it is an error */
    private static JsonObject result(String text, @Nullable String structured) {
        return JsonObject.of("content", List.of(JsonObject.of("type", "text").with("text", text)))
                .with("structuredContent", structured == null ? null : new RawJson(structured))
                .with("isError", structured == null);
    }

    /** An attachment's text is behind a link, which an agent may not be able to open. */
    private Map<?, ?> withText(Request request, Map<?, ?> answer) {
        if (!(answer.get(TEXT_URL) instanceof String link) || !link.contains(DOWNLOAD)) {
            return answer;
        }
        String token = link.substring(link.lastIndexOf('/') + 1);
        Response found =
                request.call(() -> new RouteCall(downloads, Map.of("token", token), Map.of(), Map.of(), Map.of()));
        Map<Object, Object> more = new LinkedHashMap<>(answer);
        try {
            String text = found.status() == 200 ? text(found.body()) : null;
            if (text != null) {
                more.put("text", text);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return more;
    }

    private static @Nullable String text(Response.Body body) throws IOException {
        byte[] octets = switch (body) {
            case Response.Body.Bytes bytes -> bytes.content();
            case Response.Body.Stream stream -> {
                try (InputStream content = stream.content()) {
                    yield content.readNBytes(TEXT);
                }
            }
            default -> null;
        };
        return octets == null ? null : new String(octets, StandardCharsets.UTF_8);
    }
}
