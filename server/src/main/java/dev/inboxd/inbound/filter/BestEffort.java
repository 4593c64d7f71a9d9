package dev.inboxd.inbound.filter;

import dev.inboxd.base.database.DatabaseFailure;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs optional checks of mail. A check that fails on a message would fail on each retry of its sender, until the
 * sender gives up; so the message is accepted without the result. A failure that passes, such as a database that is
 * away, is no fault of the message: the message is refused temporarily, and checked on the next attempt.
 */
public final class BestEffort {
    private static final Logger LOG = LoggerFactory.getLogger(BestEffort.class);

    /** Stack frames in the log line: an overflowed stack has thousands. */
    private static final int MAX_FRAMES = 8;

    private BestEffort() {}

    /**
     * The result of a check, or the fallback when the check fails on this message.
     *
     * @param fallback the result without the check
     * @param id identifies the message in the log
     * @throws RuntimeException when the database failed temporarily
     */
    public static <T> T or(T fallback, String id, Supplier<T> check) {
        try {
            return check.get();
        } catch (RuntimeException failure) {
            if (DatabaseFailure.isRetryable(failure)) {
                throw failure;
            }
            return skip(fallback, id, failure);
        } catch (StackOverflowError deep) {
            return skip(fallback, id, deep);
        }
    }

    /**
     * Runs an optional action.
     *
     * @return whether it was completed
     */
    public static boolean done(String id, Runnable work) {
        return or(false, id, () -> {
            work.run();
            return true;
        });
    }

    private static <T> T skip(T fallback, String id, Throwable failure) {
        LOG.warn(
                "Optional check failed, message accepted without its result id={} error=\"{}\" at={}",
                id,
                failure.toString(),
                Stream.of(failure.getStackTrace()).limit(MAX_FRAMES).toList());
        return fallback;
    }
}
