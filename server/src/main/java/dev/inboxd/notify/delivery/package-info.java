/**
 * Deliveries of events to the URLs of webhooks, signed by Standard Webhooks 1.0.0 (events.md §3, §4). The event log
 * makes the delivery rows in the transaction of the change, and they are the truth; what is announced in memory after
 * the commit only makes the first attempt fast.
 *
 * <p>The way of a delivery: {@link dev.inboxd.notify.delivery.DeliveryDispatcher} claims due rows, an {@code
 * EndpointQueue} for each endpoint keeps what waits for it, {@code AttemptRunner} posts one, and {@code ResultWriter}
 * writes many results at once.
 */
@NullMarked
package dev.inboxd.notify.delivery;

import org.jspecify.annotations.NullMarked;
