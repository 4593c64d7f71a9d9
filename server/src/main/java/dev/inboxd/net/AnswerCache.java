package dev.inboxd.net;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches answers for their time to live, in a bounded amount of memory; when it is full, the least recently used
 * answer is dropped. Thread-safe.
 *
 * @param <K> the question
 * @param <V> the answer
 */
final class AnswerCache<K, V> {
    /**
     * One answer may take at most this part of the memory, so that a sender's giant record does not empty the cache.
     */
    private static final int LARGEST_SHARE = 64;

    private final long room;
    private final LongSupplier nanos;
    private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long used;

    private record Entry<V>(V value, int weight, long until) {}

    /**
     * An empty cache.
     *
     * @param room bytes in all, as callers estimate them
     * @param nanos a monotonic clock, in nanoseconds
     */
    AnswerCache(long room, LongSupplier nanos) {
        this.room = room;
        this.nanos = nanos;
    }

    /** The answer, or null when there is none or it has expired. */
    synchronized @Nullable V get(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (nanos.getAsLong() - entry.until >= 0) {
            entries.remove(key);
            used -= entry.weight;
            return null;
        }
        return entry.value;
    }

    /**
     * Stores an answer.
     *
     * @param weight bytes it takes, roughly
     * @param seconds its time to live
     */
    synchronized void put(K key, V value, int weight, long seconds) {
        if (seconds <= 0 || weight > room / LARGEST_SHARE) {
            return;
        }
        Entry<V> before = entries.put(key, new Entry<>(value, weight, nanos.getAsLong() + seconds * 1_000_000_000L));
        used += weight - (before == null ? 0 : before.weight);
        for (Iterator<Map.Entry<K, Entry<V>>> oldest = entries.entrySet().iterator(); used > room; ) {
            used -= oldest.next().getValue().weight;
            oldest.remove();
        }
    }
}
