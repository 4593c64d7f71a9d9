package dev.inboxd.platform.http;

/**
 * What a feature does with a request that it cannot answer yet. While it rests, no thread is the request's: ten thousand
 * parked stacks would fill the heap.
 */
public interface DeferredResponse {
    /**
     * Begins to rest; called after the handler, and again whenever {@link #poll} says so. Must not block.
     *
     * @param resume to be run once when it is time to look, on any thread, which it does not keep; perhaps before this
     *     returns
     */
    void park(Runnable resume);

    /**
     * Looks, as {@link Handler} does: on a virtual thread, where it may block and throw.
     *
     * @return the answer, or {@link Response#later} to rest again
     */
    Response poll();

    /**
     * The peer is gone, as far as that is noticed: it is to look soon, for an answer that nobody reads. Called at any
     * time, also while it looks and after it has answered. Must not block.
     */
    void disconnected();
}
