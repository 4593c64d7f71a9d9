package dev.inboxd.payment.gate;

import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rates;

/** How often payments are asked for, made and begun (payments.md §12): {@code rate_limit_exceeded} beyond it. */
public record PaymentLimits(Rates.Payments rates, Budgets budgets) {
    /** Counts a request without a payment. */
    void challenged(String address) {
        budgets.spend(rates.challenges(), address);
    }

    /** Counts a request with one. */
    void paid(String payer) {
        budgets.spend(rates.requests(), payer);
    }

    /** Counts a new organization. */
    void began(String address) {
        budgets.spend(rates.wallets(), address);
    }
}
