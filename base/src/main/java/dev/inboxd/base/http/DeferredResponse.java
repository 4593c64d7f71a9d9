package dev.inboxd.base.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that a feature cannot answer yet. A parked request holds no thread: the stacks of ten thousand of them
 * would fill the heap.
 */
public interface DeferredResponse {
    /**
     * Parks the request. Called after the handler, and after each {@link #poll} that returned {@link Response#later}.
     * Must not block.
     *
     * @param resume runs once when a poll is due, on any thread, without blocking it; it may run before this method
     *     returns
     */
    void park(Runnable resume);

    /**
     * Polls for the answer, like {@link Handler}: on a virtual thread, where it may block and throw.
     *
     * @return the answer, or {@link Response#later} to park again
     */
    Response poll();

    /**
     * The peer has disconnected, as far as the server notices that. The next poll should come soon; nobody reads its
     * answer. Called at any time, also during a poll and after the answer. Must not block.
     */
    void disconnected();

    /**
     * What is sent of an answer of server-sent events while it waits: a piece at once and another one now and then.
     * Asked once, when the request is parked first. {@link #poll} then answers with the last piece.
     *
     * @return null when nothing is sent until the answer
     */
    default @Nullable Supplier<byte[]> pieces() {
        return null;
    }
}
