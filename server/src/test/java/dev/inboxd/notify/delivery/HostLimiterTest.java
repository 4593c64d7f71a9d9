package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** No host and no address gets more at a time than it may, whoever owns the webhooks (promises.md A25). */
class HostLimiterTest {
    private static final long LATE = System.nanoTime() - 1;

    private final HostLimiter targets = new HostLimiter(64);
    private final List<UUID> organizations = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());

    private static HostLimiter.Destination at(String host, String... addresses) {
        return new HostLimiter.Destination(host, List.of(addresses));
    }

    private int entered(HostLimiter to, int tries, IntFunction<HostLimiter.Destination> place) {
        int entered = 0;
        for (int i = 0; i < tries; i++) {
            entered += to.enter(organizations.get(i % organizations.size()), place.apply(i), LATE) == null ? 0 : 1;
        }
        return entered;
    }

    @Test
    @Proves("A25")
    void tenThousandNamesOfOneVictimAreOneTarget() {
        assertThat(entered(targets, 10_000, i -> at("name" + i + ".test:443", "192.0.2.1")))
                .isEqualTo(64);
        assertThat(targets.at("192.0.2.1")).isEqualTo(64);
        assertThat(targets.enter(organizations.getFirst(), at("other.test:443", "192.0.2.2"), LATE))
                .isNotNull();
    }

    @Test
    @Proves("A25")
    void aVictimBehindAnAddressOfOnesOwnIsSeenToo() {
        assertThat(entered(targets, 10_000, i -> at("name" + i + ".test:443", "198.51.100." + i, "192.0.2.1")))
                .isEqualTo(64);
    }

    @Test
    @Proves("A25")
    void oneHostHasFewAtFirstMoreAsItSucceedsAndFewestWhenItFails() {
        HostLimiter.Destination host = at("host.test:443");
        Deque<HostLimiter.Permit> stays = new ArrayDeque<>();
        fill(host, stays);
        assertThat(stays).hasSize(16);
        for (int i = 0; i < 200; i++) {
            stays.remove().release(1);
            fill(host, stays);
        }
        assertThat(stays).hasSize(64);
        for (int i = 0; i < 200; i++) {
            stays.remove().release(-1);
            fill(host, stays);
        }
        assertThat(stays).hasSize(4);
    }

    /** Else one organization's congestion would narrow the host for all others. */
    @Test
    @Proves("A25")
    void whatFailedBecauseOfOurselvesNarrowsNoHost() {
        AttemptRunner.LoadSignal busy =
                AttemptRunner.LoadSignal.of(new HttpOutcome.NoResponse(HttpOutcome.Failure.BUSY, "full"), false);
        AttemptRunner.LoadSignal ended =
                AttemptRunner.LoadSignal.of(new HttpOutcome.NoResponse(HttpOutcome.Failure.RESET, "closed"), true);
        HostLimiter.Destination host = at("healthy.test:443");
        Deque<HostLimiter.Permit> stays = new ArrayDeque<>();
        fill(host, stays);
        for (int i = 0; i < 100; i++) {
            stays.remove().release(busy.host);
            stays.remove().release(ended.host);
            fill(host, stays);
        }
        assertThat(stays).hasSize(16);
        assertThat(List.of(busy.queue, ended.queue))
                .as("the webhook's own lane dares less")
                .containsOnly(-1);
        assertThat(AttemptRunner.LoadSignal.of(new HttpOutcome.NoResponse(HttpOutcome.Failure.RESET, "closed"), false)
                        .host)
                .isEqualTo(-1);
    }

    private void fill(HostLimiter.Destination host, Deque<HostLimiter.Permit> stays) {
        for (UUID organization : organizations) {
            HostLimiter.Permit stay = targets.enter(organization, host, LATE);
            while (stay != null) {
                stays.add(stay);
                stay = targets.enter(organization, host, LATE);
            }
        }
    }

    @Test
    void oneWebhookHasAllThatItsLaneDaresFromTheBeginning() {
        HostLimiter.Destination host = at("fast.test:443", "192.0.2.7");
        for (int i = 0; i < EndpointQueue.WIDEST; i++) {
            assertThat(targets.enter(organizations.getFirst(), host, LATE)).isNotNull();
        }
    }

    @Test
    @Proves("A25")
    void noOrganizationHasMoreThanHalfAndThoseWhoWaitGoInTurn() throws InterruptedException {
        HostLimiter few = new HostLimiter(4);
        HostLimiter.Destination host = at("shared.test:443", "192.0.2.3");
        UUID greedy = organizations.get(0);
        List<HostLimiter.Permit> held = new ArrayList<>();
        held.add(Objects.requireNonNull(few.enter(greedy, host, LATE)));
        held.add(Objects.requireNonNull(few.enter(greedy, host, LATE)));
        assertThat(few.enter(greedy, host, LATE)).isNull();
        held.add(Objects.requireNonNull(few.enter(organizations.get(1), host, LATE)));
        held.add(Objects.requireNonNull(few.enter(organizations.get(1), host, LATE)));
        assertThat(few.at("shared.test:443")).isEqualTo(4);

        BlockingQueue<UUID> admitted = new LinkedBlockingQueue<>();
        BlockingQueue<HostLimiter.Permit> stays = new LinkedBlockingQueue<>();
        for (UUID each : List.of(greedy, greedy, greedy, organizations.get(2))) {
            Thread waiting = Thread.startVirtualThread(() -> {
                HostLimiter.Permit stay = few.enter(each, host, System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
                admitted.add(each);
                stays.add(Objects.requireNonNull(stay));
            });
            Eventually.await(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        }
        held.removeLast().release(0); // the greedy one has its half: the last in the queue is let in
        assertThat(admitted.poll(30, TimeUnit.SECONDS)).isEqualTo(organizations.get(2));
        held.removeFirst().release(0);
        assertThat(admitted.poll(30, TimeUnit.SECONDS)).isEqualTo(greedy);
        held.forEach(stay -> stay.release(0));
        assertThat(admitted.poll(30, TimeUnit.SECONDS)).isEqualTo(greedy);
        Objects.requireNonNull(stays.poll(30, TimeUnit.SECONDS)).release(0);
        Objects.requireNonNull(stays.poll(30, TimeUnit.SECONDS)).release(0);
        Objects.requireNonNull(stays.poll(30, TimeUnit.SECONDS)).release(0);
        Objects.requireNonNull(stays.poll(30, TimeUnit.SECONDS)).release(0);
        assertThat(few.at("shared.test:443")).isZero();
        assertThat(few.at("192.0.2.3")).isZero();
    }

    @Test
    void whoWaitsAtTheEndGoesWithoutAPlace() throws InterruptedException {
        HostLimiter one = new HostLimiter(1);
        HostLimiter.Destination host = at("end.test:443");
        assertThat(one.enter(organizations.getFirst(), host, LATE)).isNotNull();
        BlockingQueue<Boolean> refused = new LinkedBlockingQueue<>();
        Thread waiting = Thread.startVirtualThread(() -> refused.add(
                one.enter(organizations.get(1), host, System.nanoTime() + TimeUnit.SECONDS.toNanos(60)) == null));
        Eventually.await(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        one.close();
        assertThat(refused.poll(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void withoutABoundNobodyWaits() {
        assertThat(entered(new HostLimiter(Integer.MAX_VALUE), 1_000, i -> at("x.test:443", "192.0.2.1")))
                .isEqualTo(1_000);
    }
}
