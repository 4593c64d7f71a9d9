package dev.inboxd.tenant.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Names of one family, taken at the same moment by organizations that know nothing of each other (promises.md A37). Two
 * connections stand for two nodes: whoever takes a name knows of others through the database alone.
 */
class DomainOwnersDbTest {
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private Database database;

    @BeforeEach
    void start() {
        Database.Location location = TestPostgres.migrated();
        database = new Database(location, null);
    }

    @AfterEach
    void stop() {
        threads.close();
        database.close();
    }

    /** A step that an organization makes in a transaction of its own; it tells whether it got what it wanted. */
    private interface Step {
        boolean in(Tx tx);
    }

    private static Step takes(UUID organization, String name, boolean subdomains) {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        Domain domain = new Domain(
                name,
                null,
                null,
                new Domain.Options(true, subdomains, false, false),
                new Domain.Key("inboxd", "v=DKIM1"),
                VerificationState.NONE,
                now,
                now);
        return tx -> DomainOwners.claim(tx, organization, domain, now);
    }

    private static Step standsFor(UUID organization, String name) {
        return tx -> DomainOwners.coverSubdomains(tx, organization, name, true);
    }

    @Test
    @Proves("A37")
    void ofAParentAndAChildTakenAtOnceTheFirstWins() throws Exception {
        assertThat(atOnce(takes(ONE, "a.example", true), takes(OTHER, "x.y.a.example", false)))
                .isFalse();
        assertThat(atOnce(takes(ONE, "x.b.example", false), takes(OTHER, "b.example", true)))
                .isFalse();
        assertThat(atOnce(takes(ONE, "x.c.example", true), takes(OTHER, "c.example", false)))
                .isFalse();
        assertThat(holders()).containsExactly("a.example 1", "x.b.example 1", "x.c.example 1");
    }

    @Test
    void whatStandsForNothingBelowItLeavesItToOthers() throws Exception {
        assertThat(atOnce(takes(ONE, "a.example", false), takes(OTHER, "x.a.example", false)))
                .isTrue();
        assertThat(holders()).containsExactly("a.example 1", "x.a.example 2");
    }

    @Test
    @Proves("A37")
    void standingForSubdomainsAndTakingOneOfThemExcludeEachOther() throws Exception {
        assertThat(alone(takes(ONE, "a.example", false))).isTrue();
        assertThat(atOnce(standsFor(ONE, "a.example"), takes(OTHER, "x.a.example", false)))
                .isFalse();
        assertThat(alone(takes(ONE, "b.example", false))).isTrue();
        assertThat(atOnce(takes(OTHER, "x.b.example", false), standsFor(ONE, "b.example")))
                .isFalse();
    }

    @Test
    void otherFamiliesDoNotWait() throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        Future<Boolean> first = threads.submit(() -> database.writeGlobal(tx -> {
            boolean got = takes(ONE, "a.example", true).in(tx);
            taken.countDown();
            await(ends);
            return got;
        }));
        await(taken);
        assertThat(threads.submit(() -> alone(takes(OTHER, "x.b.example", true)))
                        .get(20, TimeUnit.SECONDS))
                .isTrue();
        ends.countDown();
        assertThat(first.get()).isTrue();
        List<String> left =
                database.read(tx -> tx.sql("select family from domain_family").list(row -> row.text("family")));
        assertThat(left).as("left behind").isEmpty();
    }

    /** Six organizations want the names of a tree in any order, all at once: nobody gets what is another's. */
    @Test
    @Proves("A37")
    void howeverManyTakeAtOnceNoneStandsInAnothersWay() throws Exception {
        List<String> names = List.of("t.example", "a.t.example", "b.t.example", "x.a.t.example", "y.x.a.t.example");
        Random random = new Random(4);
        for (int round = 0; round < 20; round++) {
            List<Callable<Boolean>> wishes = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                Step step = takes(
                        new UUID(0, 1 + random.nextInt(6)),
                        names.get(random.nextInt(names.size())),
                        random.nextBoolean());
                wishes.add(() -> alone(step));
            }
            Collections.shuffle(wishes, random);
            try (ExecutorService six =
                    Executors.newFixedThreadPool(6, Thread.ofVirtual().factory())) {
                for (Future<Boolean> wish : six.invokeAll(wishes)) {
                    wish.get();
                }
            }
            List<String> inTheWay = database.read(DomainOwnersDbTest::inTheWay);
            assertThat(inTheWay).isEmpty();
            assertThat(holders()).isNotEmpty();
            database.writeGlobal(tx -> tx.sql("delete from domain_holder").run());
        }
    }

    private static List<String> inTheWay(Tx tx) {
        return tx.sql("""
                select a.domain || ' ' || b.domain as pair from domain_holder a join domain_holder b
                  on b.path like a.path || '_%' and b.organization_id <> a.organization_id
                where a.verified and b.verified and a.subdomains""").list(row -> row.text("pair"));
    }

    private List<String> holders() {
        return database.read(tx -> tx.sql("select h.domain, h.organization_id from domain_holder h where h.verified"
                        + " order by h.domain")
                .list(row ->
                        row.text("domain") + " " + row.uuid("organization_id").getLeastSignificantBits()));
    }

    private boolean alone(Step step) {
        return database.writeGlobal(step::in);
    }

    /**
     * Two steps, of which the second is made while the first, which must succeed, has not ended.
     *
     * @return whether the second got what it wanted
     */
    private boolean atOnce(Step first, Step second) throws Exception {
        CountDownLatch made = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        CompletableFuture<Integer> waiter = new CompletableFuture<>();
        Future<Boolean> one = threads.submit(() -> database.writeGlobal(tx -> {
            boolean got = first.in(tx);
            made.countDown();
            await(ends);
            return got;
        }));
        await(made);
        Future<Boolean> other = threads.submit(() -> database.writeGlobal(tx -> {
            waiter.complete(tx.sql("select pg_backend_pid() as pid").single(row -> row.integer("pid")));
            return second.in(tx);
        }));
        int pid = waiter.get(20, TimeUnit.SECONDS);
        Eventually.await(() -> other.isDone() || isWaiting(pid));
        ends.countDown();
        assertThat(one.get()).isTrue();
        return other.get(20, TimeUnit.SECONDS);
    }

    private boolean isWaiting(int pid) {
        Optional<Boolean> waiting =
                database.read(tx -> tx.sql("select coalesce(a.wait_event_type = 'Lock', false) as waits"
                                + " from pg_stat_activity a where a.pid = :pid")
                        .bind("pid", pid)
                        .first(row -> row.flag("waits")));
        return waiting.orElse(false);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
