package dev.inboxd.notify.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.platform.memory.HeapShare;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CrowdTest {
    private final UUID greedy = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @Test
    void whoeverWouldBeOneTooManyIsNotLetInUntilSomebodyLeaves() {
        Crowd crowd = new Crowd(800L * Crowd.WAIT);
        for (int i = 0; i < 700; i++) {
            assertThat(crowd.enter(greedy, Crowd.WAIT)).isTrue();
        }
        assertThat(crowd.enter(greedy, Crowd.WAIT)).isFalse();
        assertThat(crowd.enter(greedy, Crowd.SOCKET)).isFalse();
        crowd.leave(greedy, Crowd.WAIT);
        assertThat(crowd.enter(greedy, Crowd.WAIT)).isTrue();
        assertThat(crowd.enter(greedy, Crowd.WAIT)).isFalse();
    }

    @Test
    void whatOneTakesLeavesALittleToEveryOther() {
        Crowd crowd = new Crowd(800L * Crowd.WAIT);
        while (crowd.enter(greedy, Crowd.WAIT)) {
            assertThat(crowd.enter(other, 1)).isTrue();
            crowd.leave(other, 1);
        }
        for (int i = 0; i < 36; i++) {
            assertThat(crowd.enter(other, Crowd.WAIT)).isTrue();
        }
        assertThat(crowd.enter(other, Crowd.WAIT)).isFalse();
    }

    /** Of the 208 MB that the script gives, the serial collector keeps one part empty. */
    @Test
    void tenThousandWaitInTheUsualHeap() {
        Crowd crowd = new Crowd(HeapShare.LISTENERS.of(201L << 20));
        for (int i = 0; i < 10_000; i++) {
            assertThat(crowd.enter(greedy, Crowd.WAIT)).isTrue();
        }
    }

    /** The heap that the launcher gives when nobody says otherwise holds so many of one kind, and not of each. */
    @Test
    void tenThousandListenInTheUsualHeapAndThenNoTenThousandWaitAsWell() {
        long share = HeapShare.LISTENERS.of(201L << 20);
        Crowd crowd = new Crowd(share);
        for (int i = 0; i < 10_000; i++) {
            assertThat(crowd.enter(greedy, Crowd.SOCKET)).isTrue();
        }
        int waits = 0;
        while (crowd.enter(other, Crowd.WAIT)) {
            waits++;
        }
        assertThat(10_000L * Crowd.SOCKET + (long) waits * Crowd.WAIT).isLessThanOrEqualTo(share);
    }
}
