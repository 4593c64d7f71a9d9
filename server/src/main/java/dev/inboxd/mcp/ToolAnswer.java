package dev.inboxd.mcp;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.mcp.result.ResultBudget;
import dev.inboxd.mcp.result.ResultPlan;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a call of a tool, from what its route answered. */
final class ToolAnswer {
    private static final String LIMIT = "limit";
    /** How often a route is asked for fewer items: with one it is enough, unless mail came in between. */
    private static final int MOST_CALLS = 4;

    private final FurtherMembers further;

    /** @param further what results have from other routes */
    ToolAnswer(FurtherMembers further) {
        this.further = further;
    }

    /**
     * A call of a tool.
     *
     * @param request by which the caller is known
     * @param arguments of the call
     * @param choice what the client asks for in its address
     */
    record Call(Request request, Tool tool, Map<?, ?> arguments, ToolChoice choice) {
        /** The answer of the route. */
        Response answer() {
            return request.call(() -> ToolCall.of(tool, arguments, choice.inbox()));
        }

        /** The same call for fewer items. */
        Call with(int limit) {
            Map<Object, @Nullable Object> fewer = new LinkedHashMap<>(arguments);
            fewer.put(LIMIT, (long) limit);
            return new Call(request, tool, fewer, choice);
        }

        ResultPlan plan() {
            return new TextArguments(tool, arguments).plan(choice);
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
        Response response = answer;
        for (int i = 0; i < MOST_CALLS; i++) {
            byte[] content = response.body() instanceof Response.Body.Bytes bytes ? bytes.content() : new byte[0];
            if (response.status() >= 300) {
                return result(ToolError.text(response, content, plan.mostTokens()), null);
            }
            Map<String, Object> members = call.tool().result(members(now, plan, content));
            switch (ResultBudget.of(plan, members, i > 0)) {
                case ResultBudget.Outcome.Shown(String text) -> {
                    return result(text, text);
                }
                case ResultBudget.Outcome.Fewer(int items) -> {
                    now = now.with(i == MOST_CALLS - 2 ? 1 : items);
                    response = now.answer();
                }
                case ResultBudget.Outcome.TooLarge _ -> i = MOST_CALLS;
            }
        }
        return refusal("The result is too large to be shown");
    }

    private Map<?, ?> members(Call call, ResultPlan plan, byte[] content) {
        return content.length == 0
                        || !(Json.stored(new String(content, StandardCharsets.UTF_8)) instanceof Map<?, ?> json)
                ? Map.of()
                : further.with(call, plan.window(), json);
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
}
