package dev.inboxd.platform.http;

/** What a feature does with one WebSocket. */
public interface WebSocketHandler {
    /** The connection is open; called once, before anything else. Must not block. */
    void opened(WebSocketConnection socket);

    /**
     * The peer said something: a whole text of at most 64 KiB. One at a time, on a virtual thread; may block, and then
     * nothing more is read. A {@link dev.inboxd.platform.error.Problem} must not leave it.
     */
    void received(byte[] text);

    /** The connection has ended; called once. Must not block. */
    void closed();
}
