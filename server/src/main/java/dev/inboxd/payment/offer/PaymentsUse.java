package dev.inboxd.payment.offer;

import java.util.Set;

/**
 * What a payments file is read for.
 *
 * @param routes that there are at a variant's host, each as {@code POST /v0/inboxes}
 * @param x402 whether offers of x402 are needed
 * @param mpp whether methods of MPP are needed
 * @param facilitator the facilitator that there is
 * @param production whether the server is in production
 */
public record PaymentsUse(
        Set<String> routes, boolean x402, boolean mpp, FacilitatorKind facilitator, boolean production) {
    /** The facilitators that there can be. */
    public enum FacilitatorKind {
        NONE,
        /** The one that checks nothing and moves no money. */
        DEVELOPMENT,
        /** One of the operator's choice. */
        OPERATOR
    }

    public PaymentsUse {
        routes = Set.copyOf(routes);
    }
}
