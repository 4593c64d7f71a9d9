package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of all mails and files that are rendered at the same time. The tree of a mail may take fifty times
 * its characters; one of the largest always fits, and with it nothing else. One that does not fit waits, and is refused
 * when it waits too long (promise P15).
 */
final class RenderMemory {
    /** The elements of the largest tree (markdown.md §2). */
    private static final int LARGEST = 150_000;
    /** The most elements that one tag makes: a paragraph begins with those of formatting that were not ended before. */
    private static final int PER_TAG = 13;
    /** The heap that one of the largest trees has beside everything else. */
    private static final long HEAP = 192L << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Of this process. */
    static final RenderMemory SHARED = new RenderMemory(Runtime.getRuntime().maxMemory(), PATIENCE);

    private final Semaphore elements;
    private final Duration patience;

    /**
     * A limit for a heap of that size in octets.
     *
     * @param patience how long a mail waits for its memory
     */
    RenderMemory(long heap, Duration patience) {
        int all = (int) Math.min(Integer.MAX_VALUE, LARGEST * Math.max(1, heap / HEAP));
        this.elements = new Semaphore(all, true);
        this.patience = patience;
    }

    /**
     * Renders with the memory for it.
     *
     * @param html null when there is none
     * @throws Problem {@code service_unavailable} when others do not release enough memory in time
     */
    <T> T rendered(@Nullable String html, Supplier<T> rendering) {
        int needed = html == null ? 0 : elements(html);
        take(needed);
        try {
            return rendering.get();
        } finally {
            elements.release(needed);
        }
    }

    private static int elements(String html) {
        int elements = 0;
        for (int i = html.indexOf('<'); i >= 0 && elements < LARGEST; i = html.indexOf('<', i + 1)) {
            elements += PER_TAG;
        }
        return Math.min(LARGEST, elements);
    }

    private void take(int needed) {
        try {
            if (elements.tryAcquire(needed, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many large messages are read at once")
                .retryAfter(Duration.ofSeconds(2));
    }
}
