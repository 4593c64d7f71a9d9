package dev.inboxd.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PendingSendTest {
    /** What is being written cannot be withdrawn; if it is found undecided then, it must not begin again. */
    @Test
    @SuppressWarnings("NullAway") // nothing of the message is looked at
    void whoseCallerLostPatienceGoesIntoNoOtherTransaction() {
        PendingSend posting = new PendingSend(new UUID(0, 1), null, null, CommitHook.NONE, null);
        assertThat(posting.isLate()).isFalse();
        Problem late = catchThrowableOfType(
                Problem.class,
                () -> posting.await(Duration.ZERO, () -> {
                    assertThat(posting.isLate())
                            .as("told before it can be given back")
                            .isTrue();
                    posting.failLate(); // its transaction ended undecided
                    return false;
                }));
        assertThat(late.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
    }
}
