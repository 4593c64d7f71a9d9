package dev.inboxd.payment.gate;

import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.metric.PaymentMeters;
import dev.inboxd.payment.purchase.PaymentProofs;
import dev.inboxd.payment.purchase.Purchases;
import java.time.InstantSource;

/** What the hosts where calls are paid for have in common. */
public record GateParts(
        InstantSource clock,
        CallPrices prices,
        Payers payers,
        Purchases purchases,
        PaymentProofs proofs,
        PaymentLimits limits,
        PaymentMeters meters) {}
