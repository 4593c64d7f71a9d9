package dev.inboxd.base.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.module.Lifecycle.Phase;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    private final Lifecycle lifecycle = new Lifecycle();
    private final List<String> steps = new CopyOnWriteArrayList<>();

    private void add(Phase phase, String name) {
        lifecycle.add(phase, () -> steps.add("start " + name), () -> steps.add("stop " + name));
    }

    @Test
    void whatIsStartedFirstIsStoppedLast() throws IOException {
        add(Phase.SHARED, "index");
        add(Phase.SHARED, "counts");
        add(Phase.WORKERS, "nodes");

        lifecycle.start();
        lifecycle.close();

        assertThat(steps)
                .containsExactly(
                        "start index", "start counts", "start nodes", "stop nodes", "stop counts", "stop index");
    }

    @Test
    void thePhaseCountsBeforeTheOrderOfRegistration() throws IOException {
        add(Phase.TRAFFIC, "port");
        add(Phase.JOBS, "jobs");
        add(Phase.RECOVERY, "leases");

        lifecycle.start();
        lifecycle.close();

        assertThat(steps)
                .containsExactly("start leases", "start jobs", "start port", "stop port", "stop jobs", "stop leases");
    }

    @Test
    void thePortThatIsRegisteredLastListensLast() throws IOException {
        add(Phase.TRAFFIC, "smtp");
        add(Phase.TRAFFIC, "http");

        lifecycle.start();

        assertThat(steps).containsExactly("start smtp", "start http");
    }

    @Test
    void somethingMayStartEarlyAndStopFirst() throws IOException {
        lifecycle.onStart(Phase.WORKERS, () -> steps.add("start streams"));
        lifecycle.onStop(Phase.WAITS, () -> steps.add("stop streams"));
        add(Phase.TRAFFIC, "http");

        lifecycle.start();
        lifecycle.close();

        assertThat(steps).containsExactly("start streams", "start http", "stop streams", "stop http");
    }

    @Test
    void aStopThatFailsIsNotTheLast() {
        add(Phase.STORES, "database");
        lifecycle.onStop(Phase.SHARED, () -> {
            throw new IllegalStateException("planted");
        });
        lifecycle.onStop(Phase.TRAFFIC, () -> {
            throw new AssertionError("planted");
        });
        add(Phase.TRAFFIC, "smtp");

        lifecycle.close();

        assertThat(steps).containsExactly("stop smtp", "stop database");
    }

    @Test
    void trafficStopsSideBySide() {
        CountDownLatch both = new CountDownLatch(2);
        Runnable meeting = () -> {
            both.countDown();
            try {
                if (both.await(20, TimeUnit.SECONDS)) {
                    steps.add("met");
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        };
        lifecycle.onStop(Phase.TRAFFIC, meeting);
        lifecycle.onStop(Phase.TRAFFIC, meeting);

        lifecycle.close();

        assertThat(steps).containsExactly("met", "met");
    }

    @Test
    void aStartThatFailsEndsTheStart() {
        lifecycle.onStart(Phase.WORKERS, () -> {
            throw new IOException("planted");
        });
        add(Phase.TRAFFIC, "http");

        assertThatThrownBy(lifecycle::start).isInstanceOf(IOException.class).hasMessage("planted");
        assertThat(steps).isEmpty();
    }
}
