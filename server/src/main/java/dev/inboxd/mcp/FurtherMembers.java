package dev.inboxd.mcp;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.http.RouteCall;
import dev.inboxd.base.json.Json;
import dev.inboxd.mcp.result.ResultPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Members of a result that another route has: the text of a file, and the codes and links of a message. */
final class FurtherMembers {
    private static final String TEXT_URL = "text_url";
    private static final String DOWNLOAD = "/download/";
    private static final String EXTRACT = "extract";
    /** The most octets of a code point in UTF-8. */
    private static final int OCTETS = 4;

    private final Route downloads;
    private final @Nullable Route extracted;

    /**
     * The routes.
     *
     * @param downloads where the texts of attachments are
     * @param extracted where the codes and links of a message are; null when there is no such route
     */
    FurtherMembers(Route downloads, @Nullable Route extracted) {
        this.downloads = downloads;
        this.extracted = extracted;
    }

    /** What a route answered, with what the call wants besides. */
    Map<?, ?> with(ToolAnswer.Call call, ResultPlan.Window window, Map<?, ?> answer) {
        return window.isMarkdown()
                ? withExtracted(call, answer)
                : withText(call.request(), window, withExtracted(call, answer));
    }

    private Map<?, ?> withExtracted(ToolAnswer.Call call, Map<?, ?> answer) {
        Object extract = call.arguments().get(EXTRACT);
        Route route = extracted;
        if (route == null
                || !call.tool().name().equals("get_message")
                || !(Boolean.TRUE.equals(extract) || "true".equals(extract))) {
            return answer;
        }
        Map<String, String> path = Map.of(
                "inbox_id", String.valueOf(answer.get("inbox_id")),
                "message_id", String.valueOf(answer.get("message_id")));
        Response extraction = call.request().call(() -> new RouteCall(route, path, Map.of(), Map.of(), Map.of()));
        Map<Object, Object> more = new LinkedHashMap<>(answer);
        if (extraction.status() == 200
                && extraction.body() instanceof Response.Body.Bytes bytes
                && Json.stored(new String(bytes.content(), StandardCharsets.UTF_8)) instanceof Map<?, ?> json) {
            for (String name : List.of("codes", "links")) {
                Object list = json.get(name);
                if (list != null) {
                    more.put(name, list);
                }
            }
        }
        return more;
    }

    /** An attachment's text is behind a link, which an agent may not be able to open. */
    private Map<?, ?> withText(Request request, ResultPlan.Window window, Map<?, ?> answer) {
        if (!(answer.get(TEXT_URL) instanceof String link) || !link.contains(DOWNLOAD)) {
            return answer;
        }
        String token = link.substring(link.lastIndexOf('/') + 1);
        Response download =
                request.call(() -> new RouteCall(downloads, Map.of("token", token), Map.of(), Map.of(), Map.of()));
        Map<Object, Object> more = new LinkedHashMap<>(answer);
        try {
            String text = download.status() == 200 ? text(download.body(), window) : null;
            if (text != null) {
                more.put("text", text);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return more;
    }

    /** The text as far as it is shown, and a little more, so that it is seen to go on. */
    private static @Nullable String text(Response.Body body, ResultPlan.Window window) throws IOException {
        long most = OCTETS * ((long) window.offset() + window.most() + 1);
        byte[] octets = switch (body) {
            case Response.Body.Bytes bytes -> bytes.content();
            case Response.Body.Stream stream -> {
                try (InputStream content = stream.content()) {
                    yield content.readNBytes((int) Math.min(most, Integer.MAX_VALUE));
                }
            }
            default -> null;
        };
        return octets == null ? null : new String(octets, StandardCharsets.UTF_8);
    }
}
