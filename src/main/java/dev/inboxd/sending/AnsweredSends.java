package dev.inboxd.sending;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which sends without a caller's key were heard of: their answers were written. Only a send that began after that is a
 * new one; one that began before, and was overtaken, is the same once more, however late it comes to its turn.
 */
final class AnsweredSends {
    private final AtomicLong answers = new AtomicLong();
    private final Map<SendRow, Long> written = new ConcurrentHashMap<>();
    private final Map<String, Integer> running = new ConcurrentHashMap<>();

    /** The row of a send, of the many that may have the same key one after another. */
    record SendRow(UUID organization, String key, long fence) {}

    /**
     * A send begins.
     *
     * @return when, for {@link #isBefore}
     */
    long begin(String key) {
        running.merge(key, 1, Integer::sum);
        return answers.get();
    }

    /** A send that began is over. */
    void end(String key) {
        running.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    /** The answer of a send was written. */
    void add(SendRow note) {
        written.put(note, answers.incrementAndGet());
    }

    /** Whether the answer of that send was written before another began. */
    boolean isBefore(SendRow note, long began) {
        Long heard = written.get(note);
        return heard != null && heard <= began;
    }

    /** The notes that nobody asks for any more. */
    List<SendRow> removable() {
        return written.keySet().stream()
                .filter(note -> !running.containsKey(note.key))
                .toList();
    }

    /** The rows of these notes are gone. */
    void remove(List<SendRow> notes) {
        notes.forEach(written::remove);
    }
}
