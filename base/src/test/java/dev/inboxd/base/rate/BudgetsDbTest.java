package dev.inboxd.base.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.time.ClockPosition;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Budgets that several nodes spend from, each with connections of its own to one real database. */
class BudgetsDbTest {
    private static final Rate HUNDRED_AN_HOUR = Rate.of("tests", 100, Duration.ofHours(1));

    private final AtomicReference<Duration> skew = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> Instant.now().plus(skew.get());
    private final List<Database> nodes = new ArrayList<>();

    @BeforeEach
    void start() {
        Database.Location location = TestPostgres.migrated();
        nodes.add(new Database(location, () -> new ClockPosition(skew.get(), null)));
        nodes.add(new Database(location, () -> new ClockPosition(skew.get(), null)));
    }

    @AfterEach
    void stop() {
        nodes.forEach(Database::close);
    }

    private List<Budgets> budgets() {
        return nodes.stream().map(node -> new Budgets(node, clock)).toList();
    }

    private static int spend(Budgets budgets, Rate rate, String subject, int times) {
        int allowed = 0;
        for (int i = 0; i < times; i++) {
            allowed += budgets.take(rate, subject).isAllowed() ? 1 : 0;
        }
        return allowed;
    }

    @Test
    @Proves("A29a")
    void twoNodesWithManyCallersNeverSpendMoreThanTheBudgetAndAllOfIt() throws InterruptedException {
        List<Budgets> budgets = budgets();
        AtomicInteger allowed = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Budgets node = budgets.get(i % 2);
            callers.add(Thread.startVirtualThread(() -> allowed.addAndGet(spend(node, HUNDRED_AN_HOUR, "one", 20))));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(allowed).hasValue(100);
    }

    @Test
    void whatOneNodeSpentIsGoneForTheOtherAndOthersHaveTheirOwn() {
        List<Budgets> budgets = budgets();
        assertThat(spend(budgets.getFirst(), HUNDRED_AN_HOUR, "one", 100)).isEqualTo(100);
        assertThat(budgets.getLast().take(HUNDRED_AN_HOUR, "one").isAllowed()).isFalse();
        assertThat(budgets.getLast().take(HUNDRED_AN_HOUR, "another").isAllowed())
                .isTrue();
        assertThat(budgets.getLast()
                        .take(Rate.of("other tests", 1, Duration.ofHours(1)), "one")
                        .isAllowed())
                .isTrue();
    }

    @Test
    @Proves("A29a")
    void manyRequestsCostFewStatementsAndARefusedCallerNone() {
        List<Integer> asks = new ArrayList<>();
        Leases leases = new Leases(all -> {
            asks.add(all.size());
            nodes.getFirst().writeGlobal(tx -> {
                RateSql.take(tx, all);
                return all;
            });
        });
        Budget budget = new Budget(HUNDRED_AN_HOUR, new byte[] {1});
        long allowed = Stream.generate(() -> budget.take(leases, clock.instant()))
                .limit(1_000)
                .filter(BudgetStatus::isAllowed)
                .count();
        assertThat(allowed).isEqualTo(100);
        assertThat(asks).hasSize(11);
    }

