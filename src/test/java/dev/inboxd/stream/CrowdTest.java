package dev.inboxd.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrowdTest {
    @Test
    void whoeverWouldBeOneTooManyIsNotLetInUntilSomebodyLeaves() {
        Crowd crowd = new Crowd(2L * Crowd.WAIT + Crowd.SOCKET);
        assertThat(crowd.enter(Crowd.WAIT)).isTrue();
        assertThat(crowd.enter(Crowd.WAIT)).isTrue();
        assertThat(crowd.enter(Crowd.WAIT)).isFalse();
        assertThat(crowd.enter(Crowd.SOCKET)).isTrue();
        assertThat(crowd.enter(Crowd.SOCKET)).isFalse();
        crowd.leave(Crowd.WAIT);
        assertThat(crowd.enter(Crowd.WAIT)).isTrue();
        assertThat(crowd.enter(1)).isFalse();
    }

    @Test
    void tenThousandWaitInTheHeapThatTheServiceIsStartedWith() {
        Crowd crowd = new Crowd(208L * 1024 * 1024 / 8 * 5);
        for (int i = 0; i < 10_000; i++) {
            assertThat(crowd.enter(Crowd.WAIT)).isTrue();
        }
    }
}
