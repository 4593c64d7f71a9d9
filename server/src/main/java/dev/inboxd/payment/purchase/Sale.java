package dev.inboxd.payment.purchase;

import dev.inboxd.base.http.Response;
import dev.inboxd.payment.ledger.Payment;
import org.jspecify.annotations.Nullable;

/**
 * What came of an order.
 *
 * @param answer the answer of the route
 * @param payment what was settled for it; null when nothing was
 */
public record Sale(Response answer, @Nullable Payment payment) {}
