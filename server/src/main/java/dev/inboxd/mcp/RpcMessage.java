package dev.inboxd.mcp;

import dev.inboxd.base.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message of JSON-RPC 2.0 that a client sent.
 *
 * @param id a String or a Long; null when it is a notification, or an answer that nobody waits for
 * @param method what is asked for; null for an answer
 * @param params the parameters, maybe none
 */
record RpcMessage(@Nullable Object id, @Nullable String method, Map<?, ?> params) {
    private static final int LONGEST_ID = 256;

    /**
     * Reads a message.
     *
     * @throws RpcException when it is none
     */
    static RpcMessage of(@Nullable Object json) {
        if (!(json instanceof Map<?, ?> message) || !"2.0".equals(message.get("jsonrpc"))) {
            throw invalid("A message is an object with jsonrpc \"2.0\"");
        }
        Object id = message.get("id");
        boolean isId = id instanceof Long || (id instanceof String text && text.length() <= LONGEST_ID);
        if (message.containsKey("id") && !isId) {
            throw invalid("id must be a whole number, or a string of at most " + LONGEST_ID + " characters");
        }
        if (message.get("method") instanceof String method) {
            Object params = message.get("params");
            if (params != null && !(params instanceof Map)) {
                throw invalid("params must be an object");
            }
            return new RpcMessage(id, method, params instanceof Map<?, ?> map ? map : Map.of());
        }
        if (message.containsKey("method") || !(message.containsKey("result") || message.containsKey("error"))) {
            throw invalid("method must be a string");
        }
        return new RpcMessage(null, null, Map.of());
    }

    private static RpcException invalid(String message) {
        return RpcException.of(400, RpcException.INVALID_REQUEST, message);
    }

    /** Whether it wants an answer. */
    boolean isRequest() {
        return id != null && method != null;
    }

    /** The member {@code _meta} of the parameters, maybe empty. */
    Map<?, ?> meta() {
        return params.get("_meta") instanceof Map<?, ?> meta ? meta : Map.of();
    }

    /** The answer with this result. */
    JsonObject answer(JsonObject result) {
        return JsonObject.of("jsonrpc", "2.0").with("id", id).with("result", result);
    }

    /** The answer with an error. */
    static JsonObject refusal(@Nullable Object id, RpcException error) {
        return JsonObject.of("jsonrpc", "2.0").with("id", id).with("error", error.json());
    }
}
