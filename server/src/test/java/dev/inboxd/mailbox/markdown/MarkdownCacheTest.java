package dev.inboxd.mailbox.markdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.mail.markdown.LinkForm;
import dev.inboxd.mail.markdown.MarkdownForm;
import dev.inboxd.mail.markdown.MarkdownPiece;
import dev.inboxd.mail.markdown.QuoteForm;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is rendered once for many, and how much of it is kept. */
class MarkdownCacheTest {
    private static MarkdownCache.Key key(long offset) {
        return new MarkdownCache.Key(
                new UUID(1, 1), new MarkdownQuery(new MarkdownForm(QuoteForm.FOLD, LinkForm.FULL), offset, 100), true);
    }

    private static MarkdownAnswer piece(String text) {
        return new MarkdownAnswer(new MarkdownPiece(text, 1, -1, text.length(), 1), false);
    }

    @Test
    @Proves("P15")
    void thirtyWhoWaitForTheSameMessageHaveItRenderedOnce() throws Exception {
        MarkdownCache cache = new MarkdownCache(1_000, Duration.ofMinutes(1));
        AtomicInteger renderings = new AtomicInteger();
        CountDownLatch latch = new CountDownLatch(1);
        List<Future<MarkdownAnswer>> waiters = new ArrayList<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 30; i++) {
                waiters.add(pool.submit(() -> cache.of(key(0), () -> {
                    renderings.incrementAndGet();
                    try {
                        latch.await();
                    } catch (InterruptedException stopped) {
                        throw new IllegalStateException(stopped);
                    }
                    return piece("shared");
                })));
            }
            latch.countDown();
            for (Future<MarkdownAnswer> each : waiters) {
                assertThat(each.get().piece().text()).isEqualTo("shared");
            }
        }
        assertThat(renderings.get()).isEqualTo(1);
        assertThat(cache.of(key(7), () -> piece("other")).piece().text()).isEqualTo("other");
    }

    @Test
    void whatIsKeptIsBoundedInSizeAndAge() {
        MarkdownCache cache = new MarkdownCache(100, Duration.ofMinutes(1));
        for (int i = 0; i < 50; i++) {
            cache.of(key(i), () -> piece("0123456789"));
        }
        assertThat(cache.entries).hasSize(10);
        cache.of(key(99), () -> piece("x".repeat(101)));
        assertThat(cache.entries).hasSize(10);
        MarkdownCache none = new MarkdownCache(100, Duration.ofNanos(-1));
        none.of(key(0), () -> piece("old"));
        assertThat(none.of(key(0), () -> piece("new")).piece().text()).isEqualTo("new");
    }

    @Test
    void aRenderingThatFailsIsNotKept() {
        MarkdownCache cache = new MarkdownCache(100, Duration.ofMinutes(1));
        assertThatThrownBy(() -> cache.of(key(0), () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(cache.entries).isEmpty();
        assertThat(cache.of(key(0), () -> piece("good")).piece().text()).isEqualTo("good");
    }
}
