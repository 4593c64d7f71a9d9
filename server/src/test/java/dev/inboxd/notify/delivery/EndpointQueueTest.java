package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
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
class EndpointQueueTest {
    private static final UUID ORGANIZATION = UUID.fromString("01a1f8c3-f1cd-7f81-8700-394a021d912f");
    private static final int MEMORY = 1 << 20;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int MANY = 100;

    private final Semaphore memory = new Semaphore(MEMORY);
    private final Semaphore answers = new Semaphore(0);
    private final Queue<WebhookDelivery> begun = new ConcurrentLinkedQueue<>();
    private final EndpointQueue lane =
            new EndpointQueue(new DeliverySql.DueWebhook(ORGANIZATION, "ep_1"), memory, new EndpointQueue.Worker() {
                @Override
                public int attempt(EndpointQueue own, WebhookDelivery delivery) {
                    begun.add(delivery);
                    answers.acquireUninterruptibly();
                    return 1;
                }

                @Override
                public void hasRoom(EndpointQueue own) {}
            });

    @BeforeEach
    void fill() {
        for (int i = 0; i < MANY; i++) {
            lane.offer(new WebhookDelivery(
                    ORGANIZATION, "ep_1", i, 0, null, false, WebhookDelivery.startBy(WebhookDelivery.LEASE)));
        }
        Eventually.await(() -> begun.size() == 1);
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
        answers.release(EndpointQueue.WIDEST - 1);
        Eventually.await(() -> begun.size() == 2 * EndpointQueue.WIDEST - 1);
    }

    private static List<WebhookDelivery> read(EndpointQueue.ReadAhead ahead, int bytes) {
        return ahead.deliveries().stream()
                .map(each -> each.with(new WebhookDelivery.EventContent(
                        new byte[bytes], "evt_" + each.seq(), NOW, new WebhookDelivery.RowSnapshot(NOW, false))))
                .toList();
    }

    @Test
    void anEndpointThatProvedNothingIsNotReadFor() {
        assertThat(lane.readAhead(NOW).deliveries()).isEmpty();
        widen();
        EndpointQueue.ReadAhead ahead = lane.readAhead(NOW);
        assertThat(ahead.deliveries())
                .extracting(WebhookDelivery::seq)
                .startsWith(9L, 10L, 11L)
                .hasSize(20);
        lane.putBack(ahead, List.of());
    }

    @Test
    void whatWasReadComesNextInItsOrderAndWithItsPayload() {
        widen();
        int length = lane.length();
        EndpointQueue.ReadAhead ahead = lane.readAhead(NOW);
        assertThat(lane.length()).as("what is out still waits").isEqualTo(length);
        assertThat(memory.availablePermits()).isEqualTo(MEMORY - EndpointQueue.MOST_READ);
        List<WebhookDelivery> read = read(ahead, 1_000);
        lane.putBack(ahead, read.subList(2, read.size())); // two were settled meanwhile
        assertThat(lane.length()).isEqualTo(length - 2);
        assertThat(memory.availablePermits()).isEqualTo(MEMORY - 1_000 * (read.size() - 2));
        assertThat(lane.readAhead(NOW).deliveries())
                .as("what is ready is not read again")
                .isEmpty();
        begun.clear();
        answers.release();
        Eventually.await(() -> begun.size() == 1);
        assertThat(begun).containsExactly(read.get(2));
    }

    @Test
    @Proves("P8a")
    void whatWaitedTooLongIsReadAgain() {
        widen();
        EndpointQueue.ReadAhead ahead = lane.readAhead(NOW);
        lane.putBack(ahead, read(ahead, 1_000));
        assertThat(lane.readAhead(NOW.plus(WebhookDelivery.HELD)).deliveries()).isEmpty();
        EndpointQueue.ReadAhead again =
                lane.readAhead(NOW.plus(WebhookDelivery.HELD).plusNanos(1));
        assertThat(again.deliveries()).isEqualTo(ahead.deliveries()).allMatch(each -> each.payload() == null);
        assertThat(memory.availablePermits()).isEqualTo(MEMORY - EndpointQueue.MOST_READ);
        lane.putBack(again, List.of());
    }

    @Test
    @Proves("P8a")
    void whatALaneLetGoWhileItWasReadIsNotTakenBack() {
        widen();
        EndpointQueue.ReadAhead ahead = lane.readAhead(NOW);
        lane.clear();
        lane.putBack(ahead, read(ahead, 1_000));
        assertThat(lane.length()).isZero();
        assertThat(memory.availablePermits()).isEqualTo(MEMORY);
    }

    @Test
    @Proves("P8a")
    void withoutMemoryNothingIsReadTogetherAndWhatDoesNotFitWaitsWithout() {
        widen();
        memory.acquireUninterruptibly(MEMORY - EndpointQueue.MOST_READ + 1);
        assertThat(lane.readAhead(NOW).deliveries()).isEmpty();
        memory.release();
        EndpointQueue.ReadAhead ahead = lane.readAhead(NOW);
        lane.putBack(ahead, read(ahead, EndpointQueue.MOST_READ / 2));
        assertThat(memory.availablePermits()).isZero();
        memory.release(MEMORY - EndpointQueue.MOST_READ);
        begun.clear();
        answers.release(ahead.deliveries().size());
        Eventually.await(() -> begun.size() == ahead.deliveries().size());
        assertThat(begun.stream().filter(each -> each.payload() != null)).hasSize(2);
        assertThat(begun.stream().filter(WebhookDelivery::alone))
                .as("each is read by itself")
                .hasSize(18);
    }

    @Test
    void whatHasToBeReadAloneIsNotGivenOut() {
        widen();
        EndpointQueue.ReadAhead ahead = lane.readAhead(NOW);
        lane.putBack(
                ahead, ahead.deliveries().stream().map(WebhookDelivery::apart).toList());
        assertThat(lane.readAhead(NOW).deliveries()).isEmpty();
    }
}
