package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.OuterTransaction;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.errand.Errands;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.ChangeNote;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.mailbox.attachment.KeptFiles;
import dev.inboxd.payment.ledger.PaidDraftSql;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentClaims;
import dev.inboxd.payment.ledger.PaymentKeySql;
import dev.inboxd.payment.ledger.PaymentSql;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tries requests, and reserves what they take together with their payments (payments.md §8). */
final class PaymentTrials {
    private final Database database;
    private final InstantSource clock;
    private final Nodes nodes;
    private final Payers payers;
    private final LocalCalls trials;
    private final StoredRequests requests;
    private final int mostOpen;

    PaymentTrials(Purchases.Parts parts) {
        this.database = parts.database();
        this.clock = parts.clock();
        this.nodes = parts.nodes();
        this.payers = parts.payers();
        this.trials = parts.trials();
        this.requests = parts.requests();
        this.mostOpen = parts.mostOpen();
    }

    /** It is not known whether a reservation is kept. */
    static final class LostReservationException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Payment payment;
        private final RuntimeException failure;

        LostReservationException(Payment payment, RuntimeException failure) {
            super(failure);
            this.payment = payment;
            this.failure = failure;
        }

        Payment payment() {
            return payment;
        }

        RuntimeException failure() {
            return failure;
        }
    }

    /** Another payment of the account has made its organization meanwhile. */
    static final class AnotherFirstException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Another request has used the same authorization meanwhile. */
    static final class AnotherEqualException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /**
     * A request that was tried.
     *
     * @param answer that of the trial
     * @param payment its payment; null when there is nothing to pay for
     */
    record Reservation(Response answer, @Nullable Payment payment) {}

    /**
     * Tries a request.
     *
     * @param payer null: it is the first of its account, and its organization gets this id
     * @throws Problem as the route
     */
    Reservation reserve(Order order, Payers.@Nullable Payer payer, UUID organization) {
        return database.outer(organization, outer -> {
            if (payer == null && !payers.create(organization, order.payer())) {
                throw new AnotherFirstException();
            }
            if (payer != null) {
                database.write(organization, 0, (tx, opening) -> {
                    opening.run();
                    if (PaymentKeySql.use(tx, organization, order.keys()).isPresent()) {
                        throw new AnotherEqualException();
                    }
                    requireRoom(PaymentSql.open(tx, organization));
                    return null;
                });
            }
            LocalCalls.LocalAnswer trial = outer.attempt(() -> Errands.trial(() -> KeptFiles.with(
                    order.files(), () -> trials.run(Payers.caller(organization, order.payer()), order.call()))));
            boolean nothing = trial.effect() == ChangeNote.Effect.UNCHANGED
                    || trial.answer().status() >= 300;
            return nothing ? new Reservation(trial.answer(), null) : reserve(outer, organization, order, trial);
        });
    }

    private Reservation reserve(OuterTransaction outer, UUID organization, Order order, LocalCalls.LocalAnswer trial) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        Payment payment = order.reserved(organization, now);
        PaymentClaims proposed = PaymentClaims.of(order.route(), order.call(), trial);
        database.write(organization, 0, (tx, opening) -> {
            opening.run();
            PaymentClaims claims = reserveAddress(tx, organization, proposed, now);
            PaymentSql.takenBy(tx, organization, claims.exclusive()).ifPresent(equal -> {
                throw Refusals.equal(equal);
            });
            boolean unused = PaymentKeySql.use(
                    tx,
                    organization,
                    new PaymentKeySql.UsedKeys(
                            order.keys(), payment.id(), PaymentKeySql.UsedKeys.until(order.validBefore())));
            if (!unused) {
                throw new AnotherEqualException();
            }
            PaymentSql.insert(
                    tx,
                    new PaymentSql.NewPayment(
                            payment,
                            requests.sealed(order),
                            order.hash(),
                            claims,
                            order.validBefore(),
                            Purchases.claim(clock, nodes)));
            PaidDraftSql.wait(tx, organization, claims.drafts());
            return null;
        });
        try {
            outer.commit();
        } catch (RuntimeException lost) {
            throw new LostReservationException(payment, lost);
        }
        return new Reservation(trial.answer(), payment);
    }

    /** Keeps the address of a new inbox; it is given back only if nobody had it before. */
    private static PaymentClaims reserveAddress(Tx tx, UUID organization, PaymentClaims proposed, Instant now) {
        String address = proposed.address();
        if (address == null) {
            return proposed;
        }
        return switch (Inboxes.reserve(tx, organization, address, now)) {
            case NEW -> proposed;
            case HAD -> new PaymentClaims(proposed.exclusive(), proposed.grounds(), null);
            case UNAVAILABLE -> throw Problem.of(ErrorCode.RESOURCE_TAKEN, "The address " + address + " is taken");
        };
    }

    private void requireRoom(int open) {
        if (open >= mostOpen) {
            throw Problem.of(
                            ErrorCode.RATE_LIMIT_EXCEEDED,
                            open + " payments of this account have no outcome yet",
                            "Wait until they have one: GET /v0/payments names them.")
                    .retryAfter(Duration.ofSeconds(60));
        }
    }
}
