package dev.inboxd.base.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    @Test
    @Proves("P15")
    void aRunThatFailsInAnyWayIsNotTheLast() throws InterruptedException {
        Semaphore runs = new Semaphore(0);
        int[] number = new int[1];
        try (PeriodicTask beat = new PeriodicTask("test", Duration.ofMillis(1), () -> {
            runs.release();
            switch (number[0]++) {
                case 0 -> throw new IllegalStateException("planted");
                case 1 -> throw new StackOverflowError("planted");
                case 2 -> throw new AssertionError("planted");
                default -> {}
            }
        })) {
            beat.start().wake();
            assertThat(runs.tryAcquire(5, 20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatWasClosedBeforeItsStartNeverRuns() {
        Semaphore runs = new Semaphore(0);
        PeriodicTask beat = new PeriodicTask("test", Duration.ofMillis(1), runs::release);
        beat.wake();
        beat.close();
        assertThat(beat.isStarted()).isFalse();

        beat.start().close(); // waits for its thread

        assertThat(runs.availablePermits()).isZero();
        assertThat(beat.isStarted()).isTrue();
    }
}
