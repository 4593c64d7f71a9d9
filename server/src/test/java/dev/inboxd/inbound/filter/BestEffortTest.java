package dev.inboxd.inbound.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.testing.Proves;
import org.junit.jupiter.api.Test;

class BestEffortTest {
    @Test
    @Proves("P15b")
    void aJudgementThatFailsOverAMessageIsDoneWithout() {
        assertThat(BestEffort.or("nothing", "m1", () -> "something")).isEqualTo("something");
        assertThat(BestEffort.<String>or("nothing", "m2", () -> {
                    throw new IllegalStateException("planted");
                }))
                .isEqualTo("nothing");
        assertThat(BestEffort.or("nothing", "m3", () -> deeper(0)))
                .as("a stack that overflows")
                .isEqualTo("nothing");
    }

    @Test
    @Proves("P15b")
    void whatPassesPutsTheMessageOff() {
        assertThatThrownBy(() -> BestEffort.<String>or("nothing", "m4", () -> {
                    throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The database is busy or away");
                }))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> BestEffort.<String>or("nothing", "m5", () -> {
                    throw new OutOfMemoryError("planted");
                }))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @SuppressWarnings("InfiniteRecursion") // that is what it is for
    private static String deeper(int depth) {
        return deeper(depth + 1) + depth;
    }
}
