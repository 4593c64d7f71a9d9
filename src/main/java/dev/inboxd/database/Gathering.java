package dev.inboxd.database;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Lets what is ready together be written together: while a batch commits, the next gathers (architecture §8.4). A
 * batch may be of many organizations; no organization is in two at a time. Nobody waits for a timer.
 *
 * @param <T> what is gathered
 */
final class Gathering<T> {
    private static final int LARGEST_BATCH = 64;
    private static final Duration REST = Duration.ofSeconds(10);

    private final Writer<T> writer;
    private final Executor thread = ownThread();
    private final Queue<Entry<T>> waiting = new ArrayDeque<>();
    private final Set<UUID> busy = new HashSet<>();
    private boolean writing;

    private record Entry<T>(UUID organization, T item) {}

    /** Writes a batch; it must settle each item and throw nothing. */
    interface Writer<T> {
        /** Returns the organizations that are still being written; each is to be told to {@link #release} then. */
        Set<UUID> write(Map<UUID, List<T>> batch);
    }

    /** A gathering whose batches the writer takes. */
    Gathering(Writer<T> writer) {
        this.writer = writer;
    }

    /** A thread of the system, which is back as soon as the database answers; that is wanted twice a batch. */
    private static Executor ownThread() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, REST.toSeconds(), TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), Thread.ofPlatform().daemon().name("store").factory());
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    /** Adds an item, which is written at once when nothing is being written. */
    void add(UUID organization, T item) {
        Map<UUID, List<T>> batch;
        synchronized (waiting) {
            waiting.add(new Entry<>(organization, item));
            batch = take();
        }
        goOn(batch);
    }

    /** An organization that was still being written is done. */
    void release(UUID organization) {
        Map<UUID, List<T>> next;
        synchronized (waiting) {
            busy.remove(organization);
            next = take();
        }
        goOn(next);
    }

    /** Writes one batch; what has gathered meanwhile is somebody else's, so that no session works for others forever. */
    private void write(Map<UUID, List<T>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        Set<UUID> left = Set.of();
        try {
            left = writer.write(batch);
        } finally {
            Map<UUID, List<T>> next;
            synchronized (waiting) {
                writing = false;
                batch.keySet().stream().filter(Predicate.not(left::contains)).forEach(busy::remove);
                next = take();
            }
            goOn(next);
        }
    }

    private void goOn(Map<UUID, List<T>> next) {
        if (!next.isEmpty()) {
            try {
                thread.execute(() -> write(next));
            } catch (RuntimeException | Error none) { // no more threads of the system
                Thread.startVirtualThread(() -> write(next));
            }
        }
    }

    /** The next batch, which the caller must write; empty when nothing waits that can be written now. */
    private Map<UUID, List<T>> take() {
        Map<UUID, List<T>> batch = new HashMap<>();
        if (writing) {
            return batch;
        }
        int size = 0;
        Iterator<Entry<T>> entries = waiting.iterator();
        while (entries.hasNext() && size < LARGEST_BATCH) {
            Entry<T> entry = entries.next();
            if (!busy.contains(entry.organization)) {
                batch.computeIfAbsent(entry.organization, _ -> new ArrayList<>()).add(entry.item);
                entries.remove();
                size++;
            }
        }
        busy.addAll(batch.keySet());
        writing = !batch.isEmpty();
        return batch;
    }
}
