package dev.inboxd.base.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.testing.Eventually;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
    private static final int LARGEST = BodyLimit.ATTACHMENTS.bytes();

    @Test
    void aLargeBodyWaitsUntilAnotherHasLeft() throws InterruptedException {
        BodyBudget budget = new BodyBudget(LARGEST);
        BodyBudget.Share first = budget.new Share();
        first.grow(LARGEST);
        BodyBudget.Share second = budget.new Share();
        Thread waiting = Thread.startVirtualThread(() -> second.grow(LARGEST));
        Eventually.await(budget::isAwaited);
        first.release();
        waiting.join();
        assertThat(budget.available()).isLessThan(LARGEST / 2);
        second.release();
        second.release();
        assertThat(budget.available()).isEqualTo(LARGEST);
    }

    @Test
    void anAnswerThatWasMadeKeepsWhatItTakesAlone() {
        BodyBudget budget = new BodyBudget(LARGEST);
        BodyBudget.Share share = budget.new Share();
        share.grow(LARGEST);
        share.shrink(1 << 20);
        assertThat(LARGEST - budget.available()).isBetween(1 << 19, 1 << 20);
        share.shrink(LARGEST);
        assertThat(LARGEST - budget.available()).isBetween(1 << 19, 1 << 20);
        share.shrink(10);
        assertThat(budget.available()).isEqualTo(LARGEST);
    }

    @Test
    void twoTextsOfAnyLengthFitAndWhoMayNotWaitIsRefusedAtOnce() {
        BodyBudget budget = new BodyBudget(LARGEST);
        BodyBudget.Share first = budget.new Share();
        first.growForText(Integer.MAX_VALUE, true);
        budget.new Share().growForText(Integer.MAX_VALUE, false);
        budget.new Share().grow(budget.available());
        assertThatThrownBy(() -> budget.new Share().growForText(Integer.MAX_VALUE, false))
                .isInstanceOfSatisfying(
                        Problem.class, busy -> assertThat(busy.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
        first.release();
    }

    @Test
    void ordinaryBodiesNeverWait() {
        BodyBudget budget = new BodyBudget(LARGEST);
        budget.new Share().grow(LARGEST);
        budget.new Share().grow(100_000);
        assertThat(budget.available()).isLessThan(LARGEST);
    }

    @Test
    void anInterruptedWaitIsARefusalForNow() {
        BodyBudget budget = new BodyBudget(LARGEST);
        budget.new Share().grow(LARGEST);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> budget.new Share().grow(LARGEST))
                .isInstanceOfSatisfying(
                        Problem.class, busy -> assertThat(busy.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
        assertThat(Thread.interrupted()).isTrue();
    }
}
