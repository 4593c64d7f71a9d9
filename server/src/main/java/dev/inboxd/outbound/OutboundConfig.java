package dev.inboxd.outbound;

/**
 * What the settings say of mail that leaves.
 *
 * @param routing how it leaves
 * @param delivery how this server appears to others
 * @param sandboxHttp whether captured mail is shown over HTTP
 */
public record OutboundConfig(Routing routing, DeliveryQueue.Config delivery, boolean sandboxHttp) {}
