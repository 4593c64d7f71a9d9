package dev.inboxd.inbound;

import dev.inboxd.platform.database.DatabaseFailure;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What mail can do without. A judgement that fails over a message would fail over it each time its sender tries again,
 * until that one gives up; so the mail is taken as if nobody had judged. What passes, as a database that is away, is no
 * fault of the message: then it is put off, and judged later.
 */
final class BestEffort {
    private static final Logger LOG = LoggerFactory.getLogger(BestEffort.class);

    /** Frames of a trace in the log: an overflowed stack has thousands. */
    private static final int SHOWN = 8;

    private BestEffort() {}

    /**
     * What the judgement says, or what it would say of nothing.
     *
     * @param id names the message in the log
     */
    static <T> T or(T nothing, String id, Supplier<T> judgement) {
        try {
            return judgement.get();
        } catch (RuntimeException failure) {
            if (DatabaseFailure.isRetryable(failure)) {
                throw failure;
            }
            return without(nothing, id, failure);
        } catch (StackOverflowError deep) {
            return without(nothing, id, deep);
        }
    }

    /** Does what can be left undone; whether it was done. */
    static boolean done(String id, Runnable work) {
        return or(false, id, () -> {
            work.run();
            return true;
        });
    }

    private static <T> T without(T nothing, String id, Throwable failure) {
        LOG.warn(
                "Message {} is taken without a judgement that failed over it: {} at {}",
                id,
                failure.toString(),
                Stream.of(failure.getStackTrace()).limit(SHOWN).toList());
        return nothing;
    }
}
