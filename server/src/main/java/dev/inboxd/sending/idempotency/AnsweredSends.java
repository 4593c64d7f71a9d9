package dev.inboxd.sending.idempotency;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks which sends without an Idempotency-Key were acknowledged: their response was written to the caller. A send is
 * a new one only if it began after that. A send that began before is a repeat of the same request, however late it is
 * processed.
 */
final class AnsweredSends {
    private final AtomicLong answers = new AtomicLong();
    private final Map<SendRow, Long> written = new ConcurrentHashMap<>();
    private final Map<String, Integer> running = new ConcurrentHashMap<>();

    /** The row of a send. Several sends may have the same key one after another; the fence tells them apart. */
    record SendRow(UUID organization, String key, long fence) {}

    /**
     * Registers the start of a send.
     *
     * @return the position in the sequence of acknowledgements, for {@link #isBefore}
     */
    long begin(String key) {
        running.merge(key, 1, Integer::sum);
        return answers.get();
    }

    /** Registers the end of a send, whatever its outcome. */
    void end(String key) {
        running.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Registers that the response of a send was written. */
    void add(SendRow row) {
        written.put(row, answers.incrementAndGet());
    }

    /** Whether the response of that send was written before another send began. */
    boolean isBefore(SendRow row, long began) {
        Long acknowledged = written.get(row);
        return acknowledged != null && acknowledged <= began;
    }

    /** The rows of acknowledged sends whose key no running send uses. */
    List<SendRow> removable() {
        return written.keySet().stream()
                .filter(row -> !running.containsKey(row.key))
                .toList();
    }

    /** Forgets rows that were deleted. */
    void remove(List<SendRow> rows) {
        rows.forEach(written::remove);
    }
}
