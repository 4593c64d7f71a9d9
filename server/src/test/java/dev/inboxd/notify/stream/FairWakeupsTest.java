package dev.inboxd.notify.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FairWakeupsTest {
    private final FairWakeups bell = new FairWakeups(1);
    private final List<String> woken = new ArrayList<>();
    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    private final class Named extends FairWakeups.Task {
        private final String name;

        Named(UUID organization, UUID inbox, String name) {
            super(organization, inbox);
            this.name = name;
        }

        @Override
        void wake() {
            woken.add(name);
        }
    }

    private FairWakeups.Task resting(UUID organization, String name) {
        return resting(organization, organization, name);
    }

    private FairWakeups.Task resting(UUID organization, UUID inbox, String name) {
        Named named = new Named(organization, inbox, name);
        bell.park(named);
        return named;
    }

    @Test
    @Proves("P15")
    void whoWasRungWakesInTurnAndOnceForManyRings() {
        FairWakeups.Task first = resting(one, "first");
        FairWakeups.Task second = resting(one, "second");
        bell.wake(first);
        bell.wake(second);
        bell.wake(second);
        assertThat(woken).containsExactly("first");
        bell.done();
        assertThat(woken).containsExactly("first", "second");
        bell.done();
        assertThat(woken).hasSize(2);
    }

    @Test
    void whatHappensWhileOneIsAwakeWakesItAgain() {
        FairWakeups.Task first = resting(one, "first");
        bell.wake(first);
        bell.wake(first);
        bell.done();
        assertThat(woken).as("it does not rest yet").hasSize(1);
        bell.park(first);
        assertThat(woken).containsExactly("first", "first");
    }

    @Test
    void whatHappensBeforeItFirstRestsIsNotMissed() {
        Named first = new Named(one, one, "first");
        bell.wake(first);
        assertThat(woken).isEmpty();
        bell.park(first);
        assertThat(woken).containsExactly("first");
    }

    /** One whom the tail still knew when it had ended: a turn that nobody ends would be lost to all. */
    @Test
    void whoHasEndedTakesNoTurn() {
        FairWakeups.Task ended = resting(one, "ended");
        FairWakeups.Task next = resting(one, "next");
        bell.wake(ended);
        bell.done();
        bell.wake(ended);
        bell.wake(next);
        assertThat(woken).containsExactly("ended", "next");
    }

    @Test
    @Proves("P15a")
    void thousandsOfOneOrganizationDoNotDelayTheOneOfAnother() {
        for (int i = 0; i < 1_000; i++) {
            bell.wake(resting(one, "one"));
        }
        bell.wake(resting(other, "other"));
        bell.done();
        bell.done();
        assertThat(woken).contains("other").hasSize(3);
        for (int i = 0; i < 998; i++) {
            bell.done();
        }
        assertThat(woken).hasSize(1_001).containsOnlyOnce("other");
    }

    @Test
    @Proves("P15a")
    void manyOfOneInboxDoNotDelayTheOneOfAnother() {
        UUID inbox = UUID.randomUUID();
        for (int i = 0; i < 100; i++) {
            bell.wake(resting(one, inbox, "many"));
        }
        bell.wake(resting(one, UUID.randomUUID(), "single"));
        bell.wake(resting(other, "other"));
        bell.done();
        bell.done();
        bell.done();
        assertThat(woken).contains("single", "other").hasSize(4);
        for (int i = 0; i < 99; i++) {
            bell.done();
        }
        assertThat(woken).hasSize(102);
    }
}
