/**
 * Who verifies and settles payments: an x402 facilitator, a verifier of an MPP method, or, in development, nobody. The
 * product holds no key and checks no signature; it asks, and {@link dev.inboxd.payment.facilitator.SettlementRules}
 * says what an answer means (docs/operating/payments.md, "What an answer means").
 */
@NullMarked
package dev.inboxd.payment.facilitator;

import org.jspecify.annotations.NullMarked;
