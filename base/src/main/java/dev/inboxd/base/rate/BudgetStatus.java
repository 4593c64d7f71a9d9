package dev.inboxd.base.rate;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Status of a budget after a request to it.
 *
 * @param rate the rate of the budget
 * @param remaining units that can be spent at once now
 * @param fullAt when the budget is full again
 * @param pause time until the next unit; null when the request was allowed
 */
public record BudgetStatus(
        Rate rate, int remaining, Instant fullAt, @Nullable Duration pause) {
    /** Whether the request was allowed. */
    public boolean isAllowed() {
        return pause == null;
    }

    /**
     * Throws when the request was not allowed.
     *
     * @throws Problem {@code rate_limit_exceeded} with the time to retry after
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

    /** Seconds, rounded up, so that a client that waits them does not come too early. */
    static long ceil(Duration time) {
        return time.plusNanos(999_999_999).toSeconds();
    }
}
