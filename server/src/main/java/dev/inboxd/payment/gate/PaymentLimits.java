package dev.inboxd.payment.gate;

import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.ClientNetwork;
import dev.inboxd.base.rate.Rates;

/** How often payments are asked for, made and begun (payments.md §12): {@code rate_limit_exceeded} beyond it. */
public record PaymentLimits(Rates.Payments rates, Budgets budgets) {
    /** Counts a request without a payment. */
    void challenged(String address) {
        budgets.spend(rates.challenges(), ClientNetwork.of(address));
    }

    /** Counts a request with one, of which nobody knows yet whose it is. */
    void claimed(String address) {
        budgets.spend(rates.requests(), ClientNetwork.of(address));
    }

    /** Counts a request of an account that was verified. */
    void paid(String payer) {
        budgets.spend(rates.requests(), payer);
    }

    /** Counts a new organization. */
    void began(String address) {
        budgets.spend(rates.wallets(), ClientNetwork.of(address));
    }

    /** Takes the count of a new organization back: none came of it. */
    void notBegun(String address) {
        budgets.giveBack(rates.wallets(), ClientNetwork.of(address));
    }
}
