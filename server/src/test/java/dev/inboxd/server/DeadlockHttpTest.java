package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.WriteRequests.Verb;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every verb that writes, against every other, in one organization and from two nodes: PostgreSQL never has to break a
 * deadlock, because the organization's clock is the first lock of each.
 */
class DeadlockHttpTest {
    private static final Duration TIME = Duration.ofSeconds(2);
    private static final Duration LONG_TIME = Duration.ofMinutes(2);
    private static final Duration MOST_OVER = Duration.ofMinutes(1);
    private static final int THREADS = 12;
    /** How many verbs there are to each mail that arrives, about. */
    private static final int VERBS_TO_A_MAIL = 6;

    private final List<World> nodes = new ArrayList<>();
    private final Set<String> played = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void start() {
        nodes.add(World.start());
        nodes.add(nodes.getFirst().beside());
    }

    @AfterEach
    void stop() {
        nodes.forEach(World::close);
    }

    @Test
    @Proves("P6a")
    void noVerbEverDeadlocksWithAnother() {
        play(TIME);
    }

    @Test
    @Tag("long")
    void noVerbEverDeadlocksWithAnotherInMinutes() {
        play(LONG_TIME);
    }

    private void play(Duration time) {
        String name = databaseName();
        WriteRequests writes = new WriteRequests(nodes.getFirst());
        Map<String, Verb> verbs = new HashMap<>(writes.all());
        verbs.putAll(new PublicWriteRequests(nodes.getFirst(), writes).all());
        verbs.forEach((route, verb) -> {
            succeeds(route, verb);
            if (route.endsWith("/stop")) { // the others are to find nothing in their way
                String resume = route.replace("/stop", "/resume");
                succeeds(resume, Objects.requireNonNull(verbs.get(resume)));
            }
        });
        long end = System.nanoTime() + time.toNanos();
        together(THREADS, thread -> {
            Random random = new Random(thread);
            World node = nodes.get(thread % nodes.size());
            List<String> deck = share(thread, verbs.keySet());
            for (int i = 0; left(end, verbs) > 0; i++) {
                if (i == deck.size()) {
                    deck = new ArrayList<>(verbs.keySet());
                    i = 0;
                }
                if (i == 0) {
                    Collections.shuffle(deck, random);
                }
                String route = deck.get(i);
                play(route, Objects.requireNonNull(verbs.get(route)), node, random);
                if (route.endsWith("/stop")) { // else most of the others are refused most of the time
                    String resume = route.replace("/stop", "/resume");
                    play(resume, Objects.requireNonNull(verbs.get(resume)), node, random);
                }
                if (random.nextInt(VERBS_TO_A_MAIL) == 0) {
                    receive(writes, node, random);
                }
            }
        });
        assertThat(played.stream().filter(route -> !route.startsWith("GET ")))
                .containsExactlyInAnyOrderElementsOf(WriteRequests.routes());
        assertThat(deadlocksIn(name)).isZero();
    }

    /** What a thread plays first, so that everything is played soon; then each plays everything. */
    private static List<String> share(int thread, Set<String> verbs) {
        List<String> share = new ArrayList<>();
        int number = 0;
        for (String verb : verbs) {
            if (number++ % THREADS == thread) {
                share.add(verb);
            }
        }
        return share;
    }

    /** Nanoseconds of the run; a slow machine gets some more of them until everything was played. */
    private long left(long end, Map<String, Verb> verbs) {
        return end - System.nanoTime() + (played.containsAll(verbs.keySet()) ? 0 : MOST_OVER.toNanos());
    }

    /** Alone: a verb that is refused with nothing in its way would play no part in the run. */
    private void succeeds(String route, Verb verb) {
        HttpProbe.Answer answer = verb.untilItSucceeds(nodes.getFirst());
        assertThat(answer == null ? 0 : answer.status())
                .as(route + ": " + (answer == null ? "nothing to do it with" : answer.text()))
                .isBetween(200, 299);
    }

    /**
     * Others may have changed what it is about, so that it is refused, or asked to come back; the service never fails.
     */
    private void play(String route, Verb verb, World node, Random random) {
        HttpProbe.Answer answer = verb.run(node, random);
        if (answer == null) {
            return;
        }
        // A slow machine may let somebody wait too long for a lock; a deadlock is counted by PostgreSQL.
        boolean later = answer.status() == 503 && answer.header("Retry-After") != null;
        assertThat(later || answer.status() < 500)
                .as(route + ": " + answer.text())
                .isTrue();
        if (!later) {
            played.add(route);
        }
    }

    /** For one organization or two. An inbox that is gone just now is refused for good or for the moment. */
    private static void receive(WriteRequests writes, World node, Random random) {
        String other = random.nextBoolean() ? "postmaster@mail.localhost" : writes.inbox(node, random);
        String reply = writes.mail(
                node, Stream.of(other, writes.inbox(node, random)).distinct().toList(), random);
        assertThat(reply).matches("250 .*|550 5\\.1\\.1.*|451 .*");
    }

    @Test
    void rowsLockedInTwoOrdersAreCounted() {
        String name = databaseName();
        List<String> inboxes =
                List.of(nodes.getFirst().inbox("lock0"), nodes.getFirst().inbox("lock1"));
        CountDownLatch bothHoldOne = new CountDownLatch(2);
        AtomicInteger broken = new AtomicInteger();
        together(2, thread -> {
            try {
                nodes.get(thread).database().writeGlobal(tx -> {
                    lock(tx, inboxes.get(thread));
                    bothHoldOne.countDown();
                    waitFor(bothHoldOne);
                    return lock(tx, inboxes.get(1 - thread));
                });
            } catch (DatabaseFailure | Problem deadlock) {
                broken.incrementAndGet();
            }
        });
        assertThat(broken).hasValue(1);
        assertThat(deadlocksIn(name)).isOne();
    }

    private static int lock(Tx tx, String address) {
        return tx.sqlAcrossTenants("update inbox set updated_at = updated_at where address = :address")
                .bind("address", address)
                .run();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Task {
        void run(int thread);
    }

    private static void together(int threads, Task task) {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(executor.submit(() -> task.run(thread)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private String databaseName() {
        return nodes.getFirst()
                .database()
                .read(tx -> tx.sql("select current_database()::text as name").single(row -> row.text("name")));
    }

    /** Connections hand in their counts when they end, so everything is closed first. */
    private long deadlocksIn(String name) {
        nodes.forEach(World::close);
        nodes.clear();
        try (Database other = new Database(TestPostgres.database(), null)) {
            return other.read(tx -> tx.sql("select d.deadlocks from pg_stat_database d where d.datname = :name")
                    .bind("name", name)
                    .single(row -> row.longer("deadlocks")));
        }
    }
}
