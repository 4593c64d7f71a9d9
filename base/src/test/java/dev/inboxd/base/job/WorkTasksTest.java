package dev.inboxd.base.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Organizations take turns at work of which a node does little at a time. */
class WorkTasksTest {
    private static final UUID BUSY = new UUID(1, 1);
    private static final UUID QUIET = new UUID(2, 2);
    private static final Duration TURN = Duration.ofMillis(20);

    private final List<UUID> ended = new CopyOnWriteArrayList<>();
    private final WorkTasks tasks = new WorkTasks((_, organization, _) -> ended.add(organization));

    @Test
    @Proves("A15")
    void nobodyWaitsBehindAllThatAnotherHas() throws Exception {
        List<UUID> turns = new CopyOnWriteArrayList<>();
        CountDownLatch bothWait = new CountDownLatch(1);
        AtomicReference<WorkKind> kind = new AtomicReference<>();
        kind.set(new WorkKind("texts", "select 1", WorkKind.Pace.of(Duration.ofSeconds(1), 1), organization -> {
            await(bothWait);
            if (organization.equals(BUSY)) {
                // A turn lasts, so that the quiet one's thread gets to wait for its own while the busy one has many.
                Eventually.isMet(TURN, () -> turns.contains(QUIET));
            }
            turns.add(organization);
            if (organization.equals(BUSY) && turns.stream().filter(BUSY::equals).count() < 100) {
                tasks.run(kind.get(), BUSY, false);
            }
        }));
        tasks.run(kind.get(), BUSY, false);
        tasks.run(kind.get(), QUIET, false);
        bothWait.countDown();
        Eventually.await(() -> ended.containsAll(List.of(BUSY, QUIET)));
        assertThat(turns).hasSize(101);
        assertThat(turns.indexOf(QUIET)).as("a turn of the quiet one").isLessThan(10);
    }

    @Test
    void workThatIsAskedForWhileItIsDoneIsDoneOnceMoreAndNotTwiceAtOnce() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch began = new CountDownLatch(1);
        List<UUID> turns = new CopyOnWriteArrayList<>();
        WorkKind kind = new WorkKind("jobs", "select 1", WorkKind.Pace.of(Duration.ofSeconds(1), 4), organization -> {
            turns.add(organization);
            began.countDown();
            await(asked);
        });
        tasks.run(kind, BUSY, false);
        began.await();
        tasks.run(kind, BUSY, false);
        tasks.run(kind, BUSY, false);
        assertThat(turns).hasSize(1);
        asked.countDown();
        Eventually.await(() -> ended.contains(BUSY));
        assertThat(turns).hasSize(2);
        assertThat(ended).containsExactly(BUSY);
    }

    @Test
    void aFailureEndsTheWorkOfOneOrganizationAlone() throws Exception {
        WorkKind kind = new WorkKind("jobs", "select 1", WorkKind.Pace.of(Duration.ofSeconds(1), 4), organization -> {
            if (organization.equals(BUSY)) {
                throw new IllegalStateException("planted");
            }
        });
        tasks.run(kind, BUSY, false);
        tasks.run(kind, QUIET, false);
        Eventually.await(() -> ended.containsAll(List.of(BUSY, QUIET)));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
