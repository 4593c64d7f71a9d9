package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentSql;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up payments that this process is at: to a later attempt, or back to their payers. While the database is away
 * that is tried until the claim of this process has ended by itself.
 */
final class PaymentHandover {
    private static final Logger LOG = LoggerFactory.getLogger(PaymentHandover.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int TRIES = 60;

    private final Database database;
    private final InstantSource clock;

    PaymentHandover(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Lets the settlement be asked for again.
     *
     * @param in null: not by itself
     */
    void again(Payment payment, @Nullable Duration in) {
        atLast(payment, () -> {
            database.write(payment.organization(), tx -> {
                PaymentSql.again(
                        tx, payment, in == null ? null : clock.instant().plus(in));
                return null;
            });
            return true;
        });
    }

    /** Lets it be carried out later that a payment was settled, or refused; nobody is asked about it again. */
    void recordOutcome(Payment payment, @Nullable String transaction, @Nullable String reason) {
        atLast(payment, () -> {
            database.write(payment.organization(), tx -> {
                PaymentSql.recordOutcome(tx, payment, transaction, reason);
                return null;
            });
            return true;
        });
    }

    /**
     * Takes back a payment whose settlement this process, which reserved it, will not ask for.
     *
     * @return whether nobody will; false when that is not known, as the database is away
     */
    boolean isAbandoned(Payment payment) {
        return atLast(
                payment,
                () -> database.write(payment.organization(), tx -> {
                    Optional<PaymentSql.OpenPayment> open = PaymentSql.open(tx, payment.organization(), payment.id());
                    boolean isAsked = open.isPresent() && open.get().attempts() > 1;
                    if (open.isPresent() && !isAsked) {
                        Reservations.free(tx, payment, null);
                        PaymentSql.remove(tx, payment);
                    }
                    return !isAsked;
                }));
    }

    /** Does it now, or a little later; false when it is done later. */
    private static boolean atLast(Payment payment, BooleanSupplier work) {
        try {
            return work.getAsBoolean();
        } catch (RuntimeException failure) {
            LOG.warn("payment kept: payment_id={} cause=\"{}\"", payment.id(), failure.getMessage());
            Thread.startVirtualThread(() -> retry(payment, work));
            return false;
        }
    }

    private static void retry(Payment payment, BooleanSupplier work) {
        for (int i = 0; i < TRIES; i++) {
            LockSupport.parkNanos(INTERVAL.toNanos());
            try {
                boolean isDone = work.getAsBoolean();
                LOG.info("payment given up: payment_id={} done={}", payment.id(), isDone);
                return;
            } catch (RuntimeException failure) {
                LOG.warn("payment kept: payment_id={} cause=\"{}\"", payment.id(), failure.getMessage());
            }
        }
    }
}
