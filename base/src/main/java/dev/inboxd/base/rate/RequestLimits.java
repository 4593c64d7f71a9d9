package dev.inboxd.base.rate;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rates of every request: by its key, and by its address for requests without a valid key.
 *
 * <p>An address that has sent too many bad keys may also be the address of callers with good keys. So keys from there
 * are still looked up, but only a few in a second, and a bad one gets 429 in place of 401.
 */
public final class RequestLimits {
    /** No limits. */
    public static final RequestLimits FREE = new RequestLimits(Budgets.unlimited(), Rates.NONE);

    private static final int LOOKS_A_SECOND = 50;
    /** Maximum number of addresses remembered. Beyond it, new addresses are refused until some are forgotten. */
    private static final int MOST_ADDRESSES = 50_000;

    private final Budgets budgets;
    private final Rates rates;
    private final int mostAddresses;
    /** Look-ups of keys from an exhausted address in the current second. */
    private final Map<String, Looks> looks = new ConcurrentHashMap<>();

    private record Looks(long second, int count) {
        Looks another(long now) {
            return new Looks(now, now == second ? count + 1 : 1);
        }
    }

    /** Bounds requests by these rates. */
    public RequestLimits(Budgets budgets, Rates rates) {
        this(budgets, rates, MOST_ADDRESSES);
    }

    RequestLimits(Budgets budgets, Rates rates, int mostAddresses) {
        this.budgets = budgets;
        this.rates = rates;
        this.mostAddresses = mostAddresses;
    }

    /** Whether requests are not counted at all. */
    public boolean isFree() {
        return rates.requests().isUnlimited();
    }

    /** Counts a request of a key; the caller checks the status. */
    public BudgetStatus admit(String key) {
        return budgets.take(rates.requests(), key);
    }

    /**
     * Checks the address before a key is looked up.
     *
     * @param address the caller's, as text
     * @throws Problem {@code rate_limit_exceeded} when the address sends bad keys and has used up its look-ups
     */
    public void beforeLook(String address) {
        if (rates.refusals().isUnlimited() || !budgets.isEmpty(rates.refusals(), ClientNetwork.of(address))) {
            return;
        }
        long now = System.nanoTime() / 1_000_000_000;
        if (looks.merge(ClientNetwork.of(address), new Looks(now, 1), (before, _) -> before.another(now)).count
                > LOOKS_A_SECOND) {
            throw Problem.of(
                            ErrorCode.RATE_LIMIT_EXCEEDED,
                            "Too many requests without a valid key came from this address")
                    .with("resource", "requests_without_key")
                    .with("limit", LOOKS_A_SECOND)
                    .with("window", "1s")
                    .retryAfter(Duration.ofSeconds(1));
        }
    }

    /**
     * Counts a request without a valid key.
     *
     * @throws Problem {@code rate_limit_exceeded} when there were too many from this address
     */
    public void refused(String address) {
        if (rates.refusals().isUnlimited()) {
            return;
        }
        if (budgets.size(rates.refusals()) > mostAddresses) {
            throw Problem.of(ErrorCode.RATE_LIMIT_EXCEEDED, "Too many addresses send requests without a valid key")
                    .retryAfter(Duration.ofMinutes(1));
        }
        budgets.spend(rates.refusals(), ClientNetwork.of(address));
    }

    /** Forgets idle addresses; run periodically. */
    public void forget() {
        looks.clear();
        budgets.forget();
    }
}
