package dev.inboxd.payment.operator;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The payments of all organizations, for the operator's commands and the admin port (payments.md §12). */
public final class OperatorPayments {
    /** The reason of a payment of which the operator says that it was not made. */
    static final String REFUSED = "refused_by_operator";

    private static final int AT_A_TIME = 500;
    private static final int LONGEST_TRANSACTION = 256;

    private final Database database;

    /** The payments of a database. */
    public OperatorPayments(Database database) {
        this.database = database;
    }

    /** A page of payments, with the organization of each. */
    public Slice<JsonObject> list(PaymentFilter filter, PageRequest page) {
        return payments(filter, page).map(OperatorPayments::json);
    }

    /** A page of payments. */
    public Slice<Payment> payments(PaymentFilter filter, PageRequest page) {
        return database.read(tx -> page.slice(OperatorPaymentSql.list(tx, filter, page), OperatorPaymentSql::place));
    }

    /** Reads all payments, some at a time, the newest first. */
    public void forEachPage(PaymentFilter filter, Consumer<List<Payment>> pages) {
        Cursor next = null;
        do {
            Slice<Payment> slice = payments(filter, new PageRequest(AT_A_TIME, false, next, _ -> ""));
            pages.accept(slice.items());
            next = slice.next();
        } while (next != null);
    }

    /**
     * A payment.
     *
     * @throws Problem {@code not_found}
     */
    public JsonObject show(String id) {
        return json(find(id));
    }

    /**
     * Says how a payment ended whose outcome is not known. The service carries out its request, or takes back what it
     * kept, within seconds.
     *
     * @param transaction what the settlement is called where it was made; null when that is not known, or it was not
     *     made
     * @throws Problem {@code not_found}; {@code conflict} when it has an outcome, or is being asked for at this moment
     */
    public JsonObject resolve(String id, boolean isPaid, @Nullable String transaction) {
        if (transaction != null && (transaction.isBlank() || transaction.length() > LONGEST_TRANSACTION)) {
            throw Problem.invalid("transaction", "transaction must have 1 to " + LONGEST_TRANSACTION + " characters");
        }
        if (transaction != null && !isPaid) {
            throw Problem.invalid("transaction", "A payment that was not made has no transaction");
        }
        Payment payment = find(id);
        Payment.Progress progress = isPaid
                ? new Payment.Progress(PaymentState.SETTLING, null, transaction == null ? "" : transaction, null)
                : new Payment.Progress(PaymentState.SETTLING, REFUSED, null, null);
        database.run(payment.organization(), tx -> {
            if (OperatorPaymentSql.resolve(tx, payment, progress) == 0) {
                throw refusal(payment);
            }
            AuditLog.add(
                    tx,
                    payment.organization(),
                    AuditActor.OPERATOR,
                    new AuditChange(
                            AuditAction.PAYMENT_RESOLVED,
                            payment.id().toString(),
                            Map.of("payment_id", payment.id().toString())));
        });
        return json(payment.with(progress));
    }

    private static Problem refusal(Payment payment) {
        if (!payment.progress().state().isOpen()) {
            return Problem.of(
                    ErrorCode.CONFLICT,
                    "The payment is " + payment.progress().state().wireName() + " already",
                    "Only a payment whose outcome is not known can be resolved.");
        }
        return Problem.of(
                        ErrorCode.CONFLICT,
                        "The facilitator is being asked for the payment at this moment",
                        "Try again in a minute: it may have an outcome by then.")
                .retryAfter(Duration.ofMinutes(1));
    }

    private Payment find(String id) {
        return Optional.ofNullable(Uuid7.parse(id))
                .flatMap(uuid -> database.read(tx -> OperatorPaymentSql.find(tx, uuid)))
                .orElseThrow(() -> Problem.notFound("Payment"));
    }

    /** As its organization sees it, with the organization and what was said of its outcome. */
    public static JsonObject json(Payment payment) {
        Payment.Progress progress = payment.progress();
        String said = progress.transaction() != null ? "paid" : progress.reason() != null ? "refused" : null;
        return payment.json()
                .with("organization_id", payment.organization())
                .with("resolution", progress.state().isOpen() ? said : null);
    }
}
