package dev.inboxd.base.http;

/** A feature's side of one WebSocket. */
public interface WebSocketHandler {
    /** The connection is open. Called once, before anything else. Must not block. */
    void opened(WebSocketConnection socket);

    /**
     * A text message of the peer, whole and at most 64 KiB. Called for one at a time, on a virtual thread; while it
     * blocks, nothing more is read. A {@link dev.inboxd.base.error.Problem} must not leave it.
     */
    void received(byte[] text);

    /** The connection has ended. Called once. Must not block. */
    void closed();
}
