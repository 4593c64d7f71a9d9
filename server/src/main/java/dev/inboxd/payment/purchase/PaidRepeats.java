package dev.inboxd.payment.purchase;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.id.Digests;
import org.jspecify.annotations.Nullable;

/** Repeats of a request by its Idempotency-Key, each with another payment: they get the first one (payments.md §7). */
final class PaidRepeats {
    private PaidRepeats() {}

    /** By what the first payment is found: beside the keys of authorizations. Null when the request has no key. */
    static byte @Nullable [] key(String payer, LocalCall call) {
        String idempotencyKey = call.headers().get("idempotency-key");
        return idempotencyKey == null
                ? null
                : Digests.sha256(
                        String.join("\n", "idempotency-key", payer, call.method(), call.path(), idempotencyKey));
    }
}
