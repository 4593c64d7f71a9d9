package dev.inboxd.payment.purchase;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.PaidRequest;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.Json;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.PaymentKeySql;
import dev.inboxd.payment.offer.PriceList;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls that cost nothing: their payment of 0 shows who asks, and is for one call (payments.md §5, §7). */
public final class PaymentProofs {
    private final Database database;
    private final Purchases purchases;
    private final Payers payers;
    private final InstantSource clock;
    private final Supplier<String> remedy;

    /** @param remedy what an account is told that has no organization yet */
    public PaymentProofs(Purchases.Parts parts, Purchases purchases, Supplier<String> remedy) {
        this.database = parts.database();
        this.clock = parts.clock();
        this.purchases = purchases;
        this.payers = parts.payers();
        this.remedy = remedy;
    }

    /**
     * A proof that was verified.
     *
     * @param account that asks
     * @param keys by which it counts once
     * @param isKept whether it is for this call alone
     */
    public record Proof(String account, List<byte[]> keys, Instant validBefore, boolean isKept) {}

    /**
     * Answers a call that costs nothing.
     *
     * @param payer the account's organization; null when there is none
     * @throws Problem {@code payment_required} when the proof was used before, {@code not_found} when the account has
     *     no organization
     */
    public Response answer(PaidRequest request, Proof proof, Payers.@Nullable Payer payer) {
        if (payer == null || !payer.settled()) {
            return beforeFirst(request, proof, payer);
        }
        UUID organization = payer.organization();
        boolean isOurs = proof.isKept
                ? purchases.uses().use(organization, proof.keys, proof.validBefore)
                : purchases.uses().connect(organization, proof.keys, proof.validBefore);
        if (!isOurs) {
            throw Refusals.used();
        }
        Caller caller = Payers.caller(organization, proof.account);
        try {
            Response answer = request.proceed(caller);
            if (answer.status() == 429 || answer.status() >= 500) {
                purchases.uses().release(organization, proof.keys);
            }
            return answer;
        } catch (Problem refusal) {
            if (refusal.code().status() == 429 || refusal.code().status() >= 500) {
                purchases.uses().release(organization, proof.keys);
            }
            throw refusal;
        }
    }

    /** Lists are empty, and whatever else there is comes with the first payment. No row is written for it. */
    private Response beforeFirst(PaidRequest request, Proof proof, Payers.@Nullable Payer payer) {
        boolean mayBeList =
                request.method().equals("GET") && !request.template().contains("_id}");
        if (mayBeList && !request.asksForWebSocket()) {
            UUID none = UUID.randomUUID();
            Response answer = database.outer(none, _ -> {
                payers.createEmpty(none);
                return request.proceed(Payers.caller(none, proof.account));
            });
            Response empty = empty(answer);
            if (empty != null) {
                return empty;
            }
        }
        if (payer == null && PriceList.isSoldAsShipped(request.method(), request.template())) {
            return first(request, proof);
        }
        throw Problem.of(ErrorCode.NOT_FOUND, "Organization not found", remedy.get());
    }

    /** Makes the organization with a call that the operator gives away, if it makes something. */
    private Response first(PaidRequest request, Proof proof) {
        UUID organization = UUID.randomUUID();
        Response response = database.<@Nullable Response>outer(organization, outer -> {
            if (!begin(request, proof, organization)) {
                return null;
            }
            Response answer = request.proceed(Payers.caller(organization, proof.account));
            if (answer.status() < 300) {
                outer.commit();
            }
            return answer;
        });
        if (response != null) {
            return response;
        }
        Payers.Payer meanwhile = payers.find(proof.account).orElse(null); // two first calls make one organization
        if (meanwhile == null || !meanwhile.settled()) {
            throw Problem.of(ErrorCode.CONFLICT, "Another first call of this account is being paid for")
                    .retryAfter(Duration.ofSeconds(5));
        }
        return answer(request, proof, meanwhile);
    }

    /** False when the account has an organization by now. */
    private boolean begin(PaidRequest request, Proof proof, UUID organization) {
        return payers.create(organization, proof.account)
                && database.write(organization, 0, (tx, opening) -> {
                    opening.run();
                    Payers.settled(tx, proof.account);
                    AuditSource source = new AuditSource(request.remoteAddress(), request.id());
                    PaymentEntries.created(
                            tx, organization, PaymentEntries.actor(proof.account, source), clock.instant());
                    return PaymentKeySql.use(
                            tx,
                            organization,
                            new PaymentKeySql.UsedKeys(
                                    proof.keys, null, PaymentKeySql.UsedKeys.until(proof.validBefore)));
                });
    }

    /** The list without what each organization has; null for an answer that is no list. */
    private static @Nullable Response empty(Response answer) {
        if (!(answer.body() instanceof Response.Body.Bytes bytes)
                || answer.status() != 200
                || !(Json.parse(bytes.content()) instanceof Map<?, ?> members)
                || !(members.get("count") instanceof Number count)) {
            return null;
        }
        if (count.longValue() == 0) {
            return answer;
        }
        Map<String, @Nullable Object> none = new LinkedHashMap<>();
        members.forEach((name, value) -> none.put(String.valueOf(name), value instanceof List<?> ? List.of() : value));
        none.put("count", 0);
        return Response.ok(none);
    }
}
