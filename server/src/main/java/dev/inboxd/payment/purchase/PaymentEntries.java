package dev.inboxd.payment.purchase;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.base.log.LogSetup;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.metric.PaymentOutcome;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** What the audit log has of payments themselves; what they are for has entries as of keys (payments.md §12). */
final class PaymentEntries {
    private PaymentEntries() {}

    /** The first payment of an account has made its organization; in the transaction that says so. */
    static void created(Tx tx, Payment payment, Instant now) {
        add(tx, payment, now, AuditChange.of(AuditAction.ORGANIZATION_CREATED, null));
    }

    /** The same, by a call that the operator gives away. */
    static void created(Tx tx, UUID organization, AuditActor payer, Instant now) {
        AuditLog.at(now).add(tx, organization, payer, AuditChange.of(AuditAction.ORGANIZATION_CREATED, null));
    }

    /** A payment is owed; in the transaction that says so. */
    static void owed(Tx tx, Payment payment, Instant now) {
        add(
                tx,
                payment,
                now,
                AuditChange.of(AuditAction.PAYMENT_OWED, payment.id().toString()));
    }

    private static void add(Tx tx, Payment payment, Instant now, AuditChange change) {
        AuditLog.at(now)
                .add(
                        tx,
                        payment.organization(),
                        actor(payment.payer(), new AuditSource(null, payment.requestId())),
                        new AuditChange(
                                change.action(),
                                change.target(),
                                Map.of("payment_id", payment.id().toString())));
    }

    static AuditActor actor(String account, AuditSource source) {
        Caller.Credential.Payer payer = Caller.Credential.Payer.of(account);
        return new AuditActor(AuditActor.Type.PAYER, payer.id(), payer.account(), source);
    }

    /** One line in the log. */
    static void log(Payment payment, PaymentOutcome outcome) {
        Payment.Terms terms = payment.terms();
        LogLine.of("payment")
                .with("payment_id", payment.id())
                .with("organization_id", payment.organization())
                .with("variant", terms.variant())
                .with("network", terms.network())
                .with("payer", LogSetup.shownAccount(payment.payer()))
                .with("amount", terms.amount())
                .with("route", payment.route())
                .with("outcome", outcome.word())
                .with("reason", payment.progress().reason())
                .with("verify_ms", payment.times().verifyMillis())
                .with("settle_ms", payment.times().settleMillis())
                .write();
    }
}
