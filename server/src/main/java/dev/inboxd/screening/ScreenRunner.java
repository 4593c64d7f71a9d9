package dev.inboxd.screening;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the judge of mail within a time, few at once. A mail that breaks its judge, or takes too long, is looked at by
 * somebody (ruling 82). The judge runs on threads of its own, because one
 * that hangs cannot be ended: it keeps its place, and no more than the places can hang. Safe for concurrent use.
 */
final class ScreenRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScreenRunner.class);
    private static final int STACK_FRAMES = 8;

    private final Duration patience;
    private final Semaphore places;
    private final ThreadPoolExecutor threads;

    /**
     * A runner.
     *
     * @param patience for one mail, with the time that it waits for its turn
     * @param atOnce judges at a time; they bound the memory of all of them
     */
    ScreenRunner(Duration patience, int atOnce) {
        this.patience = patience;
        this.places = new Semaphore(atOnce, true);
        // A place is free a moment before its thread is. Who got the place waits in the queue for that thread, and not
        // for one that hangs: that one keeps its place, so there are as many other threads as other places.
        this.threads = new ThreadPoolExecutor(
                atOnce,
                atOnce,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(atOnce),
                Thread.ofPlatform().daemon().name("screen-", 0).factory());
        this.threads.allowCoreThreadTimeOut(true);
    }

    /**
     * What a judge says; empty when it breaks, takes too long or cannot be run. Throws nothing.
     *
     * @param id identifies the mail in the log
     * @param judge reads the mail and judges it; never null
     */
    <T> Optional<T> run(String id, Callable<T> judge) {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            if (!places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return failed(id, new TimeoutException("no place became free"));
            }
            FutureTask<T> task = begun(judge);
            try {
                return Optional.of(task.get(Math.max(deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS));
            } catch (TimeoutException late) {
                task.cancel(true);
                return failed(id, late);
            } catch (ExecutionException broken) {
                return failed(id, Objects.requireNonNullElse(broken.getCause(), broken));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return failed(id, stopped);
        } catch (RuntimeException | Error unrun) { // no memory for a thread, or the server stops
            return failed(id, unrun);
        }
    }

    private <T> FutureTask<T> begun(Callable<T> judge) {
        FutureTask<T> task = new FutureTask<>(judge);
        Runnable inItsPlace = () -> {
            try {
                task.run();
            } finally {
                places.release();
            }
        };
        try {
            threads.execute(inItsPlace);
        } catch (RuntimeException | Error unrun) {
            places.release();
            task.cancel(false);
            throw unrun;
        }
        return task;
    }

    /** Neither the message of a failure nor anything of the mail is logged: the one may quote the other. */
    private static <T> Optional<T> failed(String id, Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        LOG.warn(
                "Message not judged, it counts as one to review id={} error={} at={}",
                id,
                failure.getClass().getName(),
                Arrays.stream(trace).limit(STACK_FRAMES).toList());
        return Optional.empty();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
