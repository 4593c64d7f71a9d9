package dev.inboxd.platform.http;

/** What a route does. It may throw a {@link dev.inboxd.platform.error.Problem}; anything else thrown is a fault of ours. */
@FunctionalInterface
public interface Handler {
    /** Answers a request that was admitted; runs on a virtual thread and may block. */
    Response handle(Request request);
}
