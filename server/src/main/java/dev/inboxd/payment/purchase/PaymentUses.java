package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Response;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentKeySql;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Authorizations that were used: each counts for one request (payments.md §7). */
public final class PaymentUses {
    private final Database database;
    private final StoredRequests requests;

    PaymentUses(Database database, StoredRequests requests) {
        this.database = database;
        this.requests = requests;
    }

    /**
     * The answer to an authorization that was used before, or null when it was not, or only for what came to nothing
     * (payments.md §7).
     *
     * @throws Problem {@code payment_required} when it was used for another request or refused,
     *     {@code payment_pending} while it is being settled
     */
    @Nullable
    public Sale earlier(UUID organization, List<byte[]> keys, byte[] hash) {
        PaymentKeySql.Use use =
                database.read(tx -> PaymentKeySql.use(tx, organization, keys)).orElse(null);
        if (use == null) {
            return null;
        }
        Payment payment = use.payment();
        if (payment == null
                || (!Arrays.equals(use.hash(), hash)
                        && !payment.progress().state().isOpen())) {
            throw Refusals.used();
        }
        return switch (payment.progress().state()) {
            case RESERVED, SETTLING -> throw Refusals.pending(payment);
            case REFUSED ->
                throw Refusals.refused(
                        payment, String.valueOf(payment.progress().reason()));
            case OWED -> throw Refusals.owed(payment);
            case SETTLED -> {
                Response kept = use.answer() == null ? null : requests.answer(use.answer());
                if (kept == null) {
                    throw Refusals.used();
                }
                yield new Sale(kept, payment);
            }
        };
    }

    /** Uses up a proof, which is a payment of nothing; false when it was used before. */
    boolean use(UUID organization, List<byte[]> keys, Instant validBefore) {
        return database.outer(organization, outer -> {
            boolean unused = database.write(organization, 0, (tx, opening) -> {
                opening.run();
                return PaymentKeySql.use(
                        tx,
                        organization,
                        new PaymentKeySql.UsedKeys(keys, null, PaymentKeySql.UsedKeys.until(validBefore)));
            });
            if (unused) {
                outer.commit();
            }
            return unused;
        });
    }

    /** Uses a proof for sockets, as often as it is asked and for nothing else; false when it was used for a call. */
    boolean connect(UUID organization, List<byte[]> keys, Instant validBefore) {
        return database.write(organization, 0, (tx, opening) -> {
            opening.run();
            PaymentKeySql.use(tx, organization, PaymentKeySql.UsedKeys.ofSocket(keys, validBefore));
            return PaymentKeySql.isOfSocket(tx, organization, keys);
        });
    }

    /** Lets a proof be used again whose call came to nothing. */
    void release(UUID organization, List<byte[]> keys) {
        database.<@Nullable Void>write(organization, 0, (tx, opening) -> {
            opening.run();
            PaymentKeySql.unuse(tx, organization, keys);
            return null;
        });
    }
}
