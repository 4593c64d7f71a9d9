package dev.inboxd.base.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who was away itself says of nobody that he is dead: after an outage every node had been silent. */
class NodesAfterOutageDbTest {
    private static Database database;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // where a clock of nanoseconds may stand
    private final List<UUID> dead = new ArrayList<>();
    private int formerEnds;
    private Nodes node;

    @BeforeAll
    static void start() {
        Database.Location location = TestPostgres.migrated();
        database = new Database(location, null);
    }

    @BeforeEach
    void enter() {
        node = new Nodes(database, nanos::get);
        UUID former = node.self();
        node.onDeath(name -> {
            if (name.equals(former)) {
                formerEnds++;
            } else {
                dead.add(name);
            }
        });
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    void whoLivesTakesOverFromWhoWasSilentForSixSecondsAndFromNobodyElse() {
        node.show();
        UUID silent = other(Duration.ofSeconds(7));
        UUID slow = other(Duration.ofSeconds(3));
        node.show();
        node.refresh();
        assertThat(dead).containsExactly(silent);
        assertThat(names()).contains(slow, node.self()).doesNotContain(silent);
    }

    @Test
    @Proves("P8b")
    void afterAnOutageNobodyIsCountedForDeadBeforeEverybodyHadSixSecondsToShowItself() {
        node.show();
        pass(Duration.ofSeconds(10)); // nobody could write to the database meanwhile
        UUID other = other(Duration.ofSeconds(10));
        assertThat(node.isAlive()).isFalse();
        node.refresh();
        assertThat(dead).as("it has not shown itself either").isEmpty();
        for (int i = 0; i < 3; i++) { // at 0, 2 and 4 seconds after the outage
            node.show();
            assertThat(node.isAlive()).isTrue();
            node.refresh();
            assertThat(dead).as("the other had no time yet").isEmpty();
            pass(Duration.ofSeconds(2));
        }
        node.show();
        node.refresh();
        assertThat(dead).containsExactly(other);
        assertThat(names()).doesNotContain(other);
    }

    @Test
    void oneWhoShowsItselfAgainAfterAnOutageKeepsWhatItHas() {
        node.show();
        pass(Duration.ofSeconds(10));
        UUID other = other(Duration.ofSeconds(10));
        for (int i = 0; i < 5; i++) {
            node.show();
            seen(other, Duration.ZERO);
            node.refresh();
            pass(Duration.ofSeconds(2));
        }
        assertThat(dead).isEmpty();
        assertThat(names()).contains(other);
    }

    /** Others may have taken over from it, or be about to, and nobody may take what it claims from now on. */
    @Test
    @Proves("P8b")
    void whoWasSilentGoesOnUnderAnotherNameAndTakesOverFromItsFormerOneTwice() {
        node.show();
        UUID former = node.self();
        pass(Duration.ofSeconds(4));
        node.show();
        assertThat(node.self()).as("four seconds are no death").isEqualTo(former);
        pass(Duration.ofSeconds(5));
        assertThat(node.claimant()).as("it may be taken for dead").isNull();
        node.show();
        assertThat(node.claimant()).isNotNull().isNotEqualTo(former).isEqualTo(node.self());
        node.refresh();
        assertThat(formerEnds).isEqualTo(1);
        pass(Duration.ofSeconds(2));
        node.show();
        pass(Duration.ofSeconds(4));
        node.show();
        node.refresh();
        assertThat(formerEnds)
                .as("once more for a transaction that was under way")
                .isGreaterThanOrEqualTo(2);
        int ends = formerEnds;
        node.refresh();
        assertThat(formerEnds).as("and no more").isEqualTo(ends);
    }

    @Test
    void asLongAsOneShowsItselfInTimeItIsSteady() {
        for (int i = 0; i < 3; i++) {
            node.show();
            pass(Duration.ofSeconds(4));
        }
        UUID silent = other(Duration.ofSeconds(7));
        node.show();
        node.refresh();
        assertThat(dead).containsExactly(silent);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static UUID other(Duration silence) {
        UUID name = UUID.randomUUID();
        seen(name, silence);
        return name;
    }

    private static void seen(UUID name, Duration ago) {
        database.writeGlobal(tx -> tx.sql("insert into node as n (node_id, seen_at)"
                        + " values (:node, statement_timestamp() - make_interval(secs => :ago))"
                        + " on conflict (node_id) do update set seen_at = excluded.seen_at")
                .bind("node", name)
                .bind("ago", (double) ago.toSeconds())
                .run());
    }

    private static List<UUID> names() {
        return database.read(tx -> tx.sql("select n.node_id from node n").list(row -> row.uuid("node_id")));
    }
}
