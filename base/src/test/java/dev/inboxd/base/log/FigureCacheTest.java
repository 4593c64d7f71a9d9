package dev.inboxd.base.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FigureCacheTest {
    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void manyFiguresAndScrapesAreOneLook() {
        FigureCache<Integer> cache = new FigureCache<>("a test", Duration.ofHours(1), looks::incrementAndGet);
        for (int i = 0; i < 100; i++) {
            assertThat(cache.value(Integer::doubleValue)).isEqualTo(1);
        }
        assertThat(looks).hasValue(1);
    }

    @Test
    void afterTheIntervalThereIsAnotherLook() {
        FigureCache<Integer> cache = new FigureCache<>("a test", Duration.ofNanos(1), looks::incrementAndGet);
        assertThat(cache.value(Integer::doubleValue)).isEqualTo(1);
        assertThat(cache.value(Integer::doubleValue)).isEqualTo(2);
    }

    /** Ten figures of a database that hangs hold up a scrape by half a second, not by five. */
    @Test
    void aSourceThatHangsIsWaitedForOnceAndItsFiguresAreUnknown() {
        CountDownLatch over = new CountDownLatch(1);
        FigureCache<Integer> cache = new FigureCache<>("a test", Duration.ofHours(1), () -> {
            try {
                over.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return looks.incrementAndGet();
        });
        long began = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            assertThat(cache.value(Integer::doubleValue)).isNaN();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis(450), Duration.ofSeconds(3));
        over.countDown();
        Eventually.await(() -> !Double.isNaN(cache.value(Integer::doubleValue)));
        assertThat(looks).hasValue(1);
    }

    @Test
    void aSourceThatFailsIsUnknownAndNotAskedAgainAtOnce() {
        FigureCache<Integer> cache = new FigureCache<>("a test", Duration.ofHours(1), () -> {
            looks.incrementAndGet();
            throw new IllegalStateException("away");
        });
        assertThat(cache.value(Integer::doubleValue)).isNaN();
        assertThat(cache.value(Integer::doubleValue)).isNaN();
        assertThat(looks).hasValue(1);
    }
}
