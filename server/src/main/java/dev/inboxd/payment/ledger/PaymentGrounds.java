package dev.inboxd.payment.ledger;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Keeps what a request needs that is being paid for: it is not deleted meanwhile (payments.md §8). */
public final class PaymentGrounds {
    private PaymentGrounds() {}

    /**
     * Refuses the deletion of an inbox, in its transaction.
     *
     * @throws Problem {@code conflict}
     */
    public static void inboxDeleted(Tx tx, UUID organization, UUID inbox) {
        require(tx, organization, PaymentClaims.inbox(inbox));
    }

    /**
     * Refuses the deletion of a pod, in its transaction.
     *
     * @throws Problem {@code conflict}
     */
    public static void podDeleted(Tx tx, UUID organization, UUID pod) {
        require(tx, organization, PaymentClaims.pod(pod));
    }

    /**
     * Refuses the deletion of a domain, in its transaction.
     *
     * @throws Problem {@code conflict}
     */
    public static void domainDeleted(Tx tx, UUID organization, String domain) {
        require(tx, organization, PaymentClaims.domain(domain));
    }

    private static void require(Tx tx, UUID organization, String ground) {
        if (PaymentSql.isGround(tx, organization, List.of(ground))) {
            throw Problem.of(
                            ErrorCode.CONFLICT,
                            "A call that needs it is being paid for",
                            "Try again when that payment has an outcome: GET /v0/payments names it.")
                    .retryAfter(Duration.ofSeconds(5));
        }
    }
}