    @Test
    void whatWaitsGoesTogether() throws InterruptedException {
        AtomicInteger statements = new AtomicInteger();
        Leases leases = new Leases(all -> {
            statements.incrementAndGet();
            nodes.getFirst().writeGlobal(tx -> {
                RateSql.take(tx, all);
                return all;
            });
        });
        List<Thread> callers = new ArrayList<>();
        AtomicInteger allowed = new AtomicInteger();
        for (int i = 0; i < 300; i++) {
            byte[] bucket = {(byte) i, (byte) (i >> 8)};
            callers.add(Thread.startVirtualThread(() -> allowed.addAndGet(
                    new Budget(HUNDRED_AN_HOUR, bucket)
                                    .take(leases, clock.instant())
                                    .isAllowed()
                            ? 1
                            : 0)));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(allowed).hasValue(300);
        assertThat(statements.get()).isLessThan(300);
    }

    @Test
    void aBudgetFillsWithTimeAndSaysWhen() {
        List<Budgets> budgets = budgets();
        Rate rate = Rate.of("tests", 50, Duration.ofSeconds(100)).burst(10);
        assertThat(spend(budgets.getFirst(), rate, "one", 12)).isEqualTo(10);
        BudgetStatus refused = budgets.getLast().take(rate, "one");
        assertThat(refused.isAllowed()).isFalse();
        assertThat(refused.remaining()).isZero();
        assertThat(refused.pause()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2));
        assertThat(refused.fullAt())
                .isBetween(clock.instant().plusSeconds(15), clock.instant().plusSeconds(20));
        skew.set(Duration.ofSeconds(3));
        assertThat(spend(budgets.getLast(), rate, "one", 5)).isBetween(1, 2);
        skew.set(Duration.ofSeconds(60));
        assertThat(spend(budgets.getFirst(), rate, "one", 12)).isEqualTo(10);
    }

    @Test
    void keysThatCallAreNotCountedAsAddressesWithoutOne() {
        RequestLimits pacing = new RequestLimits(budgets().getFirst(), Rates.of((_, contract) -> contract), 2);
        for (int i = 0; i < 5; i++) {
            assertThat(pacing.admit("key " + i).isAllowed()).isTrue();
        }
        for (int i = 0; i < 3; i++) {
            pacing.refused("192.0.2." + i);
        }
        assertThatThrownBy(() -> pacing.refused("192.0.2.3")).hasMessageContaining("Too many addresses");
    }

    @Test
    void aRefusalNamesTheRateAndTheTimeToComeBack() {
        Rate rate = Rate.of("searches", 1, Duration.ofSeconds(90));
        Budgets node = budgets().getFirst();
        node.spend(rate, "one");
        assertThatThrownBy(() -> node.spend(rate, "one")).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.code()).isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED);
            assertThat(problem.details())
                    .containsEntry("resource", "searches")
                    .containsEntry("limit", 1)
                    .containsEntry("window", "90s")
                    .containsEntry(Problem.RETRY_AFTER, 90L);
        });
    }

    @Test
    void nothingAtAllAndAnythingAreRatesToo() {
        Budgets node = budgets().getFirst();
        assertThat(spend(node, Rate.of("none", 0, Duration.ofSeconds(1)), "one", 5))
                .isZero();
        assertThat(spend(node, Rates.NONE.requests(), "one", 1_000)).isEqualTo(1_000);
    }

    @Test
    void aFullBudgetIsForgottenAndAnOtherIsKept() {
        Budgets node = budgets().getFirst();
        node.take(Rate.of("short", 10, Duration.ofSeconds(1)), "one");
        assertThat(spend(node, HUNDRED_AN_HOUR, "one", 100)).isEqualTo(100);
        skew.set(Duration.ofMinutes(5));
        node.forget();
        assertThat(node.size(HUNDRED_AN_HOUR)).isZero();
        int rows = nodes.getFirst()
                .read(tx ->
                        tx.sql("select count(*)::int4 as rows from rate_budget").single(row -> row.integer("rows")));
        assertThat(rows).isEqualTo(1);
        assertThat(spend(node, HUNDRED_AN_HOUR, "one", 100)).isBetween(8, 9);
    }

    @Test
    void anOriginIsAnAddressOrTheNetworkOfACustomer() {
        assertThat(ClientNetwork.of("192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(ClientNetwork.of("2001:db8:0:7::1"))
                .isEqualTo(ClientNetwork.of("2001:db8:0:7:ffff::2"))
                .isNotEqualTo(ClientNetwork.of("2001:db8:0:8::1"));
        assertThat(ClientNetwork.of("no:address")).isEqualTo("no:address");
    }
}
