package dev.inboxd.notify.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.testing.Proves;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ListenerMemoryTest {
    private final UUID greedy = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @Test
    void whoeverWouldBeOneTooManyIsNotLetInUntilSomebodyLeaves() {
        ListenerMemory crowd = new ListenerMemory(800L * ListenerMemory.WAIT);
        for (int i = 0; i < 700; i++) {
            assertThat(crowd.enter(greedy, ListenerMemory.WAIT)).isTrue();
        }
        assertThat(crowd.enter(greedy, ListenerMemory.WAIT)).isFalse();
        assertThat(crowd.enter(greedy, ListenerMemory.SOCKET)).isFalse();
        crowd.release(greedy, ListenerMemory.WAIT);
        assertThat(crowd.enter(greedy, ListenerMemory.WAIT)).isTrue();
        assertThat(crowd.enter(greedy, ListenerMemory.WAIT)).isFalse();
    }

    @Test
    @Proves("P15")
    void whatOneTakesLeavesALittleToEveryOther() {
        ListenerMemory crowd = new ListenerMemory(800L * ListenerMemory.WAIT);
        while (crowd.enter(greedy, ListenerMemory.WAIT)) {
            assertThat(crowd.enter(other, 1)).isTrue();
            crowd.release(other, 1);
        }
        for (int i = 0; i < 36; i++) {
            assertThat(crowd.enter(other, ListenerMemory.WAIT)).isTrue();
        }
        assertThat(crowd.enter(other, ListenerMemory.WAIT)).isFalse();
    }

    /** Of the 208 MB that the script gives, the serial collector keeps one part empty. */
    @Test
    @Proves("P15a")
    void tenThousandWaitInTheUsualHeap() {
        ListenerMemory crowd = new ListenerMemory(HeapShare.LISTENERS.of(201L << 20));
        for (int i = 0; i < 10_000; i++) {
            assertThat(crowd.enter(greedy, ListenerMemory.WAIT)).isTrue();
        }
    }

    /** The heap that the launcher gives when nobody says otherwise holds so many of one kind, and not of each. */
    @Test
    @Proves("P15")
    void tenThousandListenInTheUsualHeapAndThenNoTenThousandWaitAsWell() {
        long share = HeapShare.LISTENERS.of(201L << 20);
        ListenerMemory crowd = new ListenerMemory(share);
        for (int i = 0; i < 10_000; i++) {
            assertThat(crowd.enter(greedy, ListenerMemory.SOCKET)).isTrue();
        }
        int waits = 0;
        while (crowd.enter(other, ListenerMemory.WAIT)) {
            waits++;
        }
        assertThat(10_000L * ListenerMemory.SOCKET + (long) waits * ListenerMemory.WAIT)
                .isLessThanOrEqualTo(share);
    }
}
