package dev.inboxd.mcp;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.http.RouteCall;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.mcp.result.ResultBound;
import dev.inboxd.mcp.result.ResultPlan;
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
    private static final String TEXT_URL = "text_url";
    private static final String DOWNLOAD = "/download/";
    private static final String LIMIT = "limit";
    /** How often a route is asked for fewer items: with one it is enough, unless mail came in between. */
    private static final int MOST_CALLS = 4;
    /** The most octets of a code point in UTF-8. */
    private static final int OCTETS = 4;

    private final Route downloads;

    /** @param downloads where the texts of attachments are */
    ToolAnswer(Route downloads) {
        this.downloads = downloads;
    }

    /**
     * A call of a tool.
     *
     * @param request by which the caller is known
     * @param given the arguments
     * @param choice what the client asks for in its address
     */
    record Call(Request request, Tool tool, Map<?, ?> given, ToolChoice choice) {
        /** The answer of the route. */
        Response answer() {
            return request.call(() -> ToolCall.of(tool, given, choice.inbox()));
        }

        /** The same call for fewer items. */
        Call with(int limit) {
            Map<Object, @Nullable Object> fewer = new LinkedHashMap<>(given);
            fewer.put(LIMIT, (long) limit);
            return new Call(request, tool, fewer, choice);
        }

        ResultPlan plan() {
            return new ToolReading(tool, given).plan(choice);
        }
    }

    /**
     * The result.
     *
     * @param answer of the route, which is not deferred: JSON, or nothing
     */
    JsonObject of(Call call, Response answer) {
        ResultPlan plan = call.plan();
        Call now = call;
        Response found = answer;
        for (int i = 0; i < MOST_CALLS; i++) {
            byte[] content = found.body() instanceof Response.Body.Bytes bytes ? bytes.content() : new byte[0];
            if (found.status() >= 300) {
                return result(ToolError.text(found, content), null);
            }
            Map<String, Object> members = call.tool().result(members(call, plan, content));
            switch (ResultBound.of(plan, members, i > 0)) {
                case ResultBound.Outcome.Shown(String text) -> {
                    return result(text, text);
                }
                case ResultBound.Outcome.Fewer(int items) -> {
                    now = now.with(i == MOST_CALLS - 2 ? 1 : items);
                    found = now.answer();
                }
                case ResultBound.Outcome.TooLarge _ -> i = MOST_CALLS;
            }
        }
        return refusal("The result is too large to be shown");
    }

    private Map<?, ?> members(Call call, ResultPlan plan, byte[] content) {
        return content.length == 0
                        || !(Json.stored(new String(content, StandardCharsets.UTF_8)) instanceof Map<?, ?> json)
                ? Map.of()
                : plan.window().isMarkdown() ? json : withText(call.request(), plan.window(), json);
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
    private Map<?, ?> withText(Request request, ResultPlan.Window window, Map<?, ?> answer) {
        if (!(answer.get(TEXT_URL) instanceof String link) || !link.contains(DOWNLOAD)) {
            return answer;
        }
        String token = link.substring(link.lastIndexOf('/') + 1);
        Response found =
                request.call(() -> new RouteCall(downloads, Map.of("token", token), Map.of(), Map.of(), Map.of()));
        Map<Object, Object> more = new LinkedHashMap<>(answer);
        try {
            String text = found.status() == 200 ? text(found.body(), window) : null;
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
