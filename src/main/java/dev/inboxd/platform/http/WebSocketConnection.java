package dev.inboxd.platform.http;

import dev.inboxd.platform.error.Problem;

/** An open WebSocket as a feature writes to it. Any thread. */
public interface WebSocketConnection {
    /** RFC 6455 §7.4.1: the peer did what it may not, or no longer may be here. */
    int POLICY_VIOLATION = 1008;
    /** The registry of RFC 6455 §7.4.2: the service restarts. */
    int SERVICE_RESTART = 1012;
    /** The same registry: the peer may come back later. */
    int TRY_AGAIN_LATER = 1013;

    /**
     * Queues a text for the peer; never blocks. A queue that is full ends the connection with
     * {@link #TRY_AGAIN_LATER}, so a peer that does not read costs little (events.md §5.2).
     *
     * @param text UTF-8, not changed afterwards
     * @return false when the connection is ending, whoever ended it
     */
    boolean send(byte[] text);

    /**
     * Tells the peer what is wrong with what it said, in the one form of every refusal, as a frame (events.md §5.2). A
     * peer that is told so again and again is let go with {@link #POLICY_VIOLATION}.
     */
    void refuse(Problem problem);

    /**
     * Waits until three quarters of the queue are free, for those who have much to send; for virtual threads.
     *
     * @return false when the connection is ending
     */
    boolean awaitRoom() throws InterruptedException;

    /** Ends the connection with that code and a few words for the peer; what is still queued is dropped. */
    void close(int code, String reason);
}
