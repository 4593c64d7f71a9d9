package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PendingCommitTest {
    private static final UUID A = new UUID(0, 1);

    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch commit = new CountDownLatch(1);
    private final CommitGroup<PendingCommit<String>> group = new CommitGroup<>(new OrganizationTurns(), _ -> {
        writing.countDown();
        try {
            commit.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        return Set.of();
    });

    private PendingCommit<String> submitted(String item) {
        PendingCommit<String> pending = new PendingCommit<>(A, item, group);
        group.add(A, pending);
        return pending;
    }

    private static void assertBusy(PendingCommit<String> pending) {
        assertThat(catchThrowableOfType(Problem.class, pending::await).code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
    }

    /** What is being written cannot be withdrawn; if it is found undecided then, it must not begin again. */
    @Test
    @Proves("P2e")
    void anItemWhoseCallerGaveUpGoesIntoNoOtherTransaction() throws InterruptedException {
        PendingCommit<String> pending = submitted("begun");
        writing.await();
        assertThat(pending.complete(false)).as("it is to be written again").isFalse();
        assertThat(pending.await(Duration.ZERO)).isFalse();
        assertThat(pending.done().toCompletableFuture())
                .as("its commit may still come")
                .isNotDone();
        assertThat(pending.complete(false)).as("it is over").isTrue();
        assertBusy(pending);
        commit.countDown();
    }

    @Test
    void anItemWhoseCallerGaveUpIsWrittenNeverthelessWhenItsTransactionHasBegun() throws InterruptedException {
        PendingCommit<String> pending = submitted("begun");
        writing.await();
        assertThat(pending.await(Duration.ZERO)).isFalse();
        assertThat(pending.complete(true)).isTrue();
        assertThat(pending.await()).isEqualTo("begun");
        assertThat(pending.await(Duration.ZERO)).isTrue();
        commit.countDown();
    }

    @Test
    void anItemThatNobodyHasBegunToWriteEndsWhenItsCallerGivesUp() throws InterruptedException {
        submitted("begun");
        writing.await();
        PendingCommit<String> pending = submitted("waits");
        assertThat(pending.await(Duration.ZERO)).isFalse();
        assertBusy(pending);
        commit.countDown();
    }

    @Test
    void anInterruptedCallerGivesUpAndStaysInterrupted() throws InterruptedException {
        submitted("begun");
        writing.await();
        PendingCommit<String> pending = submitted("waits");
        Thread.currentThread().interrupt();
        assertThat(pending.await(Duration.ofDays(1))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertBusy(pending);
        commit.countDown();
    }
}
