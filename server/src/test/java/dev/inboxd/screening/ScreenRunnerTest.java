package dev.inboxd.screening;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The places of judges: however many mails come in at once, each is judged, and none is refused (rulings 44, 82). */
class ScreenRunnerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A place is free before its thread is: who takes it at once must not be turned away. */
    @Test
    void manyMailsOverFewPlacesAreAllJudged() throws Exception {
        try (ScreenRunner runner = new ScreenRunner(PATIENCE, 2);
                ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> sessionsAtOnce = new ArrayList<>();
            for (int session = 0; session < 40; session++) {
                sessionsAtOnce.add(sessions.submit(() -> {
                    int judged = 0;
                    for (int mail = 0; mail < 500; mail++) {
                        judged += runner.run("mail", () -> "clear").isPresent() ? 1 : 0;
                    }
                    return judged;
                }));
            }
            for (Future<Integer> session : sessionsAtOnce) {
                assertThat(session.get()).isEqualTo(500);
            }
        }
    }

    /** A judge that hangs keeps its place and its thread; the other place goes on. */
    @Test
    void besideAJudgeThatHangsMailIsJudged() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Callable<String> hanging = () -> {
            boolean hangs = true;
            while (hangs) {
                try {
                    end.await();
                    hangs = false;
                } catch (InterruptedException deaf) {
                    // a loop in a judge does not hear either
                }
            }
            return "late";
        };
        try (ScreenRunner runner = new ScreenRunner(Duration.ofSeconds(1), 2)) {
            assertThat(runner.run("hangs", hanging)).isEmpty();
            for (int mail = 0; mail < 200; mail++) {
                assertThat(runner.run("mail", () -> "clear")).contains("clear");
            }
            end.countDown();
        }
    }

    @Test
    void behindItsEndTheRunnerRefusesNoMail() {
        ScreenRunner runner = new ScreenRunner(PATIENCE, 2);
        runner.close();
        Optional<String> judged = runner.run("mail", () -> "clear");
        assertThat(judged).isEmpty();
    }
}
