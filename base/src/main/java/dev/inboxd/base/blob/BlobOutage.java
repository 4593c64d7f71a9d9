package dev.inboxd.base.blob;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store is unreachable, full or failing. Callers get one and the same answer in all three cases (promise P15). */
public final class BlobOutage {
    private static final Logger LOG = LoggerFactory.getLogger(BlobOutage.class);

    private BlobOutage() {}

    /** The 503 for the caller. */
    public static Problem away() {
        return Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The store of large messages is full or away")
                .retryAfter(Duration.ofSeconds(5));
    }

    /**
     * Logs the cause.
     *
     * @return the 503 for the caller
     */
    static Problem of(String what, Exception cause) {
        LOG.warn("{}: {}", what, cause.toString());
        return away();
    }

    /** Logs a failed deletion. The blob has no row any more, so the next sweep deletes it. */
    static void rethrow(BlobKey key, Exception cause) {
        LOG.warn("The blob {} could not be deleted and is left to the sweep: {}", key.path(), cause.toString());
    }
}
