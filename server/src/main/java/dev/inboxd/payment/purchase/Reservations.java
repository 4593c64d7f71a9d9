package dev.inboxd.payment.purchase;

import dev.inboxd.base.database.Tx;
import dev.inboxd.payment.ledger.PaidDraftSql;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.ledger.PaymentSql;
import dev.inboxd.tenant.inbox.Inboxes;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a payment keeps from others until it is over (payments.md §8). */
final class Reservations {
    private Reservations() {}

    /**
     * Frees what a payment kept, and with the first of an account its organization.
     *
     * @param attempt the number of the settlement that ended it; null for any
     * @throws dev.inboxd.base.error.Problem {@code payment_pending} when it is over, or another settlement was begun
     */
    static void free(Tx tx, Payment payment, @Nullable Integer attempt) {
        UUID organization = payment.organization();
        PaymentSql.OpenPayment open = PaymentSql.open(tx, organization, payment.id())
                .filter(candidate -> attempt == null || candidate.attempts() == attempt)
                .orElseThrow(() -> Refusals.pending(payment));
        boolean last = PaymentSql.open(tx, organization) <= 1;
        PaidDraftSql.endWait(tx, organization, open.drafts());
        if (open.address() != null) {
            Inboxes.giveBack(tx, organization, open.address(), last);
        }
        if (last) {
            Payers.forget(tx, organization, payment.payer());
        }
    }
}
