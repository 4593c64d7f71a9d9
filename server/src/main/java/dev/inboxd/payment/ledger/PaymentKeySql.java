package dev.inboxd.payment.ledger;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of authorizations that were used, so that each counts for one request (payments.md §7). */
public final class PaymentKeySql {
    /** Stands in the place of a payment: the authorization opens sockets. */
    private static final UUID SOCKET = new UUID(0, 0);

    private PaymentKeySql() {}

    /**
     * Keeps the keys of an authorization.
     *
     * @return false when one of them was used before; then the transaction must not be committed
     */
    public static boolean use(Tx tx, UUID organization, UsedKeys used) {
        int inserted = 0;
        for (byte[] key : used.keys) {
            inserted += tx.sql(View.of(organization), """
                    insert into payment_key (organization_id, key, payment_id, until)
                    values ({organization}, :key, :payment, :until) on conflict do nothing""")
                    .bind("key", key)
                    .bind("payment", used.payment)
                    .bind("until", used.until)
                    .run();
        }
        return inserted == used.keys.size();
    }

    /**
     * The keys of an authorization that is used.
     *
     * @param payment null for a proof
     * @param until how long they are kept
     */
    public record UsedKeys(List<byte[]> keys, @Nullable UUID payment, Instant until) {
        /** Those of a proof that opens sockets until it expires. */
        public static UsedKeys ofSocket(List<byte[]> keys, Instant validBefore) {
            return new UsedKeys(keys, SOCKET, until(validBefore));
        }

        /** A day after the authorization expires. */
        public static Instant until(Instant validBefore) {
            return validBefore.plus(Duration.ofDays(1));
        }
    }

    /**
     * What an authorization was used for.
     *
     * @param payment null for a proof
     * @param hash of the request
     * @param answer sealed; null when none is kept
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Use(@Nullable Payment payment, byte[] hash, byte @Nullable [] answer) {}

    /** Who has used an authorization that does not name its payer. */
    public static Optional<UUID> user(Tx tx, List<byte[]> keys) {
        return tx.sqlAcrossTenants("select k.organization_id from payment_key k where k.key = any (:keys) limit 1")
                .bind("keys", keys.toArray(byte[][]::new))
                .first(row -> row.uuid("organization_id"));
    }

    public static Optional<Use> use(Tx tx, UUID organization, List<byte[]> keys) {
        View all = View.of(organization);
        return payment(tx, all, keys)
                .flatMap(payment -> payment.filter(id -> !id.equals(SOCKET))
                        .map(id -> use(tx, all, id))
                        .orElseGet(() -> Optional.of(new Use(null, new byte[0], null))));
    }

    /** Whether the authorization is a proof that opens sockets. */
    public static boolean isOfSocket(Tx tx, UUID organization, List<byte[]> keys) {
        return payment(tx, View.of(organization), keys)
                .flatMap(payment -> payment)
                .filter(SOCKET::equals)
                .isPresent();
    }

    private static Optional<Optional<UUID>> payment(Tx tx, View all, List<byte[]> keys) {
        return tx.sql(
                        all,
                        "select k.payment_id from payment_key k where k.organization_id = {organization}"
                                + " and k.key = any (:keys) limit 1")
                .bind("keys", keys.toArray(byte[][]::new))
                .first(row -> Optional.ofNullable(row.uuidOrNull("payment_id")));
    }

    /** That of a payment; empty when it was taken back meanwhile, and its keys with it. */
    private static Optional<Use> use(Tx tx, View all, UUID payment) {
        return tx.sql(
                        all,
                        "select " + PaymentSql.COLUMNS + ", p.request_hash, a.answer from payment p"
                                + " left join payment_answer a on a.organization_id = {organization}"
                                + " and a.payment_id = p.payment_id and a.until > {now}"
                                + " where p.organization_id = {organization} and p.payment_id = :id")
                .bind("id", payment)
                .first(row -> new Use(PaymentSql.read(row), row.bytes("request_hash"), row.bytesOrNull("answer")));
    }

    /** Forgets the keys of a proof. */
    public static void unuse(Tx tx, UUID organization, List<byte[]> keys) {
        tx.sql(
                        View.of(organization),
                        "delete from payment_key k where k.organization_id = {organization} and k.key = any (:keys)"
                                + " and k.payment_id is null")
                .bind("keys", keys.toArray(byte[][]::new))
                .run();
    }
}
