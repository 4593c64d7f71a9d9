package dev.inboxd.platform.blob;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store cannot be reached, is full or fails: one and the same answer, wherever it is noticed (promise P15). */
final class BlobOutage {
    private static final Logger LOG = LoggerFactory.getLogger(BlobOutage.class);

    private BlobOutage() {}

    /** Tells the caller to come again, and the log why. */
    static Problem of(String what, Exception cause) {
        LOG.warn("{}: {}", what, cause.toString());
        return Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The store of large messages is full or away")
                .retryAfter(Duration.ofSeconds(5));
    }

    /** What could not be deleted now has no row any more, and goes with the next sweep. */
    static void rethrow(BlobKey key, Exception cause) {
        LOG.warn("The blob {} could not be deleted and is left to the sweep: {}", key.path(), cause.toString());
    }
}
