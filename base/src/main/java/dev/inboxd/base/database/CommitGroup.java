package dev.inboxd.base.database;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets what is ready together be written together: while a batch commits, the next gathers (decision 0006). A
 * batch may be of many organizations; no organization is in two at a time, of this gathering or another one of the same
 * turns. Nobody waits for a timer. A batch takes one item of each organization, then the next of each, so that nobody
 * waits for all that another has.
 *
 * @param <T> what is gathered
 */
final class CommitGroup<T> {
    private static final int LARGEST_BATCH = 64;
    private static final Duration SLOW = Duration.ofMillis(250);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    private final Writer<T> writer;
    private final Executor thread = ownThread();
    private final OrganizationTurns turns;
    /** What waits, none empty; the organization that was served last is the last. */
    private final Map<UUID, Deque<T>> waiting = new LinkedHashMap<>();

    private boolean writing;
    private long began;

    /** Writes a batch; it must settle each item and throw nothing. */
    interface Writer<T> {
        /** Returns the organizations that are still being written; each is to be told to {@link #release} then. */
        Set<UUID> write(Map<UUID, List<T>> batch);
    }

    /** A group whose batches the writer takes, as large as they can be, and that takes turns with others. */
    CommitGroup(OrganizationTurns turns, Writer<T> writer) {
        this.turns = turns;
        this.writer = writer;
        turns.join(this);
    }

    /** A thread of the system, which is back as soon as the database answers; that is wanted twice a batch. */
    private static Executor ownThread() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                KEEP_ALIVE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("store").factory());
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    /** Adds an item, which is written at once when nothing is being written. */
    void add(UUID organization, T item) {
        addAll(Map.of(organization, List.of(item)));
    }

    /** Adds items of several organizations, none empty, of which the first is not written before the last is there. */
    void addAll(Map<UUID, List<T>> items) {
        Map<UUID, List<T>> batch;
        synchronized (turns) {
            items.forEach((organization, added) -> waiting.computeIfAbsent(organization, _ -> new ArrayDeque<>())
                    .addAll(added));
            batch = take();
            items.keySet().forEach(this::awaitIfLeft);
        }
        commitAll(batch);
    }

    /**
     * Gives back what was not written, in front of all that the organization has waiting and in its order; from the
     * writer, while the organization is still its own, so that the end of that begins the next batch.
     */
    void putBack(UUID organization, List<T> items) {
        synchronized (turns) {
            for (T item : items.reversed()) {
                waiting.computeIfAbsent(organization, _ -> new ArrayDeque<>()).addFirst(item);
            }
            awaitIfLeft(organization);
        }
    }

    /** Takes an item back that nobody has begun to write; false when it is too late for that. */
    @SuppressWarnings("ReferenceEquality") // that very one, and not its like
    boolean cancel(UUID organization, T item) {
        List<Runnable> next = List.of();
        synchronized (turns) {
            Deque<T> items = waiting.get(organization);
            if (items == null || !items.removeIf(queued -> queued == item)) {
                return false;
            }
            if (items.isEmpty()) {
                waiting.remove(organization);
                turns.leave(organization, this);
                next = turns.end(Set.of(), this); // it may have been kept for this one
            }
        }
        next.forEach(Runnable::run);
        return true;
    }

    /** An organization that was still being written is done. */
    void release(UUID organization) {
        List<Runnable> next;
        synchronized (turns) {
            next = turns.end(Set.of(organization), this);
        }
        next.forEach(Runnable::run);
    }

    /**
     * Writes one batch; what has gathered meanwhile is somebody else's, so that no session works for others forever.
     */
    private void write(Map<UUID, List<T>> batch) {
        Set<UUID> left = Set.of();
        try {
            left = writer.write(batch);
        } finally {
            Set<UUID> done = new HashSet<>(batch.keySet());
            done.removeAll(left);
            List<Runnable> next;
            synchronized (turns) {
                writing = false;
                next = turns.end(done, this);
            }
            next.forEach(Runnable::run);
        }
    }

    /**
     * What begins the next batch, or null when nothing waits that can be written now; with the monitor of the turns
     * held.
     */
    @Nullable
    Runnable next() {
        Map<UUID, List<T>> batch = take();
        return batch.isEmpty() ? null : () -> commitAll(batch);
    }

    private void commitAll(Map<UUID, List<T>> next) {
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
        Map<UUID, List<T>> batch = new LinkedHashMap<>();
        if (writing) {
            return batch;
        }
        List<UUID> round = waiting.keySet().stream()
                .filter(organization -> turns.isFree(organization, this))
                .limit(LARGEST_BATCH)
                .toList();
        int room = LARGEST_BATCH;
        while (room > 0 && !round.isEmpty()) {
            List<UUID> served = round.subList(0, Math.min(room, round.size()));
            served.forEach(organization ->
                    batch.computeIfAbsent(organization, _ -> new ArrayList<>()).add(takeOne(organization)));
            room -= served.size();
            round = served.stream().filter(waiting::containsKey).toList();
        }
        turns.begin(batch.keySet(), this);
        batch.keySet().forEach(this::awaitIfLeft);
        writing = !batch.isEmpty();
        if (writing) {
            began = System.nanoTime();
        }
        return batch;
    }

    /** Whether its batch takes so long that nothing is kept for it meanwhile; with the monitor of the turns held. */
    boolean isHeldUp() {
        return writing && System.nanoTime() - began > SLOW.toNanos();
    }

    /** Gets in line for an organization that is not, or not all, in a batch. */
    private void awaitIfLeft(UUID organization) {
        if (waiting.containsKey(organization)) {
            turns.await(organization, this);
        }
    }

    /** The organization's next item; what else it has comes after all others. */
    private T takeOne(UUID organization) {
        Deque<T> items = Objects.requireNonNull(waiting.remove(organization));
        T item = items.removeFirst();
        if (!items.isEmpty()) {
            waiting.put(organization, items);
        }
        return item;
    }
}
