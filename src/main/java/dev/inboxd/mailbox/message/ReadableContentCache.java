package dev.inboxd.mailbox.message;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of the messages that were stored last, for whoever reads them next: the search index, which would otherwise
 * read their bytes and take them apart a second time. A cache of bounded size; the rows are the truth. Who asks has found
 * the message through a view. Thread-safe.
 */
public final class ReadableContentCache {
    /** Characters in all: about a second of mail at the highest rate. */
    private static final long ROOM = 16 << 20;

    private static final long LARGEST_SHARE = 128;
    /** What a message takes beside its texts, roughly. */
    private static final long BESIDE_TEXTS = 2_000;

    private final Map<UUID, ReadableContent> messages = new LinkedHashMap<>();
    private long used;

    /** Remembers messages that were committed. */
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

    /** What is shown of a message, which is forgotten with that; null when it is not remembered. */
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
        // What the sender wrote anew is kept beside the whole once it was asked for.
        return BESIDE_TEXTS + 2 * (fields + references + length(shown.text()) + length(shown.html()));
    }

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
