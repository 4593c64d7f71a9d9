package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Response;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentKeySql;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Authorizations that were used: each counts for one request (payments.md §7). */
public final class PaymentUses {
    private final Database database;
    private final InstantSource clock;
    private final StoredRequests requests;

    PaymentUses(Database database, InstantSource clock, StoredRequests requests) {
        this.database = database;
        this.clock = clock;
        this.requests = requests;
    }

    /** The organization that has used an authorization whose payload does not name its payer; others are not asked. */
    public Optional<UUID> user(List<byte[]> keys) {
        return database.read(tx -> PaymentKeySql.user(tx, keys));
    }

    /**
     * The answer to an authorization that was used before, or null when it was not, or only for what came to nothing
     * (payments.md §7).
     *
     * @throws Problem {@code payment_required} when it was used for another request or refused,
     *     {@code payment_pending} while it is being settled, {@code conflict} when it is owed, or the answer was too
     *     large to be kept
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
                Response answer = use.answer() == null ? null : requests.answer(use.answer());
                if (answer == null) {
                    Instant end = payment.progress().settledAt();
                    boolean isRecent =
                            end != null && end.plus(SettledRequests.RETENTION).isAfter(clock.instant());
                    throw isRecent ? Refusals.unkept(payment) : Refusals.used();
                }
                yield new Sale(answer, payment);
            }
        };
    }

    /** The payment of the first request with an Idempotency-Key; null when none is known. */
    @Nullable
    Payment first(UUID organization, byte @Nullable [] key) {
        return key == null
                ? null
                : database.read(tx -> PaymentKeySql.use(tx, organization, List.of(key)))
                        .map(PaymentKeySql.Use::payment)
                        .orElse(null);
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
        database.run(organization, 0, (tx, opening) -> {
            opening.run();
            PaymentKeySql.unuse(tx, organization, keys);
        });
    }
}
