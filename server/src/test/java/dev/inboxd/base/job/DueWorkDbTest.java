package dev.inboxd.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestPostgres;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that was committed is found by its rows, by any node, and by nothing that a process remembers. */
class DueWorkDbTest {
    private static final String KIND = "written";
    private static final int ROUNDS = 200;
    private static final WorkKind.Pace PACE = WorkKind.Pace.of(Duration.ofSeconds(1), 1);

    private Database writer;
    private Database finder;
    private UUID organization;

    @BeforeEach
    void start() {
        Database.Location location = TestPostgres.migrated();
        writer = new Database(location, null);
        finder = new Database(location, null);
        organization = writer.writeGlobal(tx -> new Organizations(writer, InstantSource.system())
                        .create(tx, Uuid7.next(), Organization.Type.CONSOLE, null))
                .organization()
                .id();
    }

    @AfterEach
    void stop() {
        writer.close();
        finder.close();
    }

    /** Jobs of a process that looks for none, found by looks as fast as they go, while others are written. */
    @Test
    @Tag("long")
    void noWorkIsLostBetweenALookThatFindsNothingAndAWriteThatComesThen() throws Exception {
        Set<String> done = ConcurrentHashMap.newKeySet();
        DueWork due = new DueWork(finder);
        Jobs jobs = new Jobs(finder, due, () -> new UUID(1, 1));
        jobs.handle(KIND, (_, subject) -> {
            done.add(subject);
            return true;
        });
        Jobs written = new Jobs(writer, new DueWork(writer), () -> null);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger number = new AtomicInteger();
        due.start();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                while (!over.get()) {
                    due.settleNow(organization); // the side that takes rows away
                }
            }));
            threads.add(Thread.startVirtualThread(() -> {
                for (int j = 0; j < 200; j++) {
                    String subject = String.valueOf(number.incrementAndGet());
                    writer.write(organization, tx -> {
                        written.add(tx, organization, KIND, subject);
                        return true;
                    });
                }
            }));
        }
        threads.get(1).join();
        threads.get(3).join();
        over.set(true);
        threads.get(0).join();
        threads.get(2).join();
        Eventually.await(Duration.ofMinutes(2), () -> done.size() == 400);
        Eventually.await(() -> rows().isEmpty());
        due.close();
        due.awaitEnd();
    }

    /** A look and a write at the same moment, again and again: whoever was first, work that waits has a row. */
    @Test
    void whateverTheOrderOfAWriteAndALookWorkThatWaitsHasARow() throws Exception {
        DueWork due = new DueWork(finder);
        due.add(new WorkKind(
                KIND, "select min(j.due_at) from job j where j.organization_id = {organization}", PACE, _ -> {}));
        Jobs written = new Jobs(writer, new DueWork(writer), () -> null);
        due.settleNow(organization);
        for (int round = 0; round < ROUNDS; round++) {
            String subject = String.valueOf(round);
            CyclicBarrier both = new CyclicBarrier(2);
            Thread look = Thread.startVirtualThread(() -> {
                meet(both);
                due.settleNow(organization);
            });
            meet(both);
            writer.write(organization, tx -> {
                written.add(tx, organization, KIND, subject);
                return true;
            });
            look.join();
            assertThat(rows()).as("after round %s", round).isNotEmpty();
            writer.write(
                    organization,
                    tx -> tx.sql(View.of(organization), "delete from job j where {j}")
                            .run());
            due.settleNow(organization);
        }
    }

    private static void meet(CyclicBarrier both) {
        try {
            both.await();
        } catch (InterruptedException | BrokenBarrierException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** The first change writes the row, the next ones see at the clock that it is there, and a look begins anew. */
    @Test
    void aChangeIsNotedOnceBetweenTwoLooks() {
        DueWork due = new DueWork(writer);
        due.add(new WorkKind(KIND, "select {now} + interval '1 day'", PACE, _ -> {}));
        due.settleNow(organization);
        assertThat(rows()).containsOnlyKeys(KIND);
        change();
        String first = rows().get("change");
        assertThat(first).isNotNull();
        change();
        assertThat(rows()).as("the same row as before").containsEntry("change", first);
        due.settleNow(organization);
        assertThat(rows()).containsOnlyKeys(KIND);
        change();
        assertThat(rows()).containsKeys("change", KIND);
    }

    /** What is rolled back was no change. */
    @Test
    void aChangeThatIsRolledBackIsNotNotedAndTheNextOneIs() {
        DueWork due = new DueWork(writer);
        due.add(new WorkKind(KIND, "select null::timestamptz", PACE, _ -> {}));
        due.settleNow(organization);
        assertThatThrownBy(() -> writer.write(organization, tx -> {
                    throw new IllegalStateException("planted");
                }))
                .hasMessage("planted");
        assertThat(rows()).isEmpty();
        change();
        assertThat(rows()).containsOnlyKeys("change");
    }

    /** Two that look at once: a row is one's. */
    @Test
    void aRowThatIsDueIsTakenByOneNode() {
        change();
        int taken = 0;
        for (Database each : List.of(writer, finder, writer)) {
            taken += each.<Boolean>read(tx -> DueWorkSql.claim(tx, organization, "change", Duration.ofSeconds(8)))
                    ? 1
                    : 0;
        }
        assertThat(taken).isEqualTo(1);
    }

    private void change() {
        writer.write(organization, tx -> tx.next().number());
    }

    /** Kinds and when they are due. */
    private Map<String, String> rows() {
        Map<String, String> rows = new TreeMap<>();
        writer.read(tx -> tx.sql(View.of(organization), "select d.kind, d.due_at::text as at from due_work d where {d}")
                        .list(row -> Map.entry(row.text("kind"), row.text("at"))))
                .forEach(row -> rows.put(row.getKey(), row.getValue()));
        return rows;
    }
}
