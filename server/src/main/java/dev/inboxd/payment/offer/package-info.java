/**
 * What a payer may pay with, and what each call costs: the offers of x402 and the methods of MPP, the prices, and the
 * file in which an operator writes both (docs/operating/payments.md). Nothing here reaches another host.
 */
@NullMarked
package dev.inboxd.payment.offer;

import org.jspecify.annotations.NullMarked;
