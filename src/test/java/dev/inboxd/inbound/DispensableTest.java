package dev.inboxd.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.platform.error.Code;
import dev.inboxd.platform.error.Problem;
import org.junit.jupiter.api.Test;

class DispensableTest {
    @Test
    void aJudgementThatFailsOverAMessageIsDoneWithout() {
        assertThat(Dispensable.or("nothing", "m1", () -> "something")).isEqualTo("something");
        assertThat(Dispensable.<String>or("nothing", "m2", () -> {
                    throw new IllegalStateException("planted");
                }))
                .isEqualTo("nothing");
        assertThat(Dispensable.or("nothing", "m3", () -> deeper(0)))
                .as("a stack that overflows")
                .isEqualTo("nothing");
    }

    @Test
    void whatPassesPutsTheMessageOff() {
        assertThatThrownBy(() -> Dispensable.<String>or("nothing", "m4", () -> {
                    throw Problem.of(Code.SERVICE_UNAVAILABLE, "The database is busy or away");
                }))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> Dispensable.<String>or("nothing", "m5", () -> {
                    throw new OutOfMemoryError("planted");
                }))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @SuppressWarnings("InfiniteRecursion") // that is what it is for
    private static String deeper(int depth) {
        return deeper(depth + 1) + depth;
    }
}
