package dev.inboxd.base.http;

/** Answers the requests of a host where callers pay for each call instead of showing a key (payments.md §6). */
@FunctionalInterface
public interface PaymentGate {
    /**
     * Answers a request for a route that is not public. Nothing but its route and its announced size was looked at.
     *
     * @throws dev.inboxd.base.error.Problem as the route, and {@code payment_required}
     */
    Response answer(PaidRequest request);
}
