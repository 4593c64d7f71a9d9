package dev.inboxd.mailbox.markdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How many mails are rendered at a time, and whose turn it is. */
class RenderQueueTest {
    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @Test
    @Proves("P15")
    void fewAreRenderedAtATimeAndOrganizationsTakeTurns() throws Exception {
        RenderQueue queue = new RenderQueue(1, Duration.ofMinutes(1));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch latch = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> futures = new ArrayList<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            futures.add(pool.submit(() -> queue.rendered(one, () -> {
                begun.countDown();
                return awaited(latch);
            })));
            begun.await();
            for (int i = 0; i < 30; i++) {
                int before = i;
                futures.add(pool.submit(() -> queue.rendered(one, () -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    order.add("one");
                    return running.decrementAndGet();
                })));
                Eventually.await(() -> waiting(queue) == before + 1);
            }
            futures.add(pool.submit(() -> queue.rendered(other, () -> order.add("other"))));
            Eventually.await(() -> waiting(queue) == 31);
            latch.countDown();
            for (Future<?> each : futures) {
                each.get();
            }
        }
        assertThat(most.get()).isEqualTo(1);
        assertThat(order).hasSize(31);
        assertThat(order.indexOf("other")).isLessThan(2);
        assertThat(waiting(queue)).isZero();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void whoWaitsTooLongIsRefusedAndTheNextOneIsNot() throws Exception {
        RenderQueue queue = new RenderQueue(1, Duration.ofMillis(1));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch latch = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> first = pool.submit(() -> queue.rendered(one, () -> {
                begun.countDown();
                return awaited(latch);
            }));
            begun.await();
            assertThatThrownBy(() -> queue.rendered(other, () -> "other"))
                    .isInstanceOfSatisfying(
                            Problem.class,
                            problem -> assertThat(problem.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
            assertThat(waiting(queue)).isZero();
            latch.countDown();
            assertThat(first.get()).isTrue();
        }
        assertThatThrownBy(() -> queue.rendered(one, () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(queue.rendered(one, () -> "again")).isEqualTo("again");
    }

    private static int waiting(RenderQueue queue) {
        synchronized (queue) {
            return queue.waiting.values().stream().mapToInt(Collection::size).sum();
        }
    }
}
