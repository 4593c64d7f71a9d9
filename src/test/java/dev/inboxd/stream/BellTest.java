package dev.inboxd.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BellTest {
    private final Bell bell = new Bell(1);
    private final Waiter first = waiter();
    private final Waiter second = waiter();
    private final Waiter third = waiter();

    @Test
    void whoWasRungLooksInTurnAndOnceForManyRings() {
        first.ring();
        first.ring();
        second.ring();
        assertThat(bell.begin(second)).isFalse();
        assertThat(bell.begin(first)).isTrue();
        assertThat(bell.begin(first)).isFalse();
        bell.done();
        assertThat(bell.begin(first)).isFalse();
        assertThat(bell.begin(second)).isTrue();
        bell.done();
    }

    @Test
    void whatHappensWhileOneLooksIsLookedForAgain() {
        first.ring();
        assertThat(bell.begin(first)).isTrue();
        first.ring();
        bell.done();
        assertThat(bell.begin(first)).isTrue();
    }

    @Test
    void whoLeavesLeavesItsTurnToTheNext() {
        first.ring();
        second.ring();
        third.ring();
        bell.leave(second);
        bell.leave(first);
        assertThat(bell.begin(third)).isTrue();
    }

    @Test
    void whoseTimeIsOverGetsATurnToo() throws InterruptedException {
        first.await(System.nanoTime() - 1);
        bell.done();
        second.ring();
        assertThat(bell.begin(second)).isTrue();
    }

    private Waiter waiter() {
        return new Waiter(UUID.randomUUID(), new Wish(Map.of()), bell);
    }
}
