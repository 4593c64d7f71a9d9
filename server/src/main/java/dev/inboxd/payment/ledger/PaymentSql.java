package dev.inboxd.payment.ledger;

import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.ClaimedRows;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.payment.metric.PaymentTimes;
import dev.inboxd.payment.offer.Price;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of payments and of the authorizations that were used. */
public final class PaymentSql {
    /** When the next payment of an organization is asked for again. */
    public static final String NEXT = "select min(p.next_at) from payment p where p.organization_id = {organization}"
            + " and p.state in ('reserved', 'settling')";

    public static final ClaimedRows CLAIMED =
            new ClaimedRows("payments", "payment", "claimed_by", "next_at", "c.claimed_by is not null");

    /** What {@link #read} reads, of a payment that is called p. */
    public static final String COLUMNS = "p.organization_id, p.payment_id, p.variant, p.method, p.network, p.asset,"
            + " p.amount, p.price, p.payer, p.route, p.test, p.request_id, p.state, p.reason, p.transaction,"
            + " p.created_at, p.settled_at";

    private static final KeysetList LIST = KeysetList.byId("p.payment_id");

    private PaymentSql() {}

    /**
     * A payment that begins.
     *
     * @param request sealed
     * @param claims what nobody else may take or change meanwhile
     * @param validBefore when the authorization expires
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record NewPayment(
            Payment payment, byte[] request, byte[] hash, PaymentClaims claims, Instant validBefore, Claim claim) {}

    /**
     * Who is at a payment.
     *
     * @param node the process; null while it may claim nothing
     * @param until when others take it up, should it have lost it
     */
    public record Claim(@Nullable UUID node, Instant until) {}

    public static void insert(Tx tx, NewPayment begun) {
        Payment payment = begun.payment;
        tx.sql(View.of(payment.organization()), """
                insert into payment (organization_id, payment_id, variant, method, network, asset, amount, price, payer,
                    route, test, request_id, request, request_hash, taken, grounds, address, state, valid_before,
                    claimed_by, next_at, created_at)
                values ({organization}, :id, :variant, :method, :network, :asset, :amount, :price, :payer,
                    :route, :test, :request_id, :request, :hash, :taken, :grounds, :address, :state, :valid,
                    :node, :lease, :now)""")
                .bind("id", payment.id())
                .bind("variant", payment.terms().variant())
                .bind("method", payment.terms().method())
                .bind("network", payment.terms().network())
                .bind("asset", payment.terms().asset())
                .bind("amount", payment.terms().amount())
                .bind("price", payment.terms().price().units())
                .bind("payer", payment.payer())
                .bind("route", payment.route())
                .bind("test", payment.terms().test())
                .bind("request_id", payment.requestId())
                .bind("request", begun.request)
                .bind("hash", begun.hash)
                .bind("taken", begun.claims.exclusive().toArray(String[]::new))
                .bind("grounds", begun.claims.grounds().toArray(String[]::new))
                .bind("address", begun.claims.address())
                .bind("state", payment.progress().state().word())
                .bind("valid", begun.validBefore)
                .bind("node", begun.claim.node)
                .bind("lease", begun.claim.until)
                .bind("now", payment.createdAt())
                .run();
    }

    /** How many payments of an organization are not over. */
    public static int open(Tx tx, UUID organization) {
        return tx.sql(
                        View.of(organization),
                        "select count(*)::integer as open from payment p where p.organization_id = {organization}"
                                + " and p.state in ('reserved', 'settling')")
                .single(row -> row.integer("open"));
    }

    /** The payment that is not over and has taken one of these. */
    public static Optional<UUID> takenBy(Tx tx, UUID organization, List<String> names) {
        return among(tx, organization, "p.taken && :names", names);
    }

    /** Whether a payment that is not over needs one of these as it is. */
    static boolean isGround(Tx tx, UUID organization, List<String> names) {
        return among(tx, organization, "p.grounds && :names", names).isPresent();
    }

    private static Optional<UUID> among(Tx tx, UUID organization, String condition, List<String> names) {
        return tx.sql(
                        View.of(organization),
                        "select p.payment_id from payment p where p.organization_id = {organization}"
                                + " and p.state in ('reserved', 'settling') and " + condition + " limit 1")
                .bind("names", names.toArray(String[]::new))
                .first(row -> row.uuid("payment_id"));
    }

    /**
     * A payment that goes on.
     *
     * @param request sealed
     * @param drafts whose sending it pays for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record OpenPayment(
            Payment payment,
            byte[] request,
            @Nullable String address,
            List<UUID> drafts,
            int attempts,
            Instant validBefore) {}

    /** One that is not over, for the process that has claimed it. */
    public static Optional<OpenPayment> open(Tx tx, UUID organization, UUID id) {
        return tx.sql(
                        View.of(organization),
                        "select " + COLUMNS + ", p.request, p.address, p.taken, p.attempts, p.valid_before"
                                + " from payment p where p.organization_id = {organization} and p.payment_id = :id"
                                + " and p.state in ('reserved', 'settling') for update")
                .bind("id", id)
                .first(row -> new OpenPayment(
                        read(row),
                        row.bytes("request"),
                        row.textOrNull("address"),
                        PaymentClaims.drafts(row.texts("taken")),
                        row.integer("attempts"),
                        row.instant("valid_before")));
    }

