package dev.inboxd.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What is written together, and what never is. */
class GatheringTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final UUID C = new UUID(0, 3);
    private static final UUID D = new UUID(0, 4);

    private final ConcurrentLinkedQueue<Map<UUID, List<String>>> batches = new ConcurrentLinkedQueue<>();
    private final CountDownLatch twoWrite = new CountDownLatch(2);
    private final CountDownLatch commit = new CountDownLatch(1);

    @Test
    void whatComesWhileTheWritersCommitIsOneBatchOfAllOrganizations() throws InterruptedException {
        CountDownLatch all = new CountDownLatch(4);
        Gathering<String> gathering = new Gathering<>(batch -> {
            batches.add(batch);
            twoWrite.countDown();
            wait(commit);
            batch.values().forEach(items -> items.forEach(_ -> all.countDown()));
            return Set.of();
        });
        Thread first = Thread.startVirtualThread(() -> gathering.add(A, "a1"));
        Thread second = Thread.startVirtualThread(() -> gathering.add(B, "b1"));
        twoWrite.await();
        gathering.add(C, "c1"); // both writers are busy: it does not block
        gathering.add(D, "d1");
        commit.countDown();
        all.await();
        first.join();
        second.join();
        assertThat(batches).hasSize(3);
        assertThat(List.copyOf(batches).getLast()).isEqualTo(Map.of(C, List.of("c1"), D, List.of("d1")));
    }

    @Test
    void anOrganizationIsNeverInTwoBatchesAtATime() throws InterruptedException {
        CountDownLatch written = new CountDownLatch(3);
        Gathering<String> gathering = new Gathering<>(batch -> {
            batches.add(batch);
            twoWrite.countDown();
            if (batch.containsKey(A) && batches.size() == 1) {
                wait(commit);
            }
            batch.values().forEach(items -> items.forEach(_ -> written.countDown()));
            return Set.of();
        });
        Thread first = Thread.startVirtualThread(() -> gathering.add(A, "a1"));
        while (batches.isEmpty()) {
            Thread.onSpinWait();
        }
        gathering.add(A, "a2"); // waits for the other, though a writer is free
        gathering.add(B, "b1"); // does not
        assertThat(batches).containsExactly(Map.of(A, List.of("a1")), Map.of(B, List.of("b1")));
        commit.countDown();
        written.await();
        first.join();
        assertThat(List.copyOf(batches).getLast()).isEqualTo(Map.of(A, List.of("a2")));
    }

    @Test
    void anOrganizationThatIsLeftStaysBusyUntilItIsReleased() throws InterruptedException {
        CountDownLatch second = new CountDownLatch(1);
        Gathering<String> gathering = new Gathering<>(batch -> {
            batches.add(batch);
            if (batches.size() == 1) {
                return Set.of(A);
            }
            second.countDown();
            return Set.of();
        });
        gathering.add(A, "a1");
        gathering.add(A, "a2");
        assertThat(batches).hasSize(1);
        gathering.release(A);
        second.await();
        assertThat(List.copyOf(batches).getLast()).isEqualTo(Map.of(A, List.of("a2")));
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
