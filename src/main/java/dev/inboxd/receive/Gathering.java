package dev.inboxd.receive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Lets what is ready together be written together: while one batch of an organization commits, the next gathers
 * (architecture §8.4). The first to come writes; nobody waits for a timer.
 *
 * @param <T> what is gathered
 */
final class Gathering<T> {
    private static final int LARGEST_BATCH = 64;

    private final BiConsumer<UUID, List<T>> writer;
    private final ConcurrentHashMap<UUID, Queue<T>> waiting = new ConcurrentHashMap<>();

    /** A gathering whose batches the writer takes; it must settle each item and throw nothing. */
    Gathering(BiConsumer<UUID, List<T>> writer) {
        this.writer = writer;
    }

    /** Adds an item; when nobody is writing for this organization, the calling thread does. */
    void add(UUID organization, T item) {
        boolean[] first = new boolean[1];
        waiting.compute(organization, (_, known) -> {
            Queue<T> queue = known == null ? new ArrayDeque<>() : known;
            first[0] = known == null;
            queue.add(item);
            return queue;
        });
        if (first[0]) {
            write(organization);
        }
    }

    /** Writes one batch; what has gathered meanwhile is somebody else's, so that no session works for others forever. */
    private void write(UUID organization) {
        List<T> batch = new ArrayList<>();
        waiting.computeIfPresent(organization, (_, queue) -> {
            while (batch.size() < LARGEST_BATCH && !queue.isEmpty()) {
                batch.add(queue.remove());
            }
            return queue;
        });
        try {
            writer.accept(organization, batch);
        } finally {
            boolean more = waiting.computeIfPresent(organization, (_, queue) -> queue.isEmpty() ? null : queue) != null;
            if (more) {
                Thread.startVirtualThread(() -> write(organization));
            }
        }
    }
}
