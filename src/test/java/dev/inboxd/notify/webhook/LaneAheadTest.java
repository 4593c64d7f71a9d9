package dev.inboxd.notify.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lane gives out to be read together, and takes back (decision 0042). */
class LaneAheadTest {
    private static final UUID ORGANIZATION = UUID.fromString("01a1f8c3-f1cd-7f81-8700-394a021d912f");
    private static final int MEMORY = 1 << 20;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int MANY = 100;

    private final Semaphore memory = new Semaphore(MEMORY);
    private final Semaphore answers = new Semaphore(0);
    private final Queue<Delivery> begun = new ConcurrentLinkedQueue<>();
    private final Lane lane = new Lane(new DeliverySql.Due(ORGANIZATION, "ep_1"), memory, new Lane.Worker() {
        @Override
        public int attempt(Lane own, Delivery delivery) {
            begun.add(delivery);
            answers.acquireUninterruptibly();
            return 1;
        }

        @Override
        public void hungry(Lane own) {}
    });

    @BeforeEach
    void fill() {
        for (int i = 0; i < MANY; i++) {
            lane.offer(new Delivery(ORGANIZATION, "ep_1", i, 0, null, false, Delivery.startBy(Delivery.LEASE)));
        }
        Hook.until(() -> begun.size() == 1);
    }

    @AfterEach
    void end() {
        lane.clear();
        answers.release(2 * MANY);
        lane.awaitQuiet(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        assertThat(memory.availablePermits()).isEqualTo(MEMORY);
    }

    /** Five attempts are under way, and the four before them succeeded. */
    private void widen() {
        answers.release(Lane.WIDEST - 1);
        Hook.until(() -> begun.size() == 2 * Lane.WIDEST - 1);
    }

    private static List<Delivery> read(Lane.Ahead ahead, int bytes) {
        return ahead.deliveries().stream()
                .map(each -> each.with(
                        new Delivery.Known(new byte[bytes], "evt_" + each.seq(), NOW, new Delivery.Read(NOW, false))))
                .toList();
    }

    @Test
    void anEndpointThatProvedNothingIsNotReadFor() {
        assertThat(lane.ahead(NOW).deliveries()).isEmpty();
        widen();
        Lane.Ahead ahead = lane.ahead(NOW);
        assertThat(ahead.deliveries())
                .extracting(Delivery::seq)
                .startsWith(9L, 10L, 11L)
                .hasSize(20);
        lane.giveBack(ahead, List.of());
    }

    @Test
    void whatWasReadComesNextInItsOrderAndWithItsPayload() {
        widen();
        int length = lane.length();
        Lane.Ahead ahead = lane.ahead(NOW);
        assertThat(lane.length()).as("what is out still waits").isEqualTo(length);
        assertThat(memory.availablePermits()).isEqualTo(MEMORY - Lane.MOST_READ);
        List<Delivery> read = read(ahead, 1_000);
        lane.giveBack(ahead, read.subList(2, read.size())); // two were settled meanwhile
        assertThat(lane.length()).isEqualTo(length - 2);
        assertThat(memory.availablePermits()).isEqualTo(MEMORY - 1_000 * (read.size() - 2));
        assertThat(lane.ahead(NOW).deliveries())
                .as("what is ready is not read again")
                .isEmpty();
        begun.clear();
        answers.release();
        Hook.until(() -> begun.size() == 1);
        assertThat(begun).containsExactly(read.get(2));
    }

    @Test
    void whatWaitedTooLongIsReadAgain() {
        widen();
        Lane.Ahead ahead = lane.ahead(NOW);
        lane.giveBack(ahead, read(ahead, 1_000));
        assertThat(lane.ahead(NOW.plus(Delivery.HELD)).deliveries()).isEmpty();
        Lane.Ahead again = lane.ahead(NOW.plus(Delivery.HELD).plusNanos(1));
        assertThat(again.deliveries()).isEqualTo(ahead.deliveries()).allMatch(each -> each.payload() == null);
        assertThat(memory.availablePermits()).isEqualTo(MEMORY - Lane.MOST_READ);
        lane.giveBack(again, List.of());
    }

    @Test
    void whatALaneLetGoWhileItWasReadIsNotTakenBack() {
        widen();
        Lane.Ahead ahead = lane.ahead(NOW);
        lane.clear();
        lane.giveBack(ahead, read(ahead, 1_000));
        assertThat(lane.length()).isZero();
        assertThat(memory.availablePermits()).isEqualTo(MEMORY);
    }

    @Test
    void withoutMemoryNothingIsReadTogetherAndWhatDoesNotFitWaitsWithout() {
        widen();
        memory.acquireUninterruptibly(MEMORY - Lane.MOST_READ + 1);
        assertThat(lane.ahead(NOW).deliveries()).isEmpty();
        memory.release();
        Lane.Ahead ahead = lane.ahead(NOW);
        lane.giveBack(ahead, read(ahead, Lane.MOST_READ / 2));
        assertThat(memory.availablePermits()).isZero();
        memory.release(MEMORY - Lane.MOST_READ);
        begun.clear();
        answers.release(ahead.deliveries().size());
        Hook.until(() -> begun.size() == ahead.deliveries().size());
        assertThat(begun.stream().filter(each -> each.payload() != null)).hasSize(2);
        assertThat(begun.stream().filter(Delivery::alone))
                .as("each is read by itself")
                .hasSize(18);
    }

    @Test
    void whatHasToBeReadAloneIsNotGivenOut() {
        widen();
        Lane.Ahead ahead = lane.ahead(NOW);
        lane.giveBack(ahead, ahead.deliveries().stream().map(Delivery::apart).toList());
        assertThat(lane.ahead(NOW).deliveries()).isEmpty();
    }
}
