package dev.inboxd.base.http;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a request comes from: a connection, or another request in whose name it is made. */
interface RequestSource {
    /** The id of the request in answers and logs. */
    String id();

    /** The method; GET for a WebSocket. */
    String method();

    /** Whether it asks for a WebSocket. */
    boolean asksForWebSocket();

    /** Whether it comes from a page that this rule excludes. */
    boolean isFromForeignPage(String rule);

    /** The query as received, or null. */
    @Nullable
    String rawQuery();

    /** A header field, or null; the first one when repeated. */
    @Nullable
    String header(String name);

    /** Receives the body before its handler asks, which gets it all the same. */
    default byte[] ahead(BodyLimit limit) {
        return body(limit, false);
    }

    /** Every value of a header field, in order. */
    default List<String> fields(String name) {
        String first = header(name);
        return first == null ? List.of() : List.of(first);
    }

    /** The caller's address, without a port. */
    String remoteAddress();

    /** Whether the caller speaks TLS, to this server or to a trusted proxy. */
    boolean isSecure();

    /** Whether a proxy has passed it on, as far as its header tells. */
    boolean isForwarded();

    /** Registers work for the end of the answer. */
    void onAnswered(Consumer<Boolean> then);

    /** Reserves memory for an answer of this size, or refuses it for now. */
    void reserve(int size);

    /** As {@link #reserve} for a text. */
    void reserveText(int size);

    /**
     * Receives the body.
     *
     * @param json whether the body must not carry another media type than JSON
     */
    byte[] body(BodyLimit limit, boolean json);
}
