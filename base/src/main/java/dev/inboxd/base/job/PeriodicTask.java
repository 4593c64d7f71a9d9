package dev.inboxd.base.job;

import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs background work periodically: at once when woken, else after a pause, because wake-ups are only hints and the
 * rows are the truth. A failure is logged, and the work runs again after the pause.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

    private final Semaphore wakeUps = new Semaphore(0);
    private final Duration interval;
    private final Duration afterFailure;
    private final Runnable work;
    private final Thread thread;
    private volatile boolean stopping;

    /**
     * A task that runs nothing before {@link #start}.
     *
     * @param name for the thread and the log
     * @param interval the longest pause between two runs
     */
    public PeriodicTask(String name, Duration interval, Runnable work) {
        this(name, interval, interval, work);
    }

    /**
     * A task that runs again sooner when it failed.
     *
     * @param afterFailure the longest pause after a run that failed
     */
    PeriodicTask(String name, Duration interval, Duration afterFailure, Runnable work) {
        this.interval = interval;
        this.afterFailure = afterFailure;
        this.work = work;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    /**
     * Starts to run the work, on its own virtual thread; call it once.
     *
     * @return this
     */
    public PeriodicTask start() {
        thread.start();
        return this;
    }

    /** Whether it was started, even if it has ended meanwhile. */
    public boolean isStarted() {
        return thread.getState() != Thread.State.NEW;
    }

    /** Requests a run soon, or at the start; cheap, from any thread. */
    public void wake() {
        if (wakeUps.availablePermits() == 0) {
            wakeUps.release();
        }
    }

    /** Waits for the end of the current run; a task that was not started never starts. */
    @Override
    public void close() {
        stopping = true;
        wake();
        try {
            thread.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopping) {
            Duration pause = afterFailure;
            try {
                work.run();
                pause = interval;
            } catch (Problem expected) {
                LOG.warn("{}: {}", thread.getName(), expected.message());
            } catch (RuntimeException | Error failure) {
                // An error of one run, such as a stack overflow, must not end the task.
                LOG.error("{} failed and will run again", thread.getName(), failure);
            }
            sleep(pause);
        }
    }

    private void sleep(Duration pause) {
        try {
            if (wakeUps.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                wakeUps.drainPermits();
            }
        } catch (InterruptedException stopped) {
            stopping = true;
        }
    }
}
