package dev.inboxd.base.http;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.access.Gate;
import java.util.function.Function;

/** Mount point of one level, used while the features mount their routes. */
public final class Routes {
    private final RouteTable table;
    private final Level level;

    Routes(RouteTable table, Level level) {
        this.table = table;
        this.level = level;
    }

    /**
     * Mounts a GET route, and HEAD with the same status and header fields (RFC 9110 §9.3.2; ruling 148). The handler
     * has no effect for {@link Request#isHead}.
     *
     * @param access the permission it requires
     * @param path below the level, such as {@code /messages/{message_id}}
     */
    public void get(Access access, String path, Handler handler) {
        getAlone(access, path, handler);
        table.addHead(level.prefix() + path);
    }

    /** Mounts a GET route that waits or consumes something, which has no HEAD. */
    public void getAlone(Access access, String path, Handler handler) {
        add("GET", access, path, BodyLimit.USUAL, handler);
    }

    /**
     * Mounts a public page, or the target of a link: GET, and HEAD with the same header (RFC 9110 §9.3.2), by which
     * mail programs, proxies and monitors look at it. The handler has no effect for {@link Request#isHead}.
     */
    public void page(String path, Handler handler) {
        get(Gate.PUBLIC, path, handler);
    }

    /**
     * Mounts a route that opens WebSockets (RFC 6455). It is a GET whose key may come in the query, because a browser
     * cannot set a header there (events.md §5.1).
     *
     * @param opener creates the handler of the WebSocket from the admitted request, before the upgrade
     */
    public void socket(Access access, String path, Function<Request, WebSocketHandler> opener) {
        add("GET", access, path, BodyLimit.USUAL, new WebSocketRoute(opener));
    }

    /** Mounts a POST route. */
    public void post(Access access, String path, Handler handler) {
        add("POST", access, path, BodyLimit.USUAL, handler);
    }

    /** Mounts a POST route with its own body limit. */
    public void post(Access access, String path, BodyLimit limit, Handler handler) {
        add("POST", access, path, limit, handler);
    }

    /**
     * Mounts a POST route by which programs call procedures: the key may come in {@code X-Api-Key} too, and pages of
     * origins that the operator did not allow are refused.
     */
    public void rpc(Access access, String path, BodyLimit limit, Handler handler) {
        add("POST", access, path, limit, new RpcRoute(handler));
    }

    /** Mounts a PUT route. */
    public void put(Access access, String path, Handler handler) {
        add("PUT", access, path, BodyLimit.USUAL, handler);
    }

    /** Mounts a PATCH route. */
    public void patch(Access access, String path, Handler handler) {
        add("PATCH", access, path, BodyLimit.USUAL, handler);
    }

    /** Mounts a PATCH route with its own body limit. */
    public void patch(Access access, String path, BodyLimit limit, Handler handler) {
        add("PATCH", access, path, limit, handler);
    }

    /** Mounts a DELETE route. */
    public void delete(Access access, String path, Handler handler) {
        add("DELETE", access, path, BodyLimit.USUAL, handler);
    }

    private void add(String method, Access access, String path, BodyLimit limit, Handler handler) {
        table.add(new Route(method, level, level.prefix() + path, access, limit, handler));
    }
}
