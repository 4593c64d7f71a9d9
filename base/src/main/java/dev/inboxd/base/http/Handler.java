package dev.inboxd.base.http;

/**
 * Handler of a route. It may throw a {@link dev.inboxd.base.error.Problem}; any other exception is a fault of the
 * server.
 */
@FunctionalInterface
public interface Handler {
    /** Answers an admitted request; runs on a virtual thread and may block. */
    Response handle(Request request);
}
