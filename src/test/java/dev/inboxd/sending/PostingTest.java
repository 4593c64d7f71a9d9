package dev.inboxd.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.inboxd.platform.error.Code;
import dev.inboxd.platform.error.Problem;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PostingTest {
    /** What is being written cannot be withdrawn; if it is found undecided then, it must not begin again. */
    @Test
    @SuppressWarnings("NullAway") // nothing of the message is looked at
    void whoseCallerLostPatienceGoesIntoNoOtherTransaction() {
        Posting posting = new Posting(new UUID(0, 1), null, null, Companion.NONE, null);
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
        assertThat(late.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    }
}
