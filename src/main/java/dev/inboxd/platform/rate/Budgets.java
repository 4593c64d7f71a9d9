package dev.inboxd.platform.rate;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.id.Digests;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Every budget that this node spends from. For any thread. */
public final class Budgets {
    /** Whoever pauses for so long has given back nothing, and has lost at most a tenth of a burst. */
    private static final Duration REMEMBERED = Duration.ofMinutes(2);

    private final Leases leases;
    private final Runnable forgetting;
    private final InstantSource clock;
    /** By the name of the rate, then by its subject. */
    private final Map<String, Map<String, Budget>> known = new ConcurrentHashMap<>();

    /** The budgets in that database. */
    public Budgets(Database database, InstantSource clock) {
        this(
                asks -> database.<@Nullable Void>writeGlobal(tx -> {
                    RateSql.take(tx, asks);
                    return null;
                }),
                () -> database.<@Nullable Void>writeGlobal(tx -> {
                    RateSql.forget(tx);
                    return null;
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
        return new Budgets(_ -> {}, () -> {}, InstantSource.system());
    }

    /**
     * Spends one of a budget.
     *
     * @param subject whom the rate bounds, in a form that is always the same
     * @return whether it was allowed, and how the budget stands
     */
    public BudgetStatus take(Rate rate, String subject) {
        Instant now = clock.instant();
        if (rate.isUnlimited()) {
            return new BudgetStatus(rate, Integer.MAX_VALUE, now, null);
        }
        if (rate.isNothing()) {
            return new BudgetStatus(rate, 0, now.plus(rate.window()), rate.window());
        }
        return known(rate).computeIfAbsent(subject, _ -> budget(rate, subject)).take(leases, now);
    }

    /**
     * Spends one of a budget, or refuses.
     *
     * @throws dev.inboxd.platform.error.Problem {@code rate_limit_exceeded} with the time to come back
     */
    public void spend(Rate rate, String subject) {
        take(rate, subject).require();
    }

    /** Whether this node knows, without asking, that nothing is left. */
    boolean isEmpty(Rate rate, String subject) {
        Budget budget = known(rate).get(subject);
        return budget != null && budget.isEmpty(clock.instant());
    }

    /** How many budgets of a rate this node remembers. */
    int size(Rate rate) {
        return known(rate).size();
    }

    private Map<String, Budget> known(Rate rate) {
        return known.computeIfAbsent(rate.name(), _ -> new ConcurrentHashMap<>());
    }

    /** Forgets, here and in the database, what no longer matters; run now and then. */
    public void forget() {
        Instant before = clock.instant().minus(REMEMBERED);
        known.values().forEach(subjects -> subjects.values().removeIf(budget -> budget.isIdleSince(before)));
        forgetting.run();
    }

    private static Budget budget(Rate rate, String subject) {
        return new Budget(rate, Digests.sha256(rate.name() + "\n" + subject));
    }
}
