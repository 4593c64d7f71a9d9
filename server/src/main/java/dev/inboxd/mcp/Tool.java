package dev.inboxd.mcp;

import dev.inboxd.base.http.Route;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool: a route as an agent calls it.
 *
 * @param name its name
 * @param route what it calls
 * @param arguments what it takes
 * @param result the shape of what it gives
 * @param fixed parameters of the query that every call has
 * @param whole the member of the result that is the whole answer of the route; null when its members are
 * @param definition how it is listed
 */
record Tool(
        String name,
        Route route,
        ToolShape arguments,
        ToolShape result,
        Map<String, String> fixed,
        @Nullable String whole,
        RawJson definition) {

    Tool {
        fixed = Map.copyOf(fixed);
    }

    /**
     * What is written about a tool.
     *
     * @param name its name
     * @param about what it does
     * @param hints four digits: read-only, destructive, idempotent, open world
     */
    record Summary(String name, String about, String hints) {
        private boolean hint(int index) {
            return hints.charAt(index) == '1';
        }

        /** The tool as {@code tools/list} shows it. */
        RawJson definition(JsonObject arguments, JsonObject result) {
            return new RawJson(Json.text(JsonObject.of("name", name)
                    .with("title", title())
                    .with("description", about)
                    .with("inputSchema", arguments)
                    .with("outputSchema", result)
                    .with(
                            "annotations",
                            JsonObject.of("title", title())
                                    .with("readOnlyHint", hint(0))
                                    .with("destructiveHint", hint(1))
                                    .with("idempotentHint", hint(2))
                                    .with("openWorldHint", hint(3)))
                    .with("execution", JsonObject.of("taskSupport", "forbidden"))));
        }

        private String title() {
            return name.substring(0, 1).toUpperCase(Locale.ROOT)
                    + name.substring(1).replace('_', ' ');
        }
    }

    /** The result, from the object that the route answered with; of a deletion, an empty one. */
    Map<String, Object> result(Map<?, ?> answer) {
        ResultBudget budget = new ResultBudget();
        Map<String, Object> members = result.fromRoute(whole == null ? answer : Map.of(whole, answer), budget);
        if (result.member("success") != null) {
            members.put("success", true);
        }
        return members;
    }
}
