package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.OuterTransaction;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.ChangeNote;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.attachment.AttachmentFiles;
import dev.inboxd.mailbox.attachment.FilesWantedException;
import dev.inboxd.mailbox.attachment.KeptFiles;
import dev.inboxd.payment.facilitator.Settlement;
import dev.inboxd.payment.ledger.PaidDraftSql;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentClaims;
import dev.inboxd.payment.ledger.PaymentKeySql;
import dev.inboxd.payment.ledger.PaymentSql;
import dev.inboxd.payment.metric.PaymentTimes;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sells calls: a request is tried, what it takes is reserved, the payment is settled, and then the request is carried
 * out (payments.md §8). Nobody sees anything of it before, and nothing is paid for what could not be done.
 */
public final class Purchases {
    private static final Logger LOG = LoggerFactory.getLogger(Purchases.class);
    /** Longer than a judge may take, with the commits before and after. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private final Database database;
    private final InstantSource clock;
    private final Nodes nodes;
    private final Payers payers;
    private final LocalCalls trials;
    private final StoredRequests requests;
    private final Settlements settlements;
    private final PaymentUses uses;
    private final AttachmentFetcher fetcher;
    private final int mostOpen;

    /** What calls are sold with; nobody is told of the trials, and an account has so many open payments at most. */
    public record Parts(
            Database database,
            InstantSource clock,
            Nodes nodes,
            Payers payers,
            LocalCalls trials,
            StoredRequests requests,
            Settlements settlements,
            AttachmentFetcher fetcher,
            int mostOpen) {}

    public Purchases(Parts parts) {
        this.database = parts.database;
        this.clock = parts.clock;
        this.nodes = parts.nodes;
        this.payers = parts.payers;
        this.trials = parts.trials;
        this.requests = parts.requests;
        this.settlements = parts.settlements;
        this.uses = new PaymentUses(parts.database, parts.requests);
        this.fetcher = parts.fetcher;
        this.mostOpen = parts.mostOpen;
    }

    /** The authorizations that were used. */
    public PaymentUses uses() {
        return uses;
    }

    /**
     * Carries out a request that costs something.
     *
     * @param payer the account's organization; null when it has none yet
     * @throws Problem as the route, {@code payment_required} when the settlement was refused, {@code payment_pending},
     *     {@code service_unavailable} when nobody can settle now
     */
    public Sale buy(Order order, Payers.@Nullable Payer payer) {
        Payers.Payer known = payer;
        try {
            try {
                return sell(order, known);
            } catch (AnotherFirstException other) { // two first payments make one organization
                known = payers.find(order.payer()).orElse(null);
                return sell(order, known);
            }
        } catch (LostReservationException lost) {
            settlements.handover().isAbandoned(lost.payment); // should it be there all the same
            throw lost.failure;
        } catch (AnotherEqualException other) { // the same authorization came twice at once
            Sale earlier = known == null ? null : uses.earlier(known.organization(), order.keys(), order.hash());
            if (earlier == null) {
                throw Refusals.pending();
            }
            return earlier;
        }
    }

    /** It is not known whether a reservation is kept. */
    private static final class LostReservationException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Payment payment;
        private final RuntimeException failure;

