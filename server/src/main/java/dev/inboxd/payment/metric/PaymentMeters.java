package dev.inboxd.payment.metric;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.log.CounterFamily;
import dev.inboxd.base.log.FigureCache;
import dev.inboxd.base.log.Metrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The meters of payments (docs/operating.md, Metrics). Their labels have words and networks alone. Thread-safe. */
public final class PaymentMeters {
    /** How often the database is asked at most, however many scrape. */
    private static final Duration INTERVAL = Duration.ofSeconds(15);

    private static final String ACCEPTED = "taken";
    private static final String REJECTED = "rejected";

    private final CounterFamily challenges;
    private final CounterFamily payments;
    private final CounterFamily proofs;
    private final CounterFamily units;

    /** Meters at zero. */
    public PaymentMeters(Metrics metrics) {
        challenges = metrics.counters("inboxd.payment.challenges", "Requests without a payment", "variant");
        payments = metrics.counters(
                "inboxd.payments", "Requests with a payment, by what became of it", "variant", "network", "outcome");
        proofs = metrics.counters(
                "inboxd.payment.proofs", "Payments of nothing, which show who asks", "variant", "outcome");
        units = metrics.counters("inboxd.payment.units", "What was settled, in millionths of a US dollar", "network");
    }

    /** Begins the series of a variant, so that the first count is seen as a change. */
    public PaymentMeters with(String variant, List<String> networks) {
        challenges.with(variant);
        proofs.with(variant, ACCEPTED).with(variant, REJECTED);
        for (String network : networks) {
            units.with(network);
            for (PaymentOutcome outcome : PaymentOutcome.values()) {
                payments.with(variant, network, outcome.word());
            }
        }
        return this;
    }

    /** Counts a request without a payment. */
    public void challenged(String variant) {
        challenges.increment(variant);
    }

    /**
     * Counts a request with a payment.
     *
     * @param network of an offer, never what a caller sent
     */
    public void paid(String variant, String network, PaymentOutcome outcome) {
        payments.increment(variant, network, outcome.word());
    }

    /** Counts a payment of nothing, which is never settled. */
    public void proved(String variant, boolean isTaken) {
        proofs.increment(variant, isTaken ? ACCEPTED : REJECTED);
    }

    /**
     * Adds what was settled.
     *
     * @param price in millionths of a US dollar
     */
    public void settled(String network, long price) {
        units.add(price, network);
    }

    /** Adds the figures of payments that need a look, which all nodes of a database share. */
    public static void watch(Metrics metrics, Database database, InstantSource clock) {
        FigureCache<OpenPayments> open = new FigureCache<>("payments", INTERVAL, () -> OpenPayments.read(database));
        metrics.level(
                "inboxd.payments.open",
                "Payments without an outcome; the same at every node",
                () -> open.value(OpenPayments::open));
        metrics.level(
                "inboxd.payments.open.oldest.seconds",
                "How long the first of them has had none; the same at every node",
                () -> open.value(payments -> age(payments.since(), clock)));
        metrics.level(
                "inboxd.payments.owed",
                "Payments for what could not be done; the same at every node",
                () -> open.value(OpenPayments::owed));
    }

    private static double age(@Nullable Instant since, InstantSource clock) {
        return since == null
                ? 0
                : Math.max(0, Duration.between(since, clock.instant()).toMillis() / 1000.0);
    }
}
