package dev.inboxd.cli.mcp;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.mcp.ProtocolVersion;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The methods that a program without a key answers by itself, before it may ask a server (mcp.md §7). */
final class LocalMethods {
    private static final JsonObject SELF = JsonObject.of("name", "inboxd")
            .with("title", "inboxd")
            .with(
                    "version",
                    Objects.requireNonNullElse(LocalMethods.class.getPackage().getImplementationVersion(), "0"));

    private LocalMethods() {}

    /**
     * The result of a request that is no call of a tool.
     *
     * @param version the revision that the request names; null where a handshake named it
     * @return null for a method that is not known
     */
    static @Nullable JsonObject result(String method, Map<?, ?> params, @Nullable Object version, List<RawJson> tools) {
        return switch (method) {
            case "initialize" -> greeting(params);
            case "ping" -> new JsonObject();
            case "server/discover" ->
                completed(
                        JsonObject.of("supportedVersions", ProtocolVersion.names())
                                .with("capabilities", JsonObject.of("tools", new JsonObject()))
                                .with("instructions", AgentTools.INSTRUCTIONS)
                                .with("ttlMs", 0)
                                .with("cacheScope", "private"),
                        version);
            case "tools/list" ->
                completed(
                        version == null
                                ? JsonObject.of("tools", tools)
                                : JsonObject.of("tools", tools).with("ttlMs", 0).with("cacheScope", "private"),
                        version);
            default -> null;
        };
    }

    /** A result says that it is one, and whose, where no handshake did. */
    static JsonObject completed(JsonObject result, @Nullable Object version) {
        return version == null
                ? result
                : result.with("resultType", "complete")
                        .with("_meta", JsonObject.of("io.modelcontextprotocol/serverInfo", SELF));
    }

    /** The revision that is spoken after a handshake: the one that the client names, or the newest. */
    static String revision(Map<?, ?> params) {
        ProtocolVersion requested =
                params.get("protocolVersion") instanceof String text ? ProtocolVersion.of(text) : null;
        return (requested != null && requested.hasHandshake() ? requested : ProtocolVersion.NEWEST_HANDSHAKE).text();
    }

    private static JsonObject greeting(Map<?, ?> params) {
        return JsonObject.of("protocolVersion", revision(params))
                .with("capabilities", JsonObject.of("tools", JsonObject.of("listChanged", true)))
                .with("serverInfo", SELF)
                .with("instructions", AgentTools.INSTRUCTIONS);
    }
}
