package dev.inboxd.mailbox.content;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The parsed forms of messages stored most recently, for the search index, which would otherwise read and parse their
 * bytes a second time. A cache of bounded size; the rows are the truth. Callers have found the message through a view.
 * Thread-safe.
 */
public final class ReadableContentCache {
    /** The size of the cache in characters: about a second of mail at the highest rate. */
    private static final long ROOM = 16 << 20;

    /** A message larger than this fraction of the cache is not added. */
    private static final long LARGEST_SHARE = 128;
    /** The approximate size of a message without its texts. */
    private static final long BESIDE_TEXTS = 2_000;

    private final Map<UUID, ReadableContent> messages = new LinkedHashMap<>();
    private long used;

    /** Adds committed messages. */
    public synchronized void remember(Map<UUID, ReadableContent> stored) {
        stored.forEach((message, shown) -> {
            long weight = weight(shown);
            if (weight <= ROOM / LARGEST_SHARE && messages.putIfAbsent(message, shown) == null) {
                used += weight;
            }
        });
        for (Iterator<ReadableContent> oldest = messages.values().iterator(); used > ROOM; ) {
            used -= weight(oldest.next());
            oldest.remove();
        }
    }

    /** Removes a message from the cache and returns its parsed form; null when it is not there. */
    public synchronized @Nullable ReadableContent take(UUID message) {
        ReadableContent shown = messages.remove(message);
        used -= shown == null ? 0 : weight(shown);
        return shown;
    }

    private static long weight(ReadableContent shown) {
        Map<String, String> headers = shown.headers();
        long fields = headers == null
                ? 0
                : headers.entrySet().stream()
                        .mapToLong(field ->
                                field.getKey().length() + field.getValue().length())
                        .sum();
        long references = shown.references().stream().mapToLong(String::length).sum();
        // Beside the whole text may be its form of joined lines, and the extracted reply once it was computed.
        return BESIDE_TEXTS + 2 * (fields + references + 2 * length(shown.text()) + length(shown.html()));
    }

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
