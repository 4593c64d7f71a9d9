package dev.inboxd.mailbox.attachment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The files of calls that are paid for take so much memory, over all calls (promise P15). */
class KeptFileMemoryTest {
    private static final int ALL = 1_000;

    private final KeptFileMemory memory = new KeptFileMemory(ALL, Duration.ZERO);

    @Test
    @Proves("P15")
    void filesOfAllCallsShareOneBound() {
        KeptFileMemory.Room first = enter(700);
        assertThat(code(300 + 1)).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
        KeptFileMemory.Room second = enter(300);
        assertThat(code(1)).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
        first.close();
        enter(700).close();
        second.close();
        enter(ALL).close();
    }

    @Test
    void filesThatNeverFitAreRefusedAtOnce() {
        assertThatThrownBy(() -> enter(ALL + 1))
                .isInstanceOfSatisfying(
                        Problem.class, refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.UNPROCESSABLE));
    }

    /** A request that was stored by a process with more memory is carried out all the same, alone. */
    @Test
    void aStoredRequestWaitsUntilItIsAlone() {
        KeptFileMemory.Room alone = memory.enter(10L * ALL);
        assertThat(code(1)).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
        alone.close();
        enter(1).close();
    }

    private ErrorCode code(int octets) {
        try (KeptFileMemory.Room _ = enter(octets)) {
            throw new AssertionError("there was room for " + octets);
        } catch (Problem refusal) {
            return refusal.code();
        }
    }

    private KeptFileMemory.Room enter(int octets) {
        OutgoingAttachment given = new OutgoingAttachment(
                "f.bin", "", false, null, new RemoteFile("https://files.test/f.bin", 0, "f.bin", null));
        AttachmentFiles fetched = new AttachmentFiles();
        fetched.add(new OutgoingAttachment(
                "f.bin", "application/octet-stream", false, null, AttachmentContent.of(new byte[octets])));
        return memory.enter(List.of(given), fetched);
    }
}
