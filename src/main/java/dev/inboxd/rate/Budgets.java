package dev.inboxd.rate;

import dev.inboxd.database.Database;
import dev.inboxd.id.Digests;
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
    private final Map<Name, Budget> known = new ConcurrentHashMap<>();

    private record Name(String rate, String subject) {}

    /** The budgets in that database. */
    public Budgets(Database database, InstantSource clock) {
        this(asks -> database.<@Nullable Void>writeGlobal(tx -> {
            RateSql.take(tx, asks);
            return null;
        }), () -> database.<@Nullable Void>writeGlobal(tx -> {
            RateSql.forget(tx);
            return null;
        }), clock);
    }

    private Budgets(Consumer<List<Ask>> taking, Runnable forgetting, InstantSource clock) {
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
    public Standing take(Rate rate, String subject) {
        Instant now = clock.instant();
        if (rate.isUnlimited()) {
            return new Standing(rate, Integer.MAX_VALUE, now, null);
        }
        if (rate.isNothing()) {
            return new Standing(rate, 0, now.plus(rate.window()), rate.window());
        }
        return known.computeIfAbsent(new Name(rate.name(), subject), name -> budget(rate, name)).take(leases, now);
    }

    /**
     * Spends one of a budget, or refuses.
     *
     * @throws dev.inboxd.error.Problem {@code rate_limit_exceeded} with the time to come back
     */
    public void spend(Rate rate, String subject) {
        take(rate, subject).require();
    }

    /** Whether this node knows, without asking, that nothing is left. */
    boolean isEmpty(Rate rate, String subject) {
        Budget budget = known.get(new Name(rate.name(), subject));
        return budget != null && budget.isEmpty(clock.instant());
    }

    /** How many budgets this node remembers. */
    int size() {
        return known.size();
    }

    /** Forgets, here and in the database, what no longer matters; run now and then. */
    public void forget() {
        Instant before = clock.instant().minus(REMEMBERED);
        known.values().removeIf(budget -> budget.isIdleSince(before));
        forgetting.run();
    }

    private static Budget budget(Rate rate, Name name) {
        return new Budget(rate, Digests.sha256(name.rate + "\n" + name.subject));
    }
}
