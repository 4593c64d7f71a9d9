package dev.inboxd.mailbox.markdown;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Markdown of a few messages for a short time: many clients may wait for the same one, and it is rendered once for
 * all that ask for the same piece. The content of a message never changes. Thread-safe.
 */
final class MarkdownCache {
    /** Of this process. */
    static final MarkdownCache SHARED = new MarkdownCache(1 << 20, Duration.ofSeconds(10));

    private final long mostCharacters;
    private final long nanos;
    /** The tests count them. */
    final Map<Key, Entry> entries = new LinkedHashMap<>();

    private long characters;

    /**
     * A cache.
     *
     * @param mostCharacters of all pieces that are kept
     * @param age how long a piece is kept
     */
    MarkdownCache(long mostCharacters, Duration age) {
        this.mostCharacters = mostCharacters;
        this.nanos = age.toNanos();
    }

    /**
     * A piece of a message.
     *
     * @param message its internal id
     * @param tellsHidden whether it is also looked for words that a person does not see
     */
    record Key(UUID message, MarkdownQuery query, boolean tellsHidden) {}

    /** A piece, or the promise of one; it is kept from a {@link System#nanoTime} on. */
    record Entry(CompletableFuture<MarkdownAnswer> piece, long since, long characters) {}

    /** The piece, rendered unless it is here or another thread renders it. The caller may see the message. */
    MarkdownAnswer of(Key key, Supplier<MarkdownAnswer> rendering) {
        CompletableFuture<MarkdownAnswer> own = new CompletableFuture<>();
        CompletableFuture<MarkdownAnswer> existing = putIfAbsent(key, own);
        return existing == null ? rendered(key, own, rendering) : waited(existing);
    }

    private static MarkdownAnswer waited(CompletableFuture<MarkdownAnswer> piece) {
        try {
            return piece.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private MarkdownAnswer rendered(
            Key key, CompletableFuture<MarkdownAnswer> own, Supplier<MarkdownAnswer> rendering) {
        try {
            MarkdownAnswer piece = rendering.get();
            own.complete(piece);
            keep(key, own, piece.piece().text().length());
            return piece;
        } catch (RuntimeException | Error failed) {
            own.completeExceptionally(failed);
            forget(key);
            throw failed;
        }
    }

    private synchronized @Nullable CompletableFuture<MarkdownAnswer> putIfAbsent(
            Key key, CompletableFuture<MarkdownAnswer> own) {
        clean();
        Entry entry = entries.get(key);
        if (entry == null) {
            entries.put(key, new Entry(own, Long.MAX_VALUE, 0));
        }
        return entry == null ? null : entry.piece;
    }

    private synchronized void keep(Key key, CompletableFuture<MarkdownAnswer> piece, long length) {
        entries.remove(key); // to stand behind those that are older
        if (length <= mostCharacters) {
            entries.put(key, new Entry(piece, System.nanoTime(), length));
            characters += length;
        }
        clean();
    }

    private synchronized void forget(Key key) {
        entries.remove(key);
    }

    /** Takes out what is too old or too much, the oldest first; what is being rendered stays. */
    private void clean() {
        long now = System.nanoTime();
        for (Iterator<Entry> iterator = entries.values().iterator(); iterator.hasNext(); ) {
            Entry entry = iterator.next();
            boolean isDone = entry.since != Long.MAX_VALUE;
            if (isDone && (characters > mostCharacters || now - entry.since > nanos)) {
                characters -= entry.characters;
                iterator.remove();
            }
        }
    }
}
