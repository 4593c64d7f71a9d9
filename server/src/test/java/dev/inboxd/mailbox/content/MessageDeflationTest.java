package dev.inboxd.mailbox.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

class MessageDeflationTest {
    /** More at once than deflaters are kept, each used again and again, none with anything of the content before. */
    @Test
    void whatManyDeflateAtOnceIsWhatEachGave() throws Exception {
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Boolean>> tasks = IntStream.range(0, 400)
                    .<Callable<Boolean>>mapToObj(i -> () -> {
                        byte[] content = content(i);
                        assertThat(inflated(MessageDeflation.WRAPPED.deflated(content), false))
                                .isEqualTo(content);
                        assertThat(inflated(MessageDeflation.BARE.deflated(content), true))
                                .isEqualTo(content);
                        return true;
                    })
                    .toList();
            for (Future<Boolean> done : many.invokeAll(tasks)) {
                assertThat(done.get()).isTrue();
            }
        }
    }

    /** Of no octets, of a few and of many, some of which cannot be made smaller. */
    private static byte[] content(int i) {
        byte[] content = new byte[i % 4 == 0 ? 100_000 : i / 4];
        if (i % 3 != 0) {
            new Random(i).nextBytes(content);
        }
        return content;
    }

    private static byte[] inflated(byte[] deflated, boolean bare) throws IOException {
        Inflater inflater = new Inflater(bare);
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(deflated), inflater)) {
            return in.readAllBytes();
        } finally {
            inflater.end();
        }
    }
}
