package dev.inboxd.mailbox.search.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who is indexed next, and with whom. */
class IndexQueueTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final UUID C = new UUID(0, 3);

    @Test
    void organizationsAreTakenInTheOrderOfTheirFirstChangeSoManyTogether() throws InterruptedException {
        IndexQueue changed = new IndexQueue(Duration.ZERO);
        List.of(A, B, A, C).forEach(changed::add);
        assertThat(changed.takeDue(2)).containsExactly(A, B);
        assertThat(changed.takeDue(2)).containsExactly(C);
    }

    @Test
    void nobodyHasAnOrganizationTwiceAndWhatCameMeanwhileIsTakenAfterwards() throws InterruptedException {
        IndexQueue changed = new IndexQueue(Duration.ZERO);
        changed.add(A);
        assertThat(changed.takeDue(9)).containsExactly(A);
        changed.add(A);
        changed.add(B);
        assertThat(changed.takeDue(9)).containsExactly(B);
        changed.done(List.of(A), List.of());
        assertThat(changed.takeDue(9)).containsExactly(A);
    }

    @Test
    void whatHasMoreIsTakenAtOnceAndWhatHasJustChangedWaitsForMore() throws InterruptedException {
        IndexQueue changed = new IndexQueue(Duration.ofHours(1));
        changed.add(B);
        assertThat(changed.claim(List.of(A))).containsExactly(A);
        changed.done(List.of(A), List.of(A));
        assertThat(changed.takeDue(9)).containsExactly(A);
    }

    @Test
    void whoHasALongBacklogIsTakenAfterThoseThatWaitAlready() throws InterruptedException {
        IndexQueue changed = new IndexQueue(Duration.ZERO);
        List.of(A, B, C).forEach(changed::add);
        assertThat(changed.takeDue(1)).containsExactly(A);
        changed.done(List.of(A), List.of(A));
        assertThat(changed.takeDue(2)).containsExactly(B, C);
        assertThat(changed.takeDue(2)).containsExactly(A);
    }

    @Test
    void onlyWhatNobodyHasOrWaitsForIsClaimed() throws InterruptedException {
        IndexQueue changed = new IndexQueue(Duration.ZERO);
        changed.add(A);
        assertThat(changed.takeDue(9)).containsExactly(A);
        changed.add(B);
        assertThat(changed.claim(List.of(A, B, C))).containsExactly(C);
        assertThat(changed.claim(List.of(C))).isEmpty();
    }

    @Test
    void whoeverWaitsGoesWhenItIsClosed() {
        IndexQueue changed = new IndexQueue(Duration.ofHours(1));
        CompletableFuture<List<UUID>> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return changed.takeDue(9);
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        });
        changed.add(A);
        changed.close();
        assertThat(waiting.join()).isEmpty();
    }
}
