package dev.inboxd.outbound;

/**
 * What the settings say of mail that leaves.
 *
 * @param routing how it leaves
 * @param delivery how this server appears to others
 */
public record OutboundConfig(Routing routing, DeliveryQueue.Config delivery) {}
