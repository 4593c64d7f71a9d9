package dev.inboxd.mcp;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.json.RawJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All tools, in the order in which they are listed. */
final class ToolTable {
    private final Map<String, Tool> tools = new LinkedHashMap<>();

    /**
     * The tools of {@code tools.txt}.
     *
     * @param routes the routes that there are
     * @throws IllegalStateException when a tool calls a route that is not there
     */
    static ToolTable of(List<Route> routes) {
        Map<String, Route> byName = routes.stream()
                .collect(Collectors.toMap(
                        route -> route.method() + " " + route.template(), Function.identity(), (first, _) -> first));
        try (InputStream in = Objects.requireNonNull(ToolTable.class.getResourceAsStream("tools.txt"))) {
            ToolTable table = new ToolTable();
            new ToolReader(byName, table.tools).read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return table;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The tool of that name, or null. */
    @Nullable
    Tool tool(String name) {
        return tools.get(name);
    }

    /** The tools of this choice that the caller of this request may use, as they are listed. */
    List<RawJson> open(Request request, ToolChoice choice) {
        return tools.values().stream()
                .filter(tool -> tool.listing().isShown(choice) && tool.isOpen(request, choice.inbox()))
                .map(tool -> tool.listing().form(choice))
                .toList();
    }
}
