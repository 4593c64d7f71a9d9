package dev.inboxd.outbound.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.outbound.throttle.DestinationThrottle.LoadSignal;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DestinationThrottleTest {
    private final AtomicLong nanos = new AtomicLong(5);
    private DestinationThrottle destinations = new DestinationThrottle(20, Integer.MAX_VALUE, nanos::get);

    private int room() {
        return destinations.snapshot(false).getOrDefault("far.test", destinations.defaultLimit());
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private void attempt(LoadSignal course) {
        assertThat(destinations.begin("far.test")).isTrue();
        destinations.ended("far.test", course);
    }

    @Test
    void theShareGrowsWithWhatIsTakenUpToItsLimit() {
        assertThat(room()).isEqualTo(5);
        attempt(LoadSignal.ANSWERED);
        assertThat(room()).isEqualTo(6);
        for (int i = 0; i < 50; i++) {
            attempt(LoadSignal.ANSWERED);
        }
        assertThat(room()).isEqualTo(20);
        assertThat(destinations.begin("far.test")).isTrue();
        assertThat(room()).isEqualTo(19);
        assertThat(destinations.snapshot(true)).containsEntry("far.test", 1);
        assertThat(destinations.snapshot(false)).doesNotContainKey("near.test");
    }

    @Test
    @Proves("P2c")
    void whoAsksForPatienceRestsAndGetsHalf() {
        for (int i = 0; i < 50; i++) {
            attempt(LoadSignal.ANSWERED);
        }
        attempt(LoadSignal.SLOW_DOWN);
        assertThat(destinations.begin("far.test")).isFalse();
        pass(Duration.ofSeconds(5)); // a moment, which does not grow: anybody's message may have provoked it
        assertThat(room()).isEqualTo(10);
        for (int i = 0; i < 50; i++) {
            attempt(LoadSignal.ANSWERED);
        }
        attempt(LoadSignal.CLOSED);
        assertThat(room()).isZero();
        pass(Duration.ofSeconds(29));
        assertThat(room()).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(room()).isEqualTo(10);
    }

    @Test
    void theRestDoublesAndWhatFailedTogetherIsOneFailure() {
        for (int i = 0; i < 5; i++) {
            assertThat(destinations.begin("far.test")).isTrue();
        }
        for (int i = 0; i < 5; i++) {
            destinations.ended("far.test", LoadSignal.AWAY);
        }
        for (int doubling = 0; doubling <= 8; doubling++) {
            Duration rest = Duration.ofSeconds(30).multipliedBy(1L << Math.min(doubling, 5));
            pass(rest.minusSeconds(1));
            assertThat(room()).isZero();
            pass(Duration.ofSeconds(1));
            assertThat(room()).isEqualTo(1);
            attempt(LoadSignal.AWAY);
        }
    }

    @Test
    void onceItAnswersAllIsForgiven() {
        attempt(LoadSignal.AWAY);
        pass(Duration.ofMinutes(1));
        attempt(LoadSignal.AWAY);
        pass(Duration.ofMinutes(2));
        attempt(LoadSignal.ANSWERED);
        assertThat(room()).isEqualTo(2);
        attempt(LoadSignal.AWAY);
        pass(Duration.ofSeconds(30));
        assertThat(room()).isEqualTo(1);
    }

    @Test
    void whatSaysNothingOfTheDestinationChangesNothing() {
        attempt(LoadSignal.UNKNOWN);
        assertThat(room()).isEqualTo(5);
    }

    @Test
    void noMoreThanSoManyAMinute() {
        destinations = new DestinationThrottle(20, 3, nanos::get);
        assertThat(room()).isEqualTo(3);
        attempt(LoadSignal.ANSWERED);
        attempt(LoadSignal.ANSWERED);
        attempt(LoadSignal.ANSWERED);
        assertThat(room()).isZero();
        pass(Duration.ofSeconds(21));
        assertThat(room()).isEqualTo(1);
        pass(Duration.ofHours(3));
        assertThat(destinations.snapshot(false)).isEmpty(); // forgotten, after an hour of nothing
    }
}
