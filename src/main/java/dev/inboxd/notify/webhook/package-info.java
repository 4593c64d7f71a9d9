/**
 * Webhooks: URLs that events are posted to (events.md §1 to §4), and the posting. The delivery rows, which the event
 * log inserts in the transaction of the change, are the source of truth. The notice in memory after the commit only
 * makes deliveries fast. Signatures follow Standard Webhooks 1.0.0. Only the server wires this package; no feature
 * calls it.
 *
 * <p>The path of a delivery: {@link dev.inboxd.notify.webhook.DeliveryDispatcher} takes the notices and claims due
 * rows, an {@code EndpointQueue} per endpoint holds the waiting deliveries, {@code AttemptRunner} posts one,
 * {@code ResultWriter} writes many results in one transaction.
 */
@NullMarked
package dev.inboxd.notify.webhook;

import org.jspecify.annotations.NullMarked;
