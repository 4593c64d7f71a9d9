package dev.inboxd.inbound.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScanCacheTest {
    private static final SmtpReply VIRUS = SmtpReply.of(550, "5.7.1", "A virus");
    private static final SmtpReply SILENT = SmtpReply.of(451, "4.3.0", "No answer");

    private final AtomicLong nanos = new AtomicLong(5);
    private final AtomicInteger looks = new AtomicInteger();
    private final ScanCache scans = new ScanCache(nanos::get);

    private @Nullable SmtpReply look(String octets, @Nullable SmtpReply answer) throws IOException {
        return scans.of(octets, () -> {
            looks.incrementAndGet();
            return answer;
        });
    }

    @Test
    void oneLookIsEnoughForAMoment() throws IOException {
        assertThat(look("clean", null)).isNull();
        assertThat(look("clean", VIRUS)).isNull();
        assertThat(look("bad", VIRUS)).isEqualTo(VIRUS);
        assertThat(look("bad", null)).isEqualTo(VIRUS);
        assertThat(looks).hasValue(2);
        nanos.addAndGet(Duration.ofSeconds(61).toNanos());
        assertThat(look("clean", VIRUS)).as("what is found by then").isEqualTo(VIRUS);
    }

    @Test
    void whoAsksMeanwhileGetsTheSameAnswer() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        List<Future<@Nullable SmtpReply>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                all.add(threads.submit(() -> scans.of("bad", () -> {
                    looks.incrementAndGet();
                    answers.await();
                    return VIRUS;
                })));
            }
            answers.countDown();
            for (Future<@Nullable SmtpReply> each : all) {
                assertThat(each.get()).isEqualTo(VIRUS);
            }
        }
        assertThat(looks).hasValue(1);
    }

    @Test
    void whatCouldNotBeSaidIsAskedAgain() throws IOException {
        assertThat(look("late", SILENT)).isEqualTo(SILENT);
        assertThat(look("late", null)).isNull();
        assertThatThrownBy(() -> scans.of("away", () -> {
                    throw new IOException("away");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> scans.of("broken", () -> {
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(look("away", VIRUS)).isEqualTo(VIRUS);
        assertThat(look("broken", VIRUS)).isEqualTo(VIRUS);
    }

    @Test
    void noMoreAreRememberedThanAreUseful() throws IOException {
        for (int i = 0; i < 5_000; i++) {
            look("m" + i, null);
        }
        assertThat(look("m4999", VIRUS)).isNull();
        assertThat(look("m0", VIRUS)).as("the eldest made room").isEqualTo(VIRUS);
    }
}
