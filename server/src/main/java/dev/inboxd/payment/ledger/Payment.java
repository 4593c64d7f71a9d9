package dev.inboxd.payment.ledger;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.payment.metric.PaymentTimes;
import dev.inboxd.payment.offer.Price;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A payment.
 *
 * @param terms what was paid, and how
 * @param payer the account
 * @param route method and template of the call
 * @param progress how far it is
 * @param requestId the request that brought it
 * @param times of the calls for it that this process made
 */
public record Payment(
        UUID organization,
        UUID id,
        Terms terms,
        String payer,
        String route,
        Progress progress,
        String requestId,
        Instant createdAt,
        PaymentTimes times) {
    /**
     * What was paid, and how.
     *
     * @param variant x402 or mpp
     * @param method exact, or a method of MPP
     * @param amount in the smallest units of the asset
     * @param test whether no money moves
     */
    public record Terms(
            String variant, String method, String network, String asset, String amount, Price price, boolean test) {}

    /**
     * How far it is.
     *
     * @param reason why it was refused or is owed; null otherwise
     * @param transaction what the settlement is called; null before it, and where it has no name
     */
    public record Progress(
            PaymentState state,
            @Nullable String reason,
            @Nullable String transaction,
            @Nullable Instant settledAt) {}

    /** The same, so far. */
    public Payment with(Progress now) {
        return new Payment(organization, id, terms, payer, route, now, requestId, createdAt, times);
    }

    /** The same, whose settlement was asked for in so many milliseconds. */
    public Payment settledIn(long millis) {
        return new Payment(
                organization, id, terms, payer, route, progress, requestId, createdAt, times.settled(millis));
    }

    /** The JSON form (payments.md §12). */
    public JsonObject json() {
        boolean isOpen = progress.state.isOpen(); // what the operator said of its outcome is not carried out yet
        return JsonObject.of("payment_id", id)
                .with("variant", terms.variant)
                .with("method", terms.variant.equals("mpp") ? terms.method : null)
                .with("network", terms.network)
                .with("asset", terms.asset)
                .with("amount", terms.amount)
                .with("price", terms.price.text())
                .with("payer", payer)
                .with("route", route)
                .with("status", progress.state.wireName())
                .with("reason", isOpen ? null : progress.reason)
                .with("transaction", isOpen ? null : progress.transaction)
                .with("test", terms.test ? true : null)
                .with("request_id", requestId)
                .with("created_at", createdAt)
                .with("settled_at", progress.settledAt);
    }
}
