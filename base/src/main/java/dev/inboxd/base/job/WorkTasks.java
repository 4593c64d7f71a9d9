package dev.inboxd.base.job;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work that this node does now, on a thread for each kind and organization, so that no organization delays
 * another. Work that is asked for while it is done is done once more.
 */
final class WorkTasks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkTasks.class);

    private final Map<Work, Task> running = new ConcurrentHashMap<>();
    private final Map<String, Semaphore> permits = new ConcurrentHashMap<>();
    private final End end;
    private volatile boolean stopping;

    private record Work(WorkKind kind, UUID organization) {}

    /** Is told of the end of work. */
    interface End {
        /**
         * Work has ended.
         *
         * @param byRow whether it was found by its row
         */
        void done(WorkKind kind, UUID organization, boolean byRow);
    }

    private static final class Task {
        private boolean again;
        private boolean byRow;
    }

    WorkTasks(End end) {
        this.end = end;
    }

    /** Begins work, or has it done once more. */
    void run(WorkKind kind, UUID organization, boolean byRow) {
        running.compute(new Work(kind, organization), (work, current) -> {
            Task task = current == null ? new Task() : current;
            task.byRow |= byRow;
            task.again |= current != null;
            if (current == null) {
                Thread.startVirtualThread(() -> run(work, task));
            }
            return task;
        });
    }

    /** Work that goes on is settled in its row at its end. */
    void markByRow(WorkKind kind, UUID organization) {
        running.computeIfPresent(new Work(kind, organization), (_, task) -> {
            task.byRow = true;
            return task;
        });
    }

    /** Names what is being done. */
    void forEachRunning(BiConsumer<WorkKind, UUID> listener) {
        running.keySet().forEach(work -> listener.accept(work.kind, work.organization));
    }

    boolean isRunning(WorkKind kind, UUID organization) {
        return running.containsKey(new Work(kind, organization));
    }

    /** Begins nothing more. */
    @Override
    public void close() {
        stopping = true;
    }

    /** Waits until nothing is being done, or the time has passed. */
    void awaitEnd(Duration most) {
        long end = System.nanoTime() + most.toNanos();
        synchronized (running) {
            try {
                long remaining = end - System.nanoTime();
                while (!running.isEmpty() && remaining > 0) {
                    TimeUnit.NANOSECONDS.timedWait(running, remaining);
                    remaining = end - System.nanoTime();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(Work work, Task task) {
        Semaphore room = permits.computeIfAbsent(
                work.kind.name(), _ -> new Semaphore(work.kind.pace().atOnce(), true));
        do {
            room.acquireUninterruptibly(); // anew each time: others have their turn in between
            try {
                attempt(work);
            } finally {
                room.release();
            }
        } while (!isOver(work, task));
        synchronized (running) {
            running.notifyAll();
        }
        end.done(work.kind, work.organization, task.byRow);
    }

    private void attempt(Work work) {
        try {
            if (!stopping) {
                work.kind.worker().run(work.organization);
            }
        } catch (RuntimeException | Error later) {
            LOG.warn("{} postponed organization_id={} cause={}", work.kind.name(), work.organization, later.toString());
        }
    }

    private boolean isOver(Work work, Task task) {
        return running.compute(work, (_, _) -> {
                    boolean again = task.again && !stopping;
                    task.again = false;
                    return again ? task : null;
                })
                == null;
    }
}
