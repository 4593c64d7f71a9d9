package dev.inboxd.base.log;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Figures that cost something to get, such as a query: taken when somebody looks, at most every so often, and not
 * waited for long. Thread-safe.
 *
 * @param <T> the figures
 */
public final class FigureCache<T> {
    private static final Logger LOG = LoggerFactory.getLogger(FigureCache.class);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final String name;
    private final long interval;
    private final Supplier<T> source;
    private @Nullable Refresh<T> pending;
    private @Nullable T last;
    private long takenAt;

    /** A refresh that is under way, and when it began. */
    private record Refresh<T>(CompletableFuture<T> figures, long began) {}

    /**
     * Figures that nobody has asked for yet.
     *
     * @param name for the log
     * @param interval the least time between two refreshes
     * @param source where they come from; what it throws is logged, and means that the figures are not known
     */
    public FigureCache(String name, Duration interval, Supplier<T> source) {
        this.name = name;
        this.interval = interval.toNanos();
        this.source = source;
    }

    /** One of the figures as a gauge reads it; not a number while they are not known. */
    public double value(ToDoubleFunction<T> figure) {
        T figures = current();
        return figures == null ? Double.NaN : figure.applyAsDouble(figures);
    }

    /** The figures; those of the refresh before while one takes long, and null when the last one failed. */
    private @Nullable T current() {
        Refresh<T> currentRefresh = currentRefresh();
        if (currentRefresh != null) {
            // However many figures are read of a refresh that takes long, they wait for it once.
            long left = PATIENCE.toNanos() - (System.nanoTime() - currentRefresh.began);
            try {
                return currentRefresh.figures.get(Math.max(0, left), TimeUnit.NANOSECONDS);
            } catch (TimeoutException slow) {
                return lastKnown();
            } catch (ExecutionException failed) {
                return null;
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
        return lastKnown();
    }

    private synchronized @Nullable T lastKnown() {
        return last;
    }

    /** The refresh that is under way, a new one when the last is too old, or null when it is not. */
    private synchronized @Nullable Refresh<T> currentRefresh() {
        Refresh<T> running = pending;
        if (running != null || (takenAt != 0 && System.nanoTime() - takenAt < interval)) {
            return running;
        }
        Refresh<T> begun = new Refresh<>(new CompletableFuture<>(), System.nanoTime());
        pending = begun;
        Thread.ofVirtual().name("figures of " + name).start(() -> take(begun.figures));
        return begun;
    }

    private void take(CompletableFuture<T> future) {
        try {
            T figures = source.get();
            ended(figures);
            future.complete(figures);
        } catch (RuntimeException | Error failure) {
            LOG.warn("figures of {} not read cause=\"{}\"", name, failure.toString());
            ended(null);
            future.completeExceptionally(failure);
        }
    }

    private synchronized void ended(@Nullable T figures) {
        last = figures;
        pending = null;
        takenAt = System.nanoTime();
    }
}
