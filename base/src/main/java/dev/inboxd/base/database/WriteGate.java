package dev.inboxd.base.database;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Refuses transactions that write, of all organizations or of one, and knows when the last of those that had begun
 * before is over. What is lost on the way is nothing: whoever is refused is told to ask again.
 */
public final class WriteGate {
    private static final Duration LATER = Duration.ofSeconds(10);

    private volatile Rule rule = _ -> null;
    private volatile Predicate<UUID> paused = _ -> false;
    private volatile Period period = new Period();
    /** Transactions that began under an earlier rule; null when none did. */
    private volatile @Nullable Period before;

    WriteGate() {}

    /** Says why nothing may be written. */
    @FunctionalInterface
    public interface Rule {
        /**
         * What a writer is told, or null when it may write.
         *
         * @param organization the organization that is written; null for what belongs to none, or to several
         */
        @Nullable
        Problem refusal(@Nullable UUID organization);
    }

    /** What a writer is told while nothing is written. */
    public static Problem readOnly() {
        return Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Nothing is written for some minutes, while the data moves")
                .retryAfter(LATER);
    }

    /**
     * What a writer is told behind a move.
     *
     * @param what The service, or The organization
     * @param place where it is now, without a password
     */
    public static Problem moved(String what, String place) {
        return Problem.of(ErrorCode.MOVED, what + " has moved to another installation, " + place);
    }

    /**
     * Goes by another rule from now on. To be called by one thread at a time, and again only when {@link #isSettled}.
     */
    public void follow(Rule newRule) {
        rule = newRule;
        before = period;
        period = new Period();
    }

    /** Whether all that runs began under the rule of now. */
    public boolean isSettled() {
        Period earlier = before;
        return earlier == null || earlier.running.get() == 0;
    }

    /** The transactions that began under one rule. */
    private static final class Period {
        private final AtomicInteger running = new AtomicInteger();
    }

    /** A transaction that writes; closed when it is over. */
    static final class Passage implements AutoCloseable {
        private final Period entered;

        private Passage(Period entered) {
            this.entered = entered;
        }

        @Override
        public void close() {
            entered.running.decrementAndGet();
        }
    }

    /** Lets a transaction begin, which counts until it is closed. */
    @SuppressWarnings("ReferenceEquality") // that very one
    Passage enter() {
        while (true) {
            Period now = period;
            now.running.incrementAndGet();
            if (now == period) {
                return new Passage(now);
            }
            now.running.decrementAndGet();
        }
    }

    /**
     * Refuses an organization's writer.
     *
     * @throws Problem why
     */
    void require(@Nullable UUID organization) {
        Problem refusal = rule.refusal(organization);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Whether nothing at all is written now. */
    public boolean isClosed() {
        return rule.refusal(null) != null;
    }

    /**
     * Lets the work of some organizations wait, and their callers and mail come again, because somebody tests that
     * (sandbox.md §6). What has begun is written all the same.
     */
    public void pause(Predicate<UUID> organizations) {
        paused = organizations;
    }

    /** Whether the work of an organization waits because somebody tests that. */
    public boolean isPaused(UUID organization) {
        return paused.test(organization);
    }

    /** What a caller of such an organization is told. */
    public static Problem busy() {
        return Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The database is busy").retryAfter(Duration.ofSeconds(1));
    }

    /** Whether work of an organization may be done now: it does not move, has not moved away, and is not paused. */
    public boolean isOpen(UUID organization) {
        return rule.refusal(organization) == null && !isPaused(organization);
    }

    /** Why an organization is not written now, or null. */
    public @Nullable Problem refusal(UUID organization) {
        return rule.refusal(organization);
    }
}
