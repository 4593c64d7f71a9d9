package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.ClaimedRows;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.job.TakeOver;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.mailbox.attachment.KeptFileMemory;
import dev.inboxd.payment.facilitator.Settlement;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentSql;
import dev.inboxd.payment.ledger.PaymentState;
import dev.inboxd.payment.metric.PaymentTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks again for settlements without an outcome (payments.md §8), and takes over those of dead nodes. */
public final class PaymentWork {
    private static final Logger LOG = LoggerFactory.getLogger(PaymentWork.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int AT_ONCE = 4;
    private static final int PAGE = 20;
    /** Of requests, in octets: those that are larger have files, and wait for each other. */
    private static final int LARGE = 1 << 20;
    /** Before the second, third and fourth time; the first pause was made when the caller was told. */
    private static final List<Duration> PAUSES =
            List.of(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(60));

    private static final Duration EARLY = Duration.ofMinutes(5);
    private static final Duration LATE = Duration.ofHours(1);

    private final Database database;
    private final InstantSource clock;
    private final Nodes nodes;
    private final StoredRequests requests;
    private final Settlements settlements;
    private final KeptFileMemory fileMemory;

    public PaymentWork(Purchases.Parts parts) {
        this.database = parts.database();
        this.clock = parts.clock();
        this.nodes = parts.nodes();
        this.requests = parts.requests();
        this.settlements = parts.settlements();
        this.fileMemory = parts.fileMemory();
    }

    /** Registers it; before the start. */
    public void findBy(DueWork due) {
        due.add(new WorkKind(
                "payments",
                PaymentSql.NEXT,
                WorkKind.Pace.of(INTERVAL, AT_ONCE),
                nodes.departures().worker(this::run)));
    }

    /** Makes due what a dead node was at. */
    public TakeOver.Claims claims() {
        return new TakeOver.Claims() {
            @Override
            public ClaimedRows rows() {
                return PaymentSql.CLAIMED;
            }

            @Override
            public void release(Tx tx, View all, UUID node) {
                PaymentSql.release(tx, all, node);
            }
        };
    }

    private void run(UUID organization) {
        List<UUID> page;
        do {
            page = database.read(tx -> PaymentSql.due(tx, organization, PAGE));
            page.forEach(payment -> {
                try {
                    carryOn(organization, payment);
                } catch (Problem ended) {
                    LOG.debug("payment {} ended: {}", payment, ended.code());
                } catch (RuntimeException | OutOfMemoryError later) {
                    LOG.warn("payment postponed: payment_id={}", payment, later);
                }
            });
        } while (page.size() == PAGE && nodes.departures().mayBegin(organization));
    }

    /** One of which nothing was asked is taken back: its caller heard nothing, and may have paid anew. */
    private void carryOn(UUID organization, UUID id) {
        PaymentSql.OpenPayment open = database.write(organization, 0, (tx, opening) -> {
            opening.run();
            PaymentSql.OpenPayment candidate =
                    PaymentSql.open(tx, organization, id).orElse(null);
            return candidate != null
                            && candidate.payment().progress().state() == PaymentState.SETTLING
                            && PaymentSql.settling(tx, candidate.payment(), Purchases.claim(clock, nodes)) == 0
                    ? null
                    : candidate;
        });
        if (open == null) {
            return;
        }
        if (open.request().length <= LARGE) {
            carryOn(open);
            return;
        }
        try (KeptFileMemory.Room _ = fileMemory.enter(open.request().length)) {
            carryOn(open);
        }
    }

    private void carryOn(PaymentSql.OpenPayment open) {
        Payment payment = open.payment();
        if (payment.progress().state() == PaymentState.RESERVED) {
            settlements.takeBack(payment, 0);
            return;
        }
        Payment.Progress said = payment.progress();
        if (said.transaction() != null) { // the operator has found out
            settlements.release(payment, said.transaction());
            return;
        }
        if (said.reason() != null) {
            settlements.refuse(payment, open.attempts() + 1, said.reason());
            return;
        }
        long began = System.nanoTime();
        Settlement outcome = settlements.requestSettlement(
                payment, requests.opened(payment.id(), open.request()).question(), true);
        Payment attempted = payment.settledIn(PaymentTimes.millisSince(began));
        switch (outcome) {
            case Settlement.Settled(String transaction, String _) -> settlements.release(attempted, transaction);
            case Settlement.Refused(String reason) -> settlements.refuse(attempted, open.attempts() + 1, reason);
            case Settlement.Unknown _, Settlement.NotSent _ -> settlements.again(payment, pause(open));
        }
    }

    /** Until it is asked again; null when a person has to find out. */
    private @Nullable Duration pause(PaymentSql.OpenPayment open) {
        Instant now = clock.instant();
        if (open.attempts() <= PAUSES.size()) {
            return PAUSES.get(Math.max(0, open.attempts() - 1));
        }
        if (now.isBefore(open.payment().createdAt().plus(LATE))) {
            return EARLY;
        }
        return now.isBefore(open.validBefore().plus(Duration.ofDays(1))) ? LATE : null;
    }
}
