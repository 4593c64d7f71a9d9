package dev.inboxd.payment.operator;

import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentSql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads the payments of all organizations, and says how one of them ended. */
final class OperatorPaymentSql {
    /** A payment is stored so long after its id was made, at most. */
    private static final Duration LATE = Duration.ofHours(1);

    private OperatorPaymentSql() {}

    /** A page of payments. */
    static List<Payment> list(Tx tx, PaymentFilter filter, PageRequest page) {
        Cursor after = page.after();
        String text = "select " + PaymentSql.COLUMNS + " from payment p where p.state = any (:states)"
                + (filter.organization() == null ? "" : " and p.organization_id = {organization}")
                + (filter.since() == null ? "" : " and p.created_at >= :since")
                + (after == null
                        ? ""
                        : " and (p.created_at, p.payment_id) " + (page.ascending() ? ">" : "<") + " (:at, :after)")
                + (page.ascending()
                        ? " order by p.created_at, p.payment_id"
                        : " order by p.created_at desc, p.payment_id desc")
                + " limit :limit";
        Statement statement = filter.organization() == null
                ? tx.sqlAcrossTenants(text)
                : tx.sql(View.of(filter.organization()), text);
        return statement
                .bind("states", filter.states())
                .bind("since", filter.since())
                .bind("at", after == null ? null : after.instant(0))
                .bind("after", after == null ? null : after.uuid(1))
                .bind("limit", page.fetch())
                .list(PaymentSql::read);
    }

    /** Where a payment stands in the list. */
    static Cursor place(Payment payment) {
        return Cursor.of(payment.createdAt(), payment.id());
    }

    /** A payment of whichever organization; its id has its time, by which it is found. */
    static Optional<Payment> find(Tx tx, UUID id) {
        Instant createdAt = Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
        return tx.sqlAcrossTenants("select " + PaymentSql.COLUMNS + " from payment p where p.payment_id = :id"
                        + " and p.created_at between :from and :to")
                .bind("id", id)
                .bind("from", createdAt.minus(LATE))
                .bind("to", createdAt.plus(LATE))
                .first(PaymentSql::read);
    }

    /**
     * Notes how a payment ended of which nobody knew it; the service carries it out.
     *
     * @param progress with a transaction when it was paid, and with a reason when it was not
     * @return 0 when it has an outcome, or is being asked for at this moment
     */
    static int resolve(Tx tx, Payment payment, Payment.Progress progress) {
        return tx.sql(View.of(payment.organization()), """
                update payment p set transaction = :transaction, reason = :reason, next_at = {now}, claimed_by = null
                where p.organization_id = {organization} and p.payment_id = :id and p.state = 'settling'
                  and (p.claimed_by is null or p.next_at <= {now})""")
                .bind("id", payment.id())
                .bind("transaction", progress.transaction())
                .bind("reason", progress.reason())
                .run();
    }
}
