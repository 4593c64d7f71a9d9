/**
 * Webhooks: URLs that events are posted to (events.md §1 to §4), and the posting itself. The delivery rows,
 * which the event log makes in the transaction of the change, are the truth; what is told in memory after the commit is
 * a hint that makes it fast. Signatures follow Standard Webhooks 1.0.0. The server alone wires it; no feature calls it.
 *
 * <p>The way of a delivery: {@link dev.inboxd.notify.webhook.DeliveryDispatcher} takes hints and claims due rows, an {@code EndpointQueue} per
 * endpoint keeps what waits for it, {@code AttemptRunner} posts one, {@code ResultWriter} writes many outcomes at once.
 */
@NullMarked
package dev.inboxd.notify.webhook;

import org.jspecify.annotations.NullMarked;
