package dev.inboxd.platform.rate;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a budget stands after something was asked of it.
 *
 * @param rate which one
 * @param remaining how often it may be done at once now
 * @param fullAt when nothing will be missing
 * @param pause how long until it may be done again; null when it was allowed
 */
public record BudgetStatus(
        Rate rate, int remaining, Instant fullAt, @Nullable Duration pause) {
    /** Whether it was allowed. */
    public boolean isAllowed() {
        return pause == null;
    }

    /**
     * Refuses what was not allowed.
     *
     * @throws Problem {@code rate_limit_exceeded} with the time to come back
     */
    public void require() {
        if (pause != null) {
            throw Problem.of(
                            ErrorCode.RATE_LIMIT_EXCEEDED,
                            "Too many " + rate.name().replace('_', ' ') + ": at most " + rate.amount() + " in "
                                    + rate.window().toSeconds() + " s")
                    .with("resource", rate.name())
                    .with("limit", rate.amount())
                    .with("window", rate.window().toSeconds() + "s")
                    .retryAfter(Duration.ofSeconds(ceil(pause)));
        }
    }

    /** Whole seconds, so that who waits them does not come too early. */
    static long ceil(Duration time) {
        return time.plusNanos(999_999_999).toSeconds();
    }
}
