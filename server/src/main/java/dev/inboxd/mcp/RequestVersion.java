package dev.inboxd.mcp;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which revision a request is of. From the one of 2026-07-28 on, header fields repeat what is in the body. */
final class RequestVersion {
    private static final String IN_META = "io.modelcontextprotocol/protocolVersion";
    private static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    private static final String IN_HEADER = "MCP-Protocol-Version";
    private static final String BASE64 = "=?base64?";
    private static final String BASE64_END = "?=";

    private RequestVersion() {}

    /**
     * Finds the version, and checks what it asks of a request.
     *
     * @throws RpcException when the version is not known, or header and body disagree
     */
    static ProtocolVersion of(Request request, RpcMessage message) {
        String header = request.header(IN_HEADER);
        Object meta = message.meta().get(IN_META);
        if (Objects.equals(message.method(), "initialize") && meta == null) {
            return ProtocolVersion.NEWEST_HANDSHAKE; // what is spoken from then on is in its parameters
        }
        String named = meta == null ? header : meta.toString();
        ProtocolVersion version = named == null ? ProtocolVersion.UNNAMED : ProtocolVersion.of(named);
        if (version == null) {
            throw RpcException.of(
                    RpcException.UNSUPPORTED_VERSION,
                    "Unsupported protocol version",
                    JsonObject.of("supported", ProtocolVersion.names()).with("requested", cut(named)));
        }
        if (meta != null) {
            requireEqual(IN_HEADER, header, named);
        }
        if (!version.hasHandshake()) {
            requireMetadata(request, message);
        }
        return version;
    }

    private static void requireMetadata(Request request, RpcMessage message) {
        if (!(message.meta().get(IN_META) instanceof String)) {
            throw RpcException.of(400, RpcException.INVALID_PARAMS, "_meta must have the string " + IN_META);
        }
        if (!(message.meta().get(CAPABILITIES) instanceof Map)) {
            throw RpcException.of(400, RpcException.INVALID_PARAMS, "_meta must have the object " + CAPABILITIES);
        }
        requireEqual("Mcp-Method", request.header("Mcp-Method"), message.method());
        Object name = name(message);
        if (name != null) {
            requireEqual("Mcp-Name", decoded(request.header("Mcp-Name")), name.toString());
        }
    }

    private static @Nullable Object name(RpcMessage message) {
        return switch (message.method()) {
            case "tools/call", "prompts/get" -> message.params().get("name");
            case "resources/read" -> message.params().get("uri");
            case null, default -> null;
        };
    }

    private static void requireEqual(String field, @Nullable String header, @Nullable String body) {
        if (header == null || !header.equals(body)) {
            throw RpcException.of(
                    400,
                    RpcException.HEADER_MISMATCH,
                    "Header mismatch: " + field
                            + (header == null
                                    ? " is missing"
                                    : " is '" + cut(header) + "' and the body has '" + cut(body) + "'"));
        }
    }

    private static @Nullable String decoded(@Nullable String header) {
        if (header == null || !header.startsWith(BASE64) || !header.endsWith(BASE64_END)) {
            return header;
        }
        try {
            String text = header.substring(BASE64.length(), header.length() - BASE64_END.length());
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return header;
        }
    }

    private static @Nullable String cut(@Nullable String text) {
        return text == null || text.length() <= 100 ? text : text.substring(0, 100);
    }
}