    /** Says that the settlement is asked for now; 0 when the payment is over, or another process is at it. */
    public static int settling(Tx tx, Payment payment, Claim claim) {
        return tx.sql(View.of(payment.organization()), """
                update payment p set state = 'settling', attempts = p.attempts + 1, next_at = :lease, claimed_by = :node
                where p.organization_id = {organization} and p.payment_id = :id and p.state in ('reserved', 'settling')
                  and (p.claimed_by is null or p.claimed_by = :node or p.next_at <= {now})""")
                .bind("id", payment.id())
                .bind("node", claim.node)
                .bind("lease", claim.until)
                .run();
    }

    /** Keeps how a payment ended until that is carried out; the next attempt does it without asking. */
    public static void recordOutcome(Tx tx, Payment payment, @Nullable String transaction, @Nullable String reason) {
        tx.sql(View.of(payment.organization()), """
                update payment p set transaction = :transaction, reason = :reason, next_at = {now}, claimed_by = null
                where p.organization_id = {organization} and p.payment_id = :id and p.state = 'settling'""")
                .bind("id", payment.id())
                .bind("transaction", transaction)
                .bind("reason", reason)
                .run();
    }

    /** Lets the settlement be asked for again; null: not by itself. */
    public static void again(Tx tx, Payment payment, @Nullable Instant at) {
        tx.sql(View.of(payment.organization()), """
                update payment p set claimed_by = null, next_at = :at
                where p.organization_id = {organization} and p.payment_id = :id
                  and p.state in ('reserved', 'settling')""")
                .bind("id", payment.id())
                .bind("at", at)
                .run();
    }

    /** Ends a payment. */
    public static void end(Tx tx, Payment payment, Payment.Progress progress) {
        tx.sql(View.of(payment.organization()), """
                update payment p set state = :state, reason = :reason, transaction = :transaction, settled_at = :at,
                    request = null, taken = array[]::text[], grounds = array[]::text[], next_at = null,
                    claimed_by = null
                where p.organization_id = {organization} and p.payment_id = :id""")
                .bind("id", payment.id())
                .bind("state", progress.state().word())
                .bind("reason", progress.reason())
                .bind("transaction", progress.transaction())
                .bind("at", progress.settledAt())
                .run();
    }

    /** Keeps an answer, sealed, for repeats of its request. */
    public static void keep(Tx tx, Payment payment, byte[] answer, Instant until) {
        tx.sql(View.of(payment.organization()), """
                insert into payment_answer (organization_id, payment_id, answer, until)
                values ({organization}, :id, :answer, :until)""")
                .bind("id", payment.id())
                .bind("answer", answer)
                .bind("until", until)
                .run();
    }

    /** Takes a payment back of which nothing was asked. */
    public static void remove(Tx tx, Payment payment) {
        View all = View.of(payment.organization());
        tx.sql(all, "delete from payment_key k where k.organization_id = {organization} and k.payment_id = :id")
                .bind("id", payment.id())
                .run();
        tx.sql(all, "delete from payment p where p.organization_id = {organization} and p.payment_id = :id")
                .bind("id", payment.id())
                .run();
    }

    /** Those that are due to be asked for again. */
    public static List<UUID> due(Tx tx, UUID organization, int most) {
        return tx.sql(
                        View.of(organization),
                        "select p.payment_id from payment p where p.organization_id = {organization}"
                                + " and p.state in ('reserved', 'settling') and p.next_at <= {now}"
                                + " order by p.next_at limit :most")
                .bind("most", most)
                .list(row -> row.uuid("payment_id"));
    }

    /** Makes what a dead node was at due. */
    public static void release(Tx tx, View all, UUID node) {
        tx.sql(
                        all,
                        "update payment p set claimed_by = null, next_at = {now}"
                                + " where p.organization_id = {organization} and p.claimed_by = :node")
                .bind("node", node)
                .run();
    }

    public static Optional<Payment> find(Tx tx, View view, UUID id) {
        return tx.sql(
                        view,
                        "select " + COLUMNS + " from payment p where p.organization_id = {organization}"
                                + " and p.payment_id = :id")
                .bind("id", id)
                .first(PaymentSql::read);
    }

    public static List<Payment> list(Tx tx, View view, PageRequest page) {
        String select = "select " + COLUMNS + " from payment p where p.organization_id = {organization}";
        return LIST.page(tx, view, select, page).list(PaymentSql::read);
    }

    /** The payment in a row with {@link #COLUMNS}. */
    public static Payment read(Row row) {
        return new Payment(
                row.uuid("organization_id"),
                row.uuid("payment_id"),
                new Payment.Terms(
                        row.text("variant"),
                        row.text("method"),
                        row.text("network"),
                        row.text("asset"),
                        row.text("amount"),
                        new Price(row.longer("price")),
                        row.flag("test")),
                row.text("payer"),
                row.text("route"),
                new Payment.Progress(
                        PaymentState.of(row.text("state")),
                        row.textOrNull("reason"),
                        row.textOrNull("transaction"),
                        row.instantOrNull("settled_at")),
                row.text("request_id"),
                row.instant("created_at"),
                PaymentTimes.NONE);
    }
}
