package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is written together, and what never is. */
class CommitGroupTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final UUID C = new UUID(0, 3);

    private final ConcurrentLinkedQueue<Map<UUID, List<String>>> batches = new ConcurrentLinkedQueue<>();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch commit = new CountDownLatch(1);
    private final CountDownLatch last = new CountDownLatch(1);

    @Test
    void whatComesDuringACommitIsOneBatchOfAllOrganizations() throws InterruptedException {
        CountDownLatch all = new CountDownLatch(4);
        CommitGroup<String> gathering = held(new OrganizationTurns(), all);
        gathering.add(A, "a1");
        writing.await();
        gathering.add(B, "b1"); // something is being written: it does not block
        gathering.add(C, "c1");
        gathering.add(B, "b2");
        commit.countDown();
        all.await();
        assertThat(batches).containsExactly(Map.of(A, List.of("a1")), Map.of(B, List.of("b1", "b2"), C, List.of("c1")));
    }

    @Test
    void gatheringsOfOneDatabaseTakeTurnsWithAnOrganization() throws InterruptedException {
        OrganizationTurns turns = new OrganizationTurns();
        CountDownLatch all = new CountDownLatch(3);
        CommitGroup<String> sends = held(turns, all);
        CommitGroup<String> settlements = noting(turns, all);
        sends.add(A, "send 1");
        writing.await();
        sends.add(A, "send 2");
        settlements.add(A, "settlement"); // was not the last to have its turn
        commit.countDown();
        all.await();
        assertThat(List.copyOf(batches))
                .containsExactly(
                        Map.of(A, List.of("send 1")), Map.of(A, List.of("settlement")), Map.of(A, List.of("send 2")));
    }

    @Test
    void whoHasItsTurnWithAnOrganizationHoldsUpNoOther() throws InterruptedException {
        OrganizationTurns turns = new OrganizationTurns();
        CountDownLatch all = new CountDownLatch(2);
        CountDownLatch other = new CountDownLatch(1);
        CommitGroup<String> sends = held(turns, all);
        CommitGroup<String> settlements = noting(turns, other);
        sends.add(A, "send");
        writing.await();
        settlements.add(B, "settlement");
        other.await();
        assertThat(all.getCount()).isEqualTo(2);
        sends.add(B, "send");
        commit.countDown();
        all.await();
    }

    /** One writes for another organization whenever this one becomes free, and one always wants this one. */
    @Test
    void whoIsPassedByAFewTimesGetsTheOrganizationNext() throws InterruptedException {
        OrganizationTurns turns = new OrganizationTurns();
        Semaphore stored = new Semaphore(0);
        Semaphore begun = new Semaphore(0);
        Semaphore finish = new Semaphore(0);
        CommitGroup<String> store = left(turns, stored);
        CommitGroup<String> index = new CommitGroup<>(turns, batch -> {
            batches.add(batch);
            begun.release();
            finish.acquireUninterruptibly();
            return Set.of();
        });
        index.add(B, "b");
        begun.acquire();
        store.add(A, "mail");
        stored.acquire();
        index.add(A, "a");
        for (int i = 0; i < OrganizationTurns.PASSES; i++) {
            index.add(B, "b");
            finish.release();
            begun.acquire(); // while the other one writes for A
            store.add(A, "mail");
            store.release(A);
            stored.acquire(); // passed by
        }
        store.add(A, "mail");
        store.release(A);
        index.add(B, "b");
        finish.release();
        begun.acquire();
        assertThat(batches)
                .hasSize(OrganizationTurns.PASSES + 2)
                .filteredOn(batch -> batch.containsKey(A))
                .containsExactly(Map.of(A, List.of("a"), B, List.of("b")));
        finish.release();
        stored.acquire(); // as soon as the other one is done
        assertThat(begun.availablePermits()).isZero();
    }

    @Test
    void anOrganizationIsKeptForNobodyWhoWantsNothingOfItAnyMore() throws InterruptedException {
        OrganizationTurns turns = new OrganizationTurns();
        Semaphore stored = new Semaphore(0);
        CommitGroup<String> store = left(turns, stored);
        CommitGroup<String> index = held(turns, new CountDownLatch(1));
        index.add(B, "b");
        writing.await();
        store.add(A, "mail");
        stored.acquire();
        index.add(A, "a");
        for (int i = 0; i < OrganizationTurns.PASSES; i++) {
            store.add(A, "mail");
            store.release(A);
            stored.acquire();
        }
        store.add(A, "mail");
        store.release(A);
        assertThat(index.cancel(A, "a")).isTrue();
        stored.acquire();
        commit.countDown();
    }

    private CommitGroup<String> held(OrganizationTurns turns, CountDownLatch all) {
        return new CommitGroup<>(turns, batch -> {
            writing.countDown();
            wait(commit);
            return note(batch, all);
        });
    }

    private CommitGroup<String> noting(OrganizationTurns turns, CountDownLatch all) {
        return new CommitGroup<>(turns, batch -> note(batch, all));
    }

    /** Each organization stays busy until the test releases it. */
    private static CommitGroup<String> left(OrganizationTurns turns, Semaphore stored) {
        return new CommitGroup<>(turns, batch -> {
            stored.release();
            return batch.keySet();
        });
    }

    private Set<UUID> note(Map<UUID, List<String>> batch, CountDownLatch all) {
        batches.add(batch);
        batch.values().forEach(items -> items.forEach(_ -> all.countDown()));
        return Set.of();
    }

    @Test
    void anOrganizationThatIsLeftStaysBusyUntilItIsReleased() throws InterruptedException {
        CountDownLatch second = new CountDownLatch(2);
        CountDownLatch third = new CountDownLatch(3);
        CommitGroup<String> gathering = new CommitGroup<>(new OrganizationTurns(), batch -> {
            batches.add(batch);
            second.countDown();
            third.countDown();
            return batches.size() == 1 ? Set.of(A) : Set.of();
        });
        gathering.add(A, "a1");
        Eventually.await(() -> !batches.isEmpty());
        gathering.add(A, "a2"); // waits for the other
        gathering.add(B, "b1"); // does not
        second.await();
        assertThat(batches).containsExactly(Map.of(A, List.of("a1")), Map.of(B, List.of("b1")));
        gathering.release(A);
        third.await();
        assertThat(List.copyOf(batches).getLast()).isEqualTo(Map.of(A, List.of("a2")));
    }

    @Test
    void whatNobodyHasBegunToWriteCanBeTakenBack() throws InterruptedException {
        CountDownLatch all = new CountDownLatch(2);
        CommitGroup<String> gathering = held(new OrganizationTurns(), all);
        gathering.add(A, "a1");
        writing.await();
        gathering.add(B, "b1");
        gathering.add(C, "c1");
        assertThat(gathering.cancel(B, "b1")).isTrue();
        assertThat(gathering.cancel(B, "b1")).as("it is gone").isFalse();
        assertThat(gathering.cancel(A, "a1")).as("it is being written").isFalse();
        commit.countDown();
        all.await();
        assertThat(batches).containsExactly(Map.of(A, List.of("a1")), Map.of(C, List.of("c1")));
    }

    @Test
    @Proves("P2e")
    void aBatchTakesOneOfEachOrganizationBeforeTheNextOfAny() throws InterruptedException {
        CountDownLatch all = new CountDownLatch(72);
        CommitGroup<String> gathering = held(new OrganizationTurns(), all);
        gathering.add(C, "c1");
        writing.await();
        for (int i = 0; i < 69; i++) {
            gathering.add(A, "a" + i);
        }
        gathering.add(B, "b1");
        gathering.add(B, "b2");
        commit.countDown();
        all.await();
        assertThat(batches).hasSize(3);
        Map<UUID, List<String>> second = List.copyOf(batches).get(1);
        assertThat(second.get(B)).as("a host of requests before them").containsExactly("b1", "b2");
        assertThat(second.get(A))
                .as("the rest of the batch, in order")
                .hasSize(62)
                .startsWith("a0", "a1")
                .endsWith("a61");
        assertThat(List.copyOf(batches).getLast().get(A))
                .startsWith("a62")
                .endsWith("a68")
                .hasSize(7);
    }

    @Test
    @Proves("P2e")
    void whatIsGivenBackIsTheFirstOfTheNextBatch() throws InterruptedException {
        AtomicReference<CommitGroup<String>> self = new AtomicReference<>();
        CommitGroup<String> gathering = new CommitGroup<>(new OrganizationTurns(), batch -> {
            batches.add(batch);
            writing.countDown();
            wait(commit);
            if (batches.size() == 2) {
                self.get().putBack(A, List.of("a3", "a4")); // undecided
            }
            if (batches.size() == 3) {
                last.countDown();
            }
            return Set.of();
        });
        self.set(gathering);
        gathering.add(A, "a1");
        writing.await();
        List.of("a2", "a3", "a4").forEach(each -> gathering.add(A, each));
        for (int i = 5; i < 70; i++) {
            gathering.add(A, "a" + i);
        }
        commit.countDown();
        last.await();
        assertThat(List.copyOf(batches).get(2).get(A))
                .startsWith("a3", "a4", "a66")
                .endsWith("a69");
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
