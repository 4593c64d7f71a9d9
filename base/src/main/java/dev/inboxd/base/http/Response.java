package dev.inboxd.base.http;

import dev.inboxd.base.json.Json;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to a request. The server adds the request id and the security headers.
 *
 * @param status the HTTP status
 * @param body the content
 * @param headers names and values in turn, in addition to the server's; ASCII without control characters
 */
public record Response(int status, Body body, List<String> headers) {
    private static final String JSON = "application/json; charset=utf-8";
    private static final Response EMPTY = new Response(200, new Body.None(), List.of());

    public Response {
        headers = List.copyOf(headers);
    }

    /** The content of an answer. */
    public sealed interface Body {
        /** No content, and no Content-Type. */
        record None() implements Body {}

        /**
         * Bytes in memory.
         *
         * @param mediaType the Content-Type
         * @param content the bytes, not copied
         */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Bytes(String mediaType, byte[] content) implements Body {}

        /**
         * Bytes from a stream, which the server closes.
         *
         * @param mediaType the Content-Type
         * @param length bytes of the stream
         * @param content the stream
         */
        record Stream(String mediaType, long length, InputStream content) implements Body {}

        /**
         * No content: the connection becomes a WebSocket (RFC 6455 §4.2.2).
         *
         * @param handler handler of the WebSocket
         */
        record Upgrade(WebSocketHandler handler) implements Body {}

        /**
         * No answer yet.
         *
         * @param waiting produces the answer
         */
        record Deferred(DeferredResponse waiting) implements Body {}
    }

    /** 200 without content, the answer to a deletion. */
    public static Response ok() {
        return EMPTY;
    }

    /** 200 with a JSON object: a {@link dev.inboxd.base.json.JsonObject} or a Map. */
    public static Response ok(Object json) {
        return of(200, json);
    }

    /** This status with a JSON object. */
    public static Response of(int status, Object json) {
        return bytes(status, JSON, Json.write(json));
    }

    /** This status with bytes of any media type. */
    public static Response bytes(int status, String mediaType, byte[] content) {
        return new Response(status, new Body.Bytes(mediaType, content), List.of());
    }

    /** 200 with a stream of known length, which the server closes in every case. */
    public static Response stream(String mediaType, long length, InputStream content) {
        return new Response(200, new Body.Stream(mediaType, length, content), List.of());
    }

    /** No answer yet: the request waits without a thread. */
    public static Response later(DeferredResponse waiting) {
        return new Response(200, new Body.Deferred(waiting), List.of());
    }

    /** The same answer with another status. */
    public Response status(int newStatus) {
        return new Response(newStatus, body, headers);
    }

    /** The same answer, of bytes in memory, with another media type. */
    Response mediaType(String newMediaType) {
        return body instanceof Body.Bytes(String _, byte[] content)
                ? new Response(status, new Body.Bytes(newMediaType, content), headers)
                : this;
    }

    /** The same answer with one more header. */
    public Response header(String name, String value) {
        List<String> more = new ArrayList<>(headers);
        more.add(name);
        more.add(value);
        return new Response(status, body, more);
    }
}
