package dev.inboxd.base.rate;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.id.Digests;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** All budgets that this node spends from. Thread-safe. */
public final class Budgets {
    /** A budget idle for this long is forgotten. Its lease is not returned, which loses at most a tenth of a burst. */
    private static final Duration REMEMBERED = Duration.ofMinutes(2);

    private final Leases leases;
    private final Runnable forgetting;
    private final InstantSource clock;
    /** By the name of the rate, then by its subject. */
    private final Map<String, Map<String, Budget>> budgets = new ConcurrentHashMap<>();

    private volatile Consumer<String> refusals = _ -> {};

    /** The budgets in that database. */
    public Budgets(Database database, InstantSource clock) {
        this(
                asks -> database.runTransient(tx -> {
                    RateSql.take(tx, asks);
                }),
                () -> database.runTransient(tx -> {
                    RateSql.forget(tx);
                }),
                clock);
    }

    private Budgets(Consumer<List<LeaseRequest>> taking, Runnable forgetting, InstantSource clock) {
        this.leases = new Leases(taking);
        this.forgetting = forgetting;
        this.clock = clock;
    }

    /** Budgets for unlimited rates alone, which need no database. */
    static Budgets unlimited() {
        return new Budgets(_ -> {}, () -> {}, InstantSource.fixed(Instant.EPOCH));
    }

    /** Tells the names of rates that refused something, each time; set once, before anything is spent. */
    public void onRefusal(Consumer<String> listener) {
        refusals = listener;
    }

    /**
     * Spends one unit of a budget.
     *
     * @param subject the key of the budget, always in the same form, such as an address
     * @return whether it was allowed, and the status of the budget
     */
    public BudgetStatus take(Rate rate, String subject) {
        BudgetStatus status = spent(rate, subject, clock.instant());
        if (!status.isAllowed()) {
            refusals.accept(rate.name());
        }
        return status;
    }

    private BudgetStatus spent(Rate rate, String subject, Instant now) {
        if (rate.isUnlimited()) {
            return new BudgetStatus(rate, Integer.MAX_VALUE, now, null);
        }
        if (rate.isNothing()) {
            return new BudgetStatus(rate, 0, now.plus(rate.window()), rate.window());
        }
        return budgetsOf(rate)
                .computeIfAbsent(subject, _ -> budget(rate, subject))
                .take(leases, now);
    }

    /**
     * Spends one unit of a budget, or throws.
     *
     * @throws dev.inboxd.base.error.Problem {@code rate_limit_exceeded} with the time to retry after
     */
    public void spend(Rate rate, String subject) {
        take(rate, subject).require();
    }

    /** Gives a unit back that was spent for what did not come about. */
    public void giveBack(Rate rate, String subject) {
        Budget budget = budgetsOf(rate).get(subject);
        if (budget != null && !rate.isUnlimited()) {
            budget.giveBack();
        }
    }

    /** Whether this node knows, without a query, that the budget is empty. */
    boolean isEmpty(Rate rate, String subject) {
        Budget budget = budgetsOf(rate).get(subject);
        return budget != null && budget.isEmpty(clock.instant());
    }

    /** Budgets of a rate in this node's memory. */
    int size(Rate rate) {
        return budgetsOf(rate).size();
    }

    private Map<String, Budget> budgetsOf(Rate rate) {
        return budgets.computeIfAbsent(rate.name(), _ -> new ConcurrentHashMap<>());
    }

    /** Deletes idle budgets, here and in the database; run periodically. */
    public void forget() {
        Instant before = clock.instant().minus(REMEMBERED);
        budgets.values().forEach(subjects -> subjects.values().removeIf(budget -> budget.isIdleSince(before)));
        forgetting.run();
    }

    private static Budget budget(Rate rate, String subject) {
        return new Budget(rate, Digests.sha256(rate.name() + "\n" + subject));
    }
}
