package dev.inboxd.smtp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class MessageMemoryTest {
    private static final int LARGEST_ORDINARY = 1 << 20;

    @Test
    void ordinaryMailIsWeighedBySize() {
        MessageMemory budget = new MessageMemory(1 << 23, Duration.ZERO);
        int all = budget.available();
        assertThat(budget.acquire(LARGEST_ORDINARY)).isTrue();
        assertThat(budget.acquire(LARGEST_ORDINARY)).isFalse();
        for (int i = 0; i < 50; i++) {
            assertThat(budget.acquire(5_000)).isTrue();
        }
        budget.release(LARGEST_ORDINARY);
        assertThat(budget.acquire(LARGEST_ORDINARY)).isTrue();
        budget.release(LARGEST_ORDINARY);
        for (int i = 0; i < 50; i++) {
            budget.release(5_000);
        }
        assertThat(budget.available()).isEqualTo(all);
    }

    @Test
    void theLargestMessageFitsIntoTheSmallestBudgetAndLargeOnesHaveTheirOwn() {
        MessageMemory budget = new MessageMemory(0, Duration.ZERO);
        assertThat(budget.acquire(LARGEST_ORDINARY)).isTrue();
        assertThat(budget.available()).isZero();
        for (int i = 0; i < 4; i++) {
            assertThat(budget.acquire(40 << 20)).isTrue();
        }
        assertThat(budget.acquire(40 << 20)).isFalse();
        budget.release(40 << 20);
        assertThat(budget.acquire(LARGEST_ORDINARY + 1)).isTrue();
    }

    @Test
    void mailWaitsUntilOthersHaveLeftAndAnInterruptedWaitIsARefusal() throws Exception {
        MessageMemory budget = new MessageMemory(0, Duration.ofMinutes(1));
        assertThat(budget.acquire(LARGEST_ORDINARY)).isTrue();
        try (ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> second = sessions.submit(() -> budget.acquire(LARGEST_ORDINARY));
            Eventually.await(budget::isAwaited);
            budget.release(LARGEST_ORDINARY);
            assertThat(second.get()).isTrue();
        }
        Thread.currentThread().interrupt();
        assertThat(budget.acquire(LARGEST_ORDINARY)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
