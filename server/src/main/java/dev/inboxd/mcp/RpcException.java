package dev.inboxd.mcp;

import dev.inboxd.base.json.JsonObject;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An error of JSON-RPC: the request itself is not as it should be, or asks for what is not there. */
final class RpcException extends RuntimeException {
    /** What came is not JSON. */
    static final int PARSE_ERROR = -32_700;
    /** It is no request of JSON-RPC. */
    static final int INVALID_REQUEST = -32_600;

    static final int METHOD_NOT_FOUND = -32_601;
    static final int INVALID_PARAMS = -32_602;
    /** The header fields say something else than the body. */
    static final int HEADER_MISMATCH = -32_020;

    static final int UNSUPPORTED_VERSION = -32_022;

    @Serial
    private static final long serialVersionUID = 1;

    private final int status;
    private final int code;
    private final transient @Nullable JsonObject details;

    private RpcException(int status, int code, String message, @Nullable JsonObject details) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.details = details;
    }

    /**
     * An error.
     *
     * @param status of HTTP
     * @param code of JSON-RPC
     */
    static RpcException of(int status, int code, String message) {
        return new RpcException(status, code, message, null);
    }

    /** An error with {@code data}. */
    static RpcException of(int code, String message, JsonObject details) {
        return new RpcException(400, code, message, details);
    }

    int status() {
        return status;
    }

    /** The member {@code error} of the answer. */
    JsonObject json() {
        return JsonObject.of("code", code)
                .with("message", getMessage())
                .with("data", (details == null ? new JsonObject() : details).with(ToolError.RETRYABLE, false));
    }
}
