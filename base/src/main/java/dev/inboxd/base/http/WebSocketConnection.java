package dev.inboxd.base.http;

import dev.inboxd.base.error.Problem;

/** An open WebSocket, for the feature that writes to it. Thread-safe. */
public interface WebSocketConnection {
    /** RFC 6455 §7.4.1: the peer broke a rule, or may not stay connected. */
    int POLICY_VIOLATION = 1008;
    /** The registry of RFC 6455 §7.4.2: the service restarts. */
    int SERVICE_RESTART = 1012;
    /** The same registry: the peer may come back later. */
    int TRY_AGAIN_LATER = 1013;

    /**
     * Queues a text for the peer; never blocks. A full queue ends the connection with {@link #TRY_AGAIN_LATER}, so a
     * peer that does not read costs little (events.md §5.2).
     *
     * @param text UTF-8, not changed afterwards
     * @return false when the connection is ending
     */
    boolean send(byte[] text);

    /**
     * Sends an error frame about a message of the peer, in the JSON form of every error (events.md §5.2). After too
     * many of them the connection ends with {@link #POLICY_VIOLATION}.
     */
    void refuse(Problem problem);

    /**
     * Waits until three quarters of the queue are free, for a sender of many events; for virtual threads.
     *
     * @return false when the connection is ending
     */
    boolean awaitRoom() throws InterruptedException;

    /** Ends the connection with this code and a short reason; queued texts are dropped. */
    void close(int code, String reason);
}
