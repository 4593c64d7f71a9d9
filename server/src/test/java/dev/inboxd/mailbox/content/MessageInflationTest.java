package dev.inboxd.mailbox.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MessageInflationTest {
    /** More at once than inflaters are kept: none gives anything of another, whole or broken. */
    @Test
    void whatManyInflateAtOnceIsWhatWasDeflated() throws Exception {
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Boolean>> tasks = IntStream.range(0, 400)
                    .<Callable<Boolean>>mapToObj(i -> () -> {
                        String text = "é" + i + " words".repeat(i % 7 == 0 ? 20_000 : i);
                        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
                        byte[] deflated = MessageDeflation.WRAPPED.deflated(octets);
                        assertThat(MessageInflation.text(deflated)).isEqualTo(text);
                        assertThat(MessageInflation.size(deflated)).isEqualTo(octets.length);
                        if (i % 3 == 0) {
                            assertRefused(Arrays.copyOf(deflated, deflated.length - 1 - i % 4));
                        }
                        return true;
                    })
                    .toList();
            for (Future<Boolean> done : many.invokeAll(tasks)) {
                assertThat(done.get()).isTrue();
            }
        }
    }

    @Test
    void whatIsEmptyHasNoOctets() {
        byte[] deflated = MessageDeflation.WRAPPED.deflated(new byte[0]);
        assertThat(MessageInflation.text(deflated)).isEmpty();
        assertThat(MessageInflation.size(deflated)).isZero();
    }

    @Test
    void whatFitsTheBufferExactlyIsWhole() {
        for (int length : List.of(16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 32 * 1024)) {
            String text = "x".repeat(length);
            byte[] deflated = MessageDeflation.WRAPPED.deflated(text.getBytes(StandardCharsets.US_ASCII));
            assertThat(MessageInflation.text(deflated)).isEqualTo(text);
        }
    }

    private static void assertRefused(byte[] damaged) {
        assertThatIllegalStateException().isThrownBy(() -> MessageInflation.text(damaged));
        assertThatIllegalStateException().isThrownBy(() -> MessageInflation.size(damaged));
    }
}
