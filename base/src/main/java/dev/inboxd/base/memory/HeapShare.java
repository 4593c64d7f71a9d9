package dev.inboxd.base.memory;

/**
 * Shares of the heap for everything that takes more memory with more load. Each holder has its own bound and keeps to
 * it (promise P15). The shares leave {@link #RESERVE} for everything that takes about the same under any load, so even
 * all of them together, full, cannot exhaust the heap.
 */
public enum HeapShare {
    /** WebSockets and long polls that wait for an event. */
    LISTENERS(39),
    /** Large request bodies, while they are received and parsed. */
    REQUESTS(3),
    /** Large answers, while they are rendered and sent. */
    ANSWERS(3),
    /** Mail between its last octet and its commit. */
    MAIL(3),
    /** The same for mail of submission clients. */
    SUBMISSIONS(2),
    /** Incoming mail before its last octet; the rest goes to files. */
    SPOOL(2),
    /** Payloads of waiting webhook deliveries; the rest is read from the rows again. */
    WEBHOOKS(3),
    /** Spam models of organizations; those that do not fit are read again. */
    MODELS(2);

    private static final int PARTS = 64;
    /**
     * The rest, in 64ths: everything in memory before the first request (23 MB, measured), buffers, and caches of
     * fixed size.
     */
    static final int RESERVE = 7;

    private final int parts;

    HeapShare(int parts) {
        this.parts = parts;
    }

    /** The share of this process's heap, in octets. */
    public long octets() {
        return of(Runtime.getRuntime().maxMemory());
    }

    /** The share of a heap of this many octets. */
    public long of(long heap) {
        return heap / PARTS * parts;
    }

    /** {@link #octets()} as a number of permits. */
    public int permits() {
        return (int) Math.min(octets(), Integer.MAX_VALUE);
    }
}
