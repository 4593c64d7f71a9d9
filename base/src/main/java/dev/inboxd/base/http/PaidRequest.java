package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request whose caller is known by a payment; nobody has admitted it yet. */
public interface PaidRequest {
    /** Its id in logs and errors. */
    String id();

    /** The caller's address, without a port. */
    String remoteAddress();

    /** The method of its route. */
    String method();

    /** The template of its route, such as {@code /v0/inboxes/{inbox_id}}. */
    String template();

    /** The path as received, without the query. */
    String path();

    /** The query as received; null without one. */
    @Nullable
    String rawQuery();

    /** Whether it asks for a WebSocket. */
    boolean asksForWebSocket();

    /** All values of a header field, in order. */
    List<String> fields(String name);

    /**
     * The body, which the handler gets all the same.
     *
     * @throws dev.inboxd.base.error.Problem as {@link Request#octets}
     */
    byte[] body();

    /** A call of the route from within this process, with these header fields of the request. */
    LocalCall call(List<String> names);

    /** Goes on as for a caller with a key: admits him, and lets the handler answer. */
    Response proceed(Caller caller);
}
