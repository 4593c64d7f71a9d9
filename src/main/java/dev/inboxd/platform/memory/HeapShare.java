package dev.inboxd.platform.memory;

/**
 * How the heap is divided among those who take more of it the more is wanted of them. Each has its own bound and keeps to
 * it (promise P15); together they leave {@link #REST} for everybody who takes about the same whatever happens. So no two
 * of them can be full and end the process between them.
 */
public enum HeapShare {
    /** Sockets and requests that wait for an event. */
    LISTENERS(39),
    /** Large bodies of requests, while they come and are read. */
    REQUESTS(3),
    /** Large answers, while they are made and sent. */
    ANSWERS(3),
    /** Mail between its last octet and its commit. */
    MAIL(3),
    /** The same of mail that programs submit. */
    SUBMISSIONS(2),
    /** Mail on its way in, before its last octet; what does not fit goes to files. */
    SPOOL(2),
    /** Payloads that wait for their webhooks; what does not fit is read from the rows. */
    WEBHOOKS(3),
    /** What organizations taught about spam; what does not fit is read again. */
    MODELS(2);

    private static final int PARTS = 64;
    /**
     * What is left for everything that is there before the first request (23 MB, measured), buffers, and caches of fixed
     * size, in 64ths.
     */
    static final int REST = 7;

    private final int parts;

    HeapShare(int parts) {
        this.parts = parts;
    }

    /** Its part of this process's heap, in octets. */
    public long octets() {
        return of(Runtime.getRuntime().maxMemory());
    }

    /** Its part of a heap of so many octets. */
    public long of(long heap) {
        return heap / PARTS * parts;
    }

    /** {@link #octets()} as a number of permits. */
    public int permits() {
        return (int) Math.min(octets(), Integer.MAX_VALUE);
    }
}
