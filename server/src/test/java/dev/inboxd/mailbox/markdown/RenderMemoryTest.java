package dev.inboxd.mailbox.markdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.Problem;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Which mails are rendered at the same time. */
class RenderMemoryTest {
    private static final long SMALL = 208L << 20;
    private static final String LARGE = "<b>".repeat(20_000);

    /** Begins to render a mail, and goes on with it when the latch opens. */
    private static Future<String> begun(RenderMemory memory, String html, CountDownLatch latch, ExecutorService pool)
            throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Future<String> rendered = pool.submit(() -> memory.rendered(html, () -> {
            begun.countDown();
            try {
                latch.await();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            return "done";
        }));
        begun.await();
        return rendered;
    }

    @Test
    @Proves("P15")
    void aLargeMailWaitsForAnotherAndASmallOneBehindNobodyDoesNot() throws Exception {
        RenderMemory memory = new RenderMemory(SMALL, Duration.ofMinutes(1));
        CountDownLatch latch = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            Future<String> first = begun(memory, "<p>".repeat(11_000), latch, pool);
            assertThat(memory.rendered("<p>Hello</p>", () -> "small")).isEqualTo("small");
            assertThat(memory.rendered(null, () -> "text")).isEqualTo("text");
            CompletableFuture<String> second = new CompletableFuture<>();
            Thread waiting = Thread.ofPlatform().start(() -> second.complete(memory.rendered(LARGE, () -> "second")));
            Eventually.await(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            assertThat(second.isDone()).isFalse();
            latch.countDown();
            assertThat(first.get()).isEqualTo("done");
            assertThat(second.get()).isEqualTo("second");
            waiting.join();
        }
    }

    @Test
    @Proves("P15")
    void aMailThatWaitsTooLongIsRefusedAndALargerHeapHasRoomForMore() throws Exception {
        RenderMemory memory = new RenderMemory(SMALL, Duration.ofMillis(1));
        RenderMemory larger = new RenderMemory(2 * SMALL, Duration.ofMillis(1));
        CountDownLatch latch = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Future<String> first = begun(memory, LARGE, latch, pool);
            assertThatThrownBy(() -> memory.rendered(LARGE, () -> "second"))
                    .isInstanceOf(Problem.class)
                    .hasMessageContaining("large messages");
            Future<String> other = begun(larger, LARGE, latch, pool);
            assertThat(larger.rendered(LARGE, () -> "second")).isEqualTo("second");
            latch.countDown();
            assertThat(first.get()).isEqualTo(other.get());
        }
        assertThat(memory.rendered(LARGE, () -> "again")).isEqualTo("again");
    }

    @Test
    void whatIsRenderedWithAFaultLeavesItsMemory() {
        RenderMemory memory = new RenderMemory(SMALL, Duration.ofMillis(1));
        assertThatThrownBy(() -> memory.rendered(LARGE, () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(memory.rendered(LARGE, () -> "next")).isEqualTo("next");
    }
}