        LostReservationException(Payment payment, RuntimeException failure) {
            super(failure);
            this.payment = payment;
            this.failure = failure;
        }
    }

    /** Another payment of the account has made its organization meanwhile. */
    private static final class AnotherFirstException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Another request has used the same authorization meanwhile. */
    private static final class AnotherEqualException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private Sale sell(Order order, Payers.@Nullable Payer payer) {
        UUID organization = payer == null ? UUID.randomUUID() : payer.organization();
        Order whole = order;
        Reservation reserved;
        try {
            reserved = reserve(whole, payer, organization);
        } catch (FilesWantedException wanted) { // every other check is passed by then (ruling 163)
            try (AttachmentFiles files = fetcher.fetch(organization, wanted.given())) {
                whole = order.with(KeptFiles.of(wanted.given(), files));
            }
            reserved = reserve(whole, payer, organization);
        }
        if (reserved.payment == null) {
            return new Sale(reserved.answer, null);
        }
        Payment payment = reserved.payment;
        long before = System.nanoTime();
        begin(payment);
        if (PaymentTimes.millisSince(before) > LEASE.toMillis() / 2) { // another process may be at it soon
            settlements.again(payment, Duration.ZERO);
            throw Refusals.pending(payment);
        }
        long began = System.nanoTime();
        Settlement outcome = settlements.settle(payment, order.question(), false);
        return ended(payment.settledIn(PaymentTimes.millisSince(began)), outcome);
    }

    /** Says that money may move from now on, or that it will not. */
    private void begin(Payment payment) {
        boolean isOurs;
        try {
            isOurs = database.write(payment.organization(), 0, (tx, opening) -> {
                opening.run();
                return PaymentSql.settling(tx, payment, claim(clock, nodes)) == 1;
            });
        } catch (RuntimeException lost) { // what was committed of it is not known, and nobody was asked
            throw settlements.handover().isAbandoned(payment) ? Refusals.away() : Refusals.pending(payment);
        }
        if (!isOurs) { // this process stood still for so long that another one took the payment back
            throw Refusals.away();
        }
    }

    /** The claim of this process on a payment that it is at. */
    static PaymentSql.Claim claim(InstantSource clock, Nodes nodes) {
        return new PaymentSql.Claim(nodes.claimant(), clock.instant().plus(LEASE));
    }

    /** What an outcome means for the caller. */
    private Sale ended(Payment payment, Settlement outcome) {
        return switch (outcome) {
            case Settlement.Settled(String transaction, String _) -> settlements.release(payment, transaction);
            case Settlement.Refused(String reason) -> {
                settlements.refuse(payment, 1, reason);
                throw Refusals.refused(payment, reason);
            }
            case Settlement.Unknown(String detail) -> {
                settlements.unknown(payment, detail);
                throw Refusals.pending(payment);
            }
            case Settlement.NotSent(String detail) -> {
                LOG.error("settlement not asked for: payment_id={} cause=\"{}\"", payment.id(), detail);
                settlements.takeBack(payment, 1);
                throw Refusals.away();
            }
        };
    }

    /**
     * A request that was tried.
     *
     * @param answer that of the trial
     * @param payment its payment; null when there is nothing to pay for
     */
    private record Reservation(Response answer, @Nullable Payment payment) {}

    private Reservation reserve(Order order, Payers.@Nullable Payer payer, UUID organization) {
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
            LocalCalls.LocalAnswer trial = outer.attempt(() -> KeptFiles.with(
                    order.files(), () -> trials.run(Payers.caller(organization, order.payer()), order.call())));
            boolean nothing = trial.effect() == ChangeNote.Effect.UNCHANGED
                    || trial.answer().status() >= 300;
            return nothing ? new Reservation(trial.answer(), null) : reserve(outer, organization, order, trial);
        });
    }

    private Reservation reserve(OuterTransaction outer, UUID organization, Order order, LocalCalls.LocalAnswer trial) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        Payment payment = order.reserved(organization, now);
        PaymentClaims wanted = PaymentClaims.of(order.route(), order.call(), trial);
        database.write(organization, 0, (tx, opening) -> {
            opening.run();
            PaymentClaims claims = kept(tx, organization, wanted, now);
            if (PaymentSql.isTaken(tx, organization, claims.taken())) {
                throw Problem.of(
                        ErrorCode.PAYMENT_PENDING, "An equal request of this account is being paid for at the moment");
            }
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
                            claim(clock, nodes)));
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
    private static PaymentClaims kept(Tx tx, UUID organization, PaymentClaims wanted, Instant now) {
        String address = wanted.address();
        if (address == null) {
            return wanted;
        }
        return switch (Inboxes.reserve(tx, organization, address, now)) {
            case NEW -> wanted;
            case HAD -> new PaymentClaims(wanted.taken(), wanted.grounds(), null);
            case TAKEN -> throw Problem.of(ErrorCode.RESOURCE_TAKEN, "The address " + address + " is taken");
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
