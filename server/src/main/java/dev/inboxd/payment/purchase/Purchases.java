package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.errand.Errands;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.attachment.AttachmentFiles;
import dev.inboxd.mailbox.attachment.FilesWantedException;
import dev.inboxd.mailbox.attachment.KeptFileMemory;
import dev.inboxd.mailbox.attachment.KeptFiles;
import dev.inboxd.payment.facilitator.Settlement;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentSql;
import dev.inboxd.payment.metric.PaymentTimes;
import java.time.Duration;
import java.time.InstantSource;
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
    private final PaymentTrials trials;
    private final Settlements settlements;
    private final PaymentUses uses;
    private final AttachmentFetcher fetcher;
    private final KeptFileMemory fileMemory;

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
            KeptFileMemory fileMemory,
            int mostOpen) {}

    public Purchases(Parts parts) {
        this.database = parts.database;
        this.clock = parts.clock;
        this.nodes = parts.nodes;
        this.payers = parts.payers;
        this.trials = new PaymentTrials(parts);
        this.settlements = parts.settlements;
        this.uses = new PaymentUses(parts.database, parts.clock, parts.requests);
        this.fetcher = parts.fetcher;
        this.fileMemory = parts.fileMemory;
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
        Payers.Payer current = payer;
        try {
            try {
                return sell(order, current);
            } catch (PaymentTrials.AnotherFirstException conflict) { // two first payments make one organization
                current = payers.find(order.payer()).orElse(null);
                return sell(order, current);
            }
        } catch (PaymentTrials.LostReservationException lost) {
            settlements.handover().isAbandoned(lost.payment()); // should it be there all the same
            throw lost.failure();
        } catch (PaymentTrials.AnotherEqualException conflict) { // the same authorization came twice at once
            Sale earlier = payers.find(order.payer())
                    .map(existing -> uses.earlier(existing.organization(), order.keys(), order.hash()))
                    .orElse(null);
            if (earlier == null) { // the other came to nothing meanwhile
                throw Refusals.away();
            }
            return earlier;
        }
    }

    private Sale sell(Order order, Payers.@Nullable Payer payer) {
        UUID organization = payer == null ? UUID.randomUUID() : payer.organization();
        PaymentTrials.Reservation reserved;
        try {
            reserved = Errands.with(() -> trials.reserve(order, payer, organization));
        } catch (FilesWantedException filesWanted) { // every other check is passed by then (ruling 163)
            try (AttachmentFiles files = fetcher.fetch(organization, filesWanted.attachments());
                    KeptFileMemory.Room _ = fileMemory.enter(filesWanted.attachments(), files)) {
                Order complete = order.with(KeptFiles.of(filesWanted.attachments(), files));
                return sold(complete, payer, Errands.with(() -> trials.reserve(complete, payer, organization)));
            }
        }
        return sold(order, payer, reserved);
    }

    private Sale sold(Order order, Payers.@Nullable Payer payer, PaymentTrials.Reservation reserved) {
        if (reserved.payment() == null) {
            return new Sale(reserved.answer(), unpaid(order, payer, reserved.answer()));
        }
        Payment payment = reserved.payment();
        long before = System.nanoTime();
        begin(payment);
        if (PaymentTimes.millisSince(before) > LEASE.toMillis() / 2) { // another process may be at it soon
            settlements.again(payment, Duration.ZERO);
            throw Refusals.pending(payment);
        }
        long began = System.nanoTime();
        Settlement outcome = settlements.requestSettlement(payment, order.question(), false);
        return ended(payment.settledIn(PaymentTimes.millisSince(began)), outcome);
    }

    /**
     * A call that made nothing, as all was there: its authorization is a proof of who asked, and is for one call.
     *
     * @return the payment of the request that it repeats by its Idempotency-Key, if that is known
     */
    private @Nullable Payment unpaid(Order order, Payers.@Nullable Payer payer, Response answer) {
        if (payer == null || answer.status() >= 300) {
            return null;
        }
        if (!uses.use(payer.organization(), order.keys(), order.validBefore())) {
            throw new PaymentTrials.AnotherEqualException();
        }
        return uses.first(payer.organization(), PaidRepeats.key(order.payer(), order.call()));
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
}
