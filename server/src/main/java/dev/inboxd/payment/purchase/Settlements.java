package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.errand.Errands;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Response;
import dev.inboxd.payment.facilitator.PaymentJudge;
import dev.inboxd.payment.facilitator.PaymentQuestion;
import dev.inboxd.payment.facilitator.Settlement;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentSql;
import dev.inboxd.payment.ledger.PaymentState;
import dev.inboxd.payment.metric.PaymentMeters;
import dev.inboxd.payment.metric.PaymentOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends payments: carries out the request of one that is settled, or takes back what one kept (payments.md §8). */
public final class Settlements {
    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);
    /** The reason of what is owed because of this program. */
    private static final String FAULT = "a fault";

    private static final Duration SOON = Duration.ofSeconds(2);

    private final Database database;
    private final InstantSource clock;
    private final SettledRequests settledRequests;
    private final Function<Payment, PaymentJudge> judges;
    private final PaymentMeters meters;
    private final PaymentHandover handover;

    /** What payments are ended with; the audit log is told of the calls. */
    public record Parts(
            Database database, InstantSource clock, LocalCalls calls, StoredRequests requests, PaymentMeters meters) {}

    /**
     * The ends of payments.
     *
     * @param judges who settles a payment
     */
    public Settlements(Parts parts, Function<Payment, PaymentJudge> judges) {
        this.database = parts.database;
        this.clock = parts.clock;
        this.settledRequests = new SettledRequests(parts);
        this.judges = judges;
        this.meters = parts.meters;
        this.handover = new PaymentHandover(parts.database, parts.clock);
    }

    /**
     * Asks for the settlement; no transaction is open.
     *
     * @param repeat whether it may have been asked for before
     */
    Settlement requestSettlement(Payment payment, PaymentQuestion question, boolean repeat) {
        try {
            return judges.apply(payment).requestSettlement(question, repeat);
        } catch (RuntimeException | Error fault) {
            LOG.error("settlement failed: payment_id={}", payment.id(), fault);
            return new Settlement.Unknown("a fault of this server");
        }
    }

    /**
     * Carries out the request of a payment that was settled, in the commit that says so. When the database is away it
     * stays as it is, and is asked for again.
     *
     * @throws Problem {@code payment_pending} when the database is away, {@code conflict} when the request cannot be
     *     carried out any more
     */
    Sale release(Payment payment, String transaction) {
        try {
            return Errands.with(() -> database.outer(payment.organization(), outer -> {
                PaymentSql.OpenPayment open = open(payment);
                if (open == null) {
                    throw late(payment, transaction);
                }
                Payment settled = ended(payment, PaymentState.SETTLED, null, transaction);
                Response answer = settledRequests.run(open, settled);
                outer.commit();
                meters.settled(
                        payment.terms().network(), payment.terms().price().units());
                reportOutcome(settled, PaymentOutcome.SETTLED);
                return new Sale(answer, settled);
            }));
        } catch (SettledRequests.UndoneException undone) {
            return owe(payment, transaction, String.valueOf(undone.getMessage()), undone);
        } catch (RuntimeException failure) {
            if (!DatabaseFailure.isRetryable(failure)) {
                return owe(payment, transaction, FAULT, failure);
            }
            handover.recordOutcome(payment, transaction, null);
            throw Refusals.pending(payment);
        } catch (OutOfMemoryError passing) { // another call may have taken it all
            LOG.error("payment kept: payment_id={}", payment.id(), passing);
            handover.recordOutcome(payment, transaction, null);
            throw Refusals.pending(payment);
        } catch (Error fault) {
            return owe(payment, transaction, FAULT, fault);
        }
    }

    private Sale owe(Payment payment, String transaction, String reason, Throwable why) {
        LOG.error("payment owed: payment_id={} reason={}", payment.id(), reason, why);
        end(
                payment,
                null,
                ended(payment, PaymentState.OWED, reason, transaction).progress());
        throw Refusals.owed(payment);
    }

    /**
     * Ends a payment that was refused; what it kept is free again.
     *
     * @param attempt the number of the settlement that was refused; a later one says how it ends
     * @throws Problem {@code payment_pending} when there was a later one
     */
    void refuse(Payment payment, int attempt, String reason) {
        try {
            refuseNow(payment, attempt, reason);
        } catch (Problem unknown) {
            handover.recordOutcome(payment, null, reason);
            throw unknown;
        }
    }

    private void refuseNow(Payment payment, int attempt, String reason) {
        end(payment, attempt, ended(payment, PaymentState.REFUSED, reason, null).progress());
    }

    /** A payment that was settled after another process, or a person, had ended it. */
    private Problem late(Payment payment, String transaction) {
        boolean isRefused = database.read(tx -> PaymentSql.find(tx, View.of(payment.organization()), payment.id()))
                .filter(stored -> stored.progress().state() == PaymentState.REFUSED)
                .isPresent();
        if (!isRefused) {
            return Refusals.pending(payment);
        }
        Payment.Progress owed =
                ended(payment, PaymentState.OWED, "settled late", transaction).progress();
        LOG.error("payment owed: payment_id={} reason=\"settled late\"", payment.id());
        write(payment, tx -> {
            PaymentSql.end(tx, payment, owed);
            PaymentEntries.owed(tx, payment, clock.instant());
        });
        return Refusals.owed(payment);
    }

    private void end(Payment payment, @Nullable Integer attempt, Payment.Progress progress) {
        write(payment, tx -> {
            if (progress.state() == PaymentState.OWED) {
                Payers.settled(tx, payment.payer()); // who is owed something can see it
            }
            Reservations.free(tx, payment, attempt);
            PaymentSql.end(tx, payment, progress);
            if (progress.state() == PaymentState.OWED) {
                PaymentEntries.owed(tx, payment, clock.instant());
            }
        });
        reportOutcome(
                payment.with(progress),
                progress.state() == PaymentState.OWED ? PaymentOutcome.OWED : PaymentOutcome.REFUSED);
    }

    /**
     * Takes a payment back of which nothing was asked: its authorization is as new.
     *
     * @param attempt the number of the settlement that did not begin; 0 when none was tried
     * @throws Problem {@code payment_pending} when there was a later one
     */
    void takeBack(Payment payment, int attempt) {
        write(payment, tx -> {
            Reservations.free(tx, payment, attempt);
            PaymentSql.remove(tx, payment);
        });
    }

    /** Writes how a payment ended; when the database is away, nobody knows it yet. */
    private void write(Payment payment, Consumer<Tx> work) {
        try {
            database.write(payment.organization(), tx -> {
                work.accept(tx);
                return null;
            });
        } catch (RuntimeException failure) {
            if (!DatabaseFailure.isRetryable(failure)) {
                throw failure;
            }
            throw Refusals.pending(payment);
        }
    }

    /** Gives up payments that this process is at. */
    PaymentHandover handover() {
        return handover;
    }

    /** Nobody knows the outcome of a payment; it is asked for again. */
    void unknown(Payment payment, String detail) {
        LOG.warn("outcome of a payment unknown: payment_id={} cause=\"{}\"", payment.id(), detail);
        again(payment, SOON);
        reportOutcome(payment, PaymentOutcome.UNKNOWN);
    }

    /** Lets the settlement be asked for again. */
    void again(Payment payment, @Nullable Duration in) {
        handover.again(payment, in);
    }

    private PaymentSql.@Nullable OpenPayment open(Payment payment) {
        return database.write(payment.organization(), 0, (tx, opening) -> {
                    opening.run();
                    return PaymentSql.open(tx, payment.organization(), payment.id());
                })
                .orElse(null);
    }

    private Payment ended(Payment payment, PaymentState state, @Nullable String reason, @Nullable String transaction) {
        return payment.with(new Payment.Progress(
                state,
                reason,
                transaction,
                state == PaymentState.SETTLED || state == PaymentState.OWED
                        ? clock.instant().truncatedTo(ChronoUnit.MICROS)
                        : null));
    }

    private void reportOutcome(Payment payment, PaymentOutcome outcome) {
        meters.paid(payment.terms().variant(), payment.terms().network(), outcome);
        PaymentEntries.log(payment, outcome);
    }
}
