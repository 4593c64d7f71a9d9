package dev.inboxd.base.job.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.time.ClockPosition;
import dev.inboxd.testing.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one node does for all is done once in a while, by one node at a time, and not given up with a node. */
class UpkeepDbTest {
    private static final String NAME = "sweep";
    private static final Duration EVERY = Duration.ofHours(6);

    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> done = new ArrayList<>();
    private Database first;
    private Database second;

    @BeforeEach
    void start() {
        Database.Location location = TestPostgres.migrated();
        first = new Database(location, () -> new ClockPosition(later.get(), null));
        second = new Database(location, () -> new ClockPosition(later.get(), null));
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void whatWasDoneIsNotDoneAgainBeforeItsIntervalHasPassedByWhateverNode() {
        run(first, "a");
        run(first, "b");
        run(second, "c");
        assertThat(done).containsExactly("a");
        later.set(EVERY.plusMinutes(1));
        run(second, "d");
        run(first, "e");
        assertThat(done).containsExactly("a", "d");
    }

    @Test
    void whileOneIsAtItNobodyElseBegins() {
        upkeep(first).run(NAME, EVERY, turn -> {
            run(second, "other");
            upkeep(second).run("another name", EVERY, _ -> done.add("another"));
            assertThat(turn.isOurs()).isTrue();
            return done.add("own");
        });
        assertThat(done).containsExactly("another", "own");
    }

    @Test
    void whatDidNotComeToItsEndIsBegunAnew() {
        upkeep(first).run(NAME, EVERY, _ -> false);
        run(second, "after one that stopped");
        later.set(EVERY.plusMinutes(1));
        assertThatThrownBy(() -> upkeep(first).run(NAME, EVERY, _ -> {
                    throw new IllegalStateException("planted");
                }))
                .hasMessage("planted");
        run(second, "after one that failed");
        assertThat(done).containsExactly("after one that stopped", "after one that failed");
    }

    /** It says once a minute that it is at it; whoever was silent for ten has lost it, and hears so. */
    @Test
    void oneThatIsSilentForTooLongLosesItsTurn() {
        upkeep(first).run(NAME, EVERY, turn -> {
            later.set(Duration.ofMinutes(9));
            nanos.addAndGet(Duration.ofMinutes(9).toNanos());
            assertThat(turn.isOurs()).isTrue();
            later.set(Duration.ofMinutes(18));
            run(second, "too early");
            assertThat(done).isEmpty();
            later.set(Duration.ofMinutes(20));
            run(second, "taken");
            nanos.addAndGet(Duration.ofMinutes(11).toNanos());
            assertThat(turn.isOurs()).isFalse();
            return true;
        });
        assertThat(done).containsExactly("taken");
        later.set(EVERY.plusMinutes(21));
        run(first, "by the end of the one who had it");
        assertThat(done).hasSize(2);
    }

    private void run(Database database, String who) {
        upkeep(database).run(NAME, EVERY, _ -> done.add(who));
    }

    private Upkeep upkeep(Database database) {
        return new Upkeep(database, nanos::get);
    }
}
