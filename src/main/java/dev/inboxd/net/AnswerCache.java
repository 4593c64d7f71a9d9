package dev.inboxd.net;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers answers for as long as they say, in a bounded amount of memory: when that is full, what was not asked for
 * the longest goes. Thread-safe.
 *
 * @param <K> what was asked
 * @param <V> what was answered
 */
final class AnswerCache<K, V> {
    /** One answer may take this part of the room, so that no sender's giant empties the cache. */
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
     * @param nanos a clock that never goes back, in nanoseconds
     */
    AnswerCache(long room, LongSupplier nanos) {
        this.room = room;
        this.nanos = nanos;
    }

    /** The answer, or null when there is none or its time is over. */
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
     * Remembers an answer.
     *
     * @param weight bytes it takes, roughly
     * @param seconds how long it holds
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
