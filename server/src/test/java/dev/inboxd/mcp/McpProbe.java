package dev.inboxd.mcp;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A client of the Model Context Protocol for tests.
 *
 * @param http with a key
 * @param version the revision that it speaks
 * @param address the path and the query of the protocol
 */
record McpProbe(HttpProbe http, String version, String address) {
    static final String NEWEST = "2026-07-28";

    McpProbe(HttpProbe http, String version) {
        this(http, version, "/mcp");
    }

    /** A client of the newest revision. */
    static McpProbe of(HttpProbe http) {
        return new McpProbe(http, NEWEST);
    }

    /** The same client with a query in the address of the protocol. */
    McpProbe query(String query) {
        return new McpProbe(http, version, "/mcp?" + query);
    }

    /** Calls a method. */
    Answer request(String method, JsonObject params) {
        boolean stands = version.equals(NEWEST);
        HttpProbe probe = http.with("MCP-Protocol-Version", version);
        if (stands) {
            params.with(
                    "_meta",
                    JsonObject.of("io.modelcontextprotocol/protocolVersion", version)
                            .with("io.modelcontextprotocol/clientCapabilities", new JsonObject()));
            probe = probe.with("Mcp-Method", method);
            Object name = Json.parse(Json.write(params)) instanceof Map<?, ?> map ? map.get("name") : null;
            probe = name == null ? probe : probe.with("Mcp-Name", name.toString());
        }
        return probe.post(
                address,
                Json.text(JsonObject.of("jsonrpc", "2.0")
                        .with("id", 1)
                        .with("method", method)
                        .with("params", params)));
    }

    /** Calls a tool; the arguments are JSON. */
    Answer call(String tool, String arguments) {
        return request(
                "tools/call",
                JsonObject.of("name", tool)
                        .with("arguments", new ExactJson(Json.parse(arguments.getBytes(StandardCharsets.UTF_8)))));
    }
}
